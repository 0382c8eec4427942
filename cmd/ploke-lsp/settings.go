package main

import (
	"errors"
	"io/fs"
	"path/filepath"

	"ploke-lsp/internal/config"
)

// settings are what holds before a client's say: the user's file, and above it
// the environment. There need not be a file, unless --config names it.
func (c *common) settings(env environment) ([]config.Layer, error) {
	environment := config.FromEnvironment(env.getenv)
	path, err := c.configFile(env)
	if err != nil {
		return []config.Layer{environment}, nil // no folder, no file
	}
	file := config.ReadFile(path)
	if missing := errors.Is(file.Err, fs.ErrNotExist); missing && c.config != "" {
		return nil, file.Err
	} else if missing {
		return []config.Layer{environment}, nil
	}
	return []config.Layer{file, environment}, nil
}

// configFile is where the user's file is, or would be.
func (c *common) configFile(env environment) (string, error) {
	if c.config != "" {
		return filepath.Abs(c.config)
	}
	return config.Path(env.getenv)
}
