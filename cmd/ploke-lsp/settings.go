package main

import (
	"errors"
	"fmt"
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

// unreadable returns an error if a source of settings can't be read: without it, another model than the person's would answer.
func unreadable(layers []config.Layer) error {
	for _, l := range layers {
		if l.Err != nil {
			return fmt.Errorf("the settings in %s can't be read: %w; correct the file, or name another one with --config", l.Source, l.Err)
		}
	}
	return nil
}

// configFile returns the path of the user's settings file, which may not exist.
func (c *common) configFile(env environment) (string, error) {
	if c.config != "" {
		return filepath.Abs(c.config)
	}
	return config.Path(env.getenv)
}
