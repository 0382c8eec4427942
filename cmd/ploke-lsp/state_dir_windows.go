package main

import "errors"

// userStateFolder returns the folder for what programs keep on this machine. Windows takes the
// folder of the settings along to other machines, which would be a burden for an index.
func userStateFolder(getenv func(string) string) (string, error) {
	if dir := getenv("LocalAppData"); dir != "" {
		return dir, nil
	}
	return "", errors.New("there is no folder for the databases: set PLOKE_STATE_DIR or LocalAppData")
}
