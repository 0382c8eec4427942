package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCommandsFailIfSettingsCannotBeRead runs each command that reads a project with files that are no settings, named and found.
func TestCommandsFailIfSettingsCannotBeRead(t *testing.T) {
	for name, settings := range map[string]string{"no TOML": "model = ", "another charset": "model = \"\xFC\"", "half UTF-16": "\xFF\xFEm"} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			path := filepath.Join(home, "ploke-lsp", "config.toml")
			if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(settings), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, command := range [][]string{{"ask", "what?"}, {"ask", "--config", path, "what?"}, {"ask", "--json", "what?"}, {"proposals"}, {"proposals", "accept", "x", "y"},
				{"index"}, {"search", "what"}, {"search", "--config", path, "what"}, {"symbol", "what"}, {"context", "what"}, {"edges", "what"}, {"outline", "a.go"}} {
				args := append([]string{command[0], "--state-dir", t.TempDir(), "--workspace", t.TempDir()}, command[1:]...)
				var errs bytes.Buffer
				code := run(t.Context(), args, environment{stdin: io.NopCloser(strings.NewReader("")), stdout: io.Discard, stderr: &errs,
					getenv: func(name string) string { return map[string]string{"XDG_CONFIG_HOME": home}[name] }})
				if code == 0 || !strings.Contains(errs.String(), "config.toml can't be read") {
					t.Errorf("%v: %d, %s", command, code, errs.String())
				}
			}
		})
	}
}
