package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"ploke-lsp/index"
)

// results are the figures of a run, as they are kept.
type results struct {
	Commit  string          `json:"commit"` // of ploke-lsp
	Date    time.Time       `json:"date"`
	Without []index.Channel `json:"without,omitempty"` // disabled channels
	Vectors string          `json:"vectors,omitempty"` // the model that made them
	Sets    []summary       `json:"sets"`
}

// write writes the results to a file that has the commit as its name.
func (r results) write(dir string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, r.Commit+".json"), append(text, '\n'), 0o644)
}
