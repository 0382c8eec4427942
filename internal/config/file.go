package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/pelletier/go-toml/v2"
)

// Path returns where the user's configuration file is, even if it does not exist:
// ploke-lsp/config.toml in XDG_CONFIG_HOME, or else in the system's folder for user
// configuration.
func Path(getenv func(string) string) (_ string, err error) {
	dir := getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(dir) {
		if dir, err = userFolder(getenv); err != nil {
			return "", err
		}
	}
	return filepath.Join(dir, "ploke-lsp", "config.toml"), nil
}

// ReadFile reads a TOML file. If there is none, Err of the layer is [fs.ErrNotExist].
func ReadFile(path string) Layer {
	layer := Layer{Source: path, File: path}
	info, err := os.Stat(path)
	if err == nil {
		layer.stamp = stampOf(info)
	}
	data, err := os.ReadFile(path)
	if err == nil {
		data, err = decodeText(data)
	}
	if err == nil {
		err = toml.Unmarshal(data, &layer.Values)
	}
	var syntax *toml.DecodeError
	if errors.As(err, &syntax) {
		line, column := syntax.Position()
		err = fmt.Errorf("line %d, column %d is not TOML: %v", line, column, syntax)
	}
	layer.Err = err
	return layer
}

// OptionalFile reads a TOML file like [ReadFile]. A missing file is an empty layer without
// an error.
func OptionalFile(path string) Layer {
	layer := ReadFile(path)
	if errors.Is(layer.Err, fs.ErrNotExist) {
		layer.Err = nil
	}
	return layer
}

// Changed reports whether a layer's file has changed since it was read, by its
// modification time and size.
func (l Layer) Changed() bool {
	if l.File == "" {
		return false
	}
	info, err := os.Stat(l.File)
	if err != nil {
		return l.stamp != stamp{}
	}
	return l.stamp != stampOf(info)
}

// stamp identifies a version of a file. It is zero if there is no file.
type stamp struct {
	modified time.Time
	size     int64
}

func stampOf(info fs.FileInfo) stamp { return stamp{info.ModTime(), info.Size()} }

// FromEnvironment returns the layer of the environment variables PLOKE_BASE_URL,
// PLOKE_API_KEY and PLOKE_MODEL.
func FromEnvironment(getenv func(string) string) Layer {
	url, model := getenv("PLOKE_BASE_URL"), getenv("PLOKE_MODEL")
	layer := Layer{Source: "the environment", Values: map[string]any{"model": model}}
	if url == "" {
		return layer
	}
	provider := map[string]any{"type": "openai", "baseUrl": url}
	if getenv("PLOKE_API_KEY") != "" {
		provider["apiKeyEnv"] = "PLOKE_API_KEY"
	}
	layer.Values = map[string]any{"model": "env/" + model, "providers": map[string]any{"env": provider}}
	return layer
}
