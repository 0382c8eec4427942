package main

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
)

// stateFolder is where the databases live: --state-dir, else PLOKE_STATE_DIR,
// else the folder that the system has for a program's state.
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
		return "", errors.New("there is no folder to keep the databases in: set PLOKE_STATE_DIR or HOME")
	}
	return filepath.Join(home, ".local", "state", "ploke-lsp"), nil
}
