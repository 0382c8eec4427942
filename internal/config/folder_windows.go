package config

import "errors"

// userFolder returns the folder of the user's settings, which Windows takes along to other
// machines of the user.
func userFolder(getenv func(string) string) (string, error) {
	if dir := getenv("AppData"); dir != "" {
		return dir, nil
	}
	return "", errors.New("no folder for the configuration is known: set AppData, or name the file with --config")
}
