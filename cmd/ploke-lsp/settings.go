package main

import (
	"errors"
	"io/fs"
	"path/filepath"

	"ploke-lsp/internal/config"
)

// settings returns the layers of settings below the client's: the user's file, and above
// it the environment. The file is optional, unless --config names it.
func (c *common) settings(env environment) ([]config.Layer, error) {
	environment := config.FromEnvironment(env.getenv)
	path, err := c.configFile(env)
	if err != nil {
		return []config.Layer{environment}, nil // without a configuration folder there is no file
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

// configFile returns the path of the user's settings file, which may not exist.
func (c *common) configFile(env environment) (string, error) {
	if c.config != "" {
		return filepath.Abs(c.config)
	}
	return config.Path(env.getenv)
}
