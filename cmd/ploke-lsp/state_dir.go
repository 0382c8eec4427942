package main

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
)

// stateFolder returns the folder of the databases: --state-dir, else PLOKE_STATE_DIR,
// else the operating system's folder for program state.
func (c *common) stateFolder(env environment) (string, error) {
	for _, dir := range []string{c.stateDir, env.getenv("PLOKE_STATE_DIR")} {
		if dir != "" {
			return filepath.Abs(dir)
		}
	}
	if dir := env.getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "ploke-lsp"), nil
	}
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		dir, err := os.UserConfigDir()
		return filepath.Join(dir, "ploke-lsp"), err
	}
	home := env.getenv("HOME")
	if home == "" {
		return "", errors.New("there is no folder for the databases: set PLOKE_STATE_DIR or HOME")
	}
	return filepath.Join(home, ".local", "state", "ploke-lsp"), nil
}
