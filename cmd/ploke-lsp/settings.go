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
	if c.config == "" {
		return []config.Layer{config.OptionalFile(path), environment}, nil
	}
	file := config.ReadFile(path)
	if errors.Is(file.Err, fs.ErrNotExist) {
		return nil, file.Err
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
