package main

import (
	"errors"
	"path/filepath"
)

// userStateFolder returns the folder for what programs keep.
func userStateFolder(getenv func(string) string) (string, error) {
	if home := getenv("HOME"); home != "" {
		return filepath.Join(home, "Library", "Application Support"), nil
	}
	return "", errors.New("there is no folder for the databases: set PLOKE_STATE_DIR or HOME")
}
