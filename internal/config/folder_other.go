//go:build !windows && !darwin

package config

import (
	"errors"
	"path/filepath"
)

// userFolder returns the folder of the user's settings.
func userFolder(getenv func(string) string) (string, error) {
	if home := getenv("HOME"); home != "" {
		return filepath.Join(home, ".config"), nil
	}
	return "", errors.New("no folder for the configuration is known: set HOME, or name the file with --config")
}
