package mcp_test

import (
	"os"
	"path/filepath"
	"testing"

	"ploke-lsp/internal/config"
	"ploke-lsp/mcp"
	"ploke-lsp/project"
)

// TestNothingIsHandedOverWithUnreadableSettings refuses calls until the person has corrected the file, and says why.
func TestNothingIsHandedOverWithUnreadableSettings(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(file, []byte("[index]\nexclude = [\"greet.go\""), 0o600); err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, func(o *mcp.Options) { o.Project.Settings = project.NewSettings(config.OptionalFile(file)) })
	c := w.connect(nil)
	for name, arguments := range map[string]map[string]any{"read": {"file": "greet.go"}, "symbol": {"name": "Hello"}, "status": nil, "edit": edit("greet.go", "hello", "hi")} {
		text, _, failed := c.try(name, arguments)
		if !failed {
			t.Errorf("%s is answered: %s", name, text)
		}
		contains(t, text, "config.toml can't be read")
	}
	if err := os.WriteFile(file, []byte("[index]\nexclude = []\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	text, _ := c.call("read", map[string]any{"file": "greet.go"})
	contains(t, text, "func Hello")
}
