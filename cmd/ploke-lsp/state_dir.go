package main

import "path/filepath"

// stateFolder returns the folder of the databases: --state-dir, else PLOKE_STATE_DIR,
// else the operating system's folder for program state.
func (c *common) stateFolder(env environment) (string, error) {
	for _, dir := range []string{c.stateDir, env.getenv("PLOKE_STATE_DIR")} {
		if dir != "" {
			return filepath.Abs(dir)
		}
	}
	dir := env.getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(dir) {
		var err error
		if dir, err = userStateFolder(env.getenv); err != nil {
			return "", err
		}
	}
	return filepath.Join(dir, "ploke-lsp"), nil
}
