package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
)

// writePredictions writes what each view of a set found to a file in JSON lines.
func (s *set) writePredictions(dir string, all []*outcome) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for v, view := range s.views {
		var lines bytes.Buffer
		for _, o := range all {
			if err := json.NewEncoder(&lines).Encode(o.views[v].ranking); err != nil {
				return err
			}
		}
		name := strings.ReplaceAll(s.name+" "+view.name, " ", "-") + ".jsonl"
		if err := os.WriteFile(filepath.Join(dir, name), lines.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}
