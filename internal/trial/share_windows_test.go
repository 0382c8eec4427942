package trial_test

import (
	"os"
	"path/filepath"
	"testing"

	"ploke-lsp/internal/trial"
)

// TestACopyOnWindows has the texts of the folder, whether the disk can share blocks or not.
func TestACopyOnWindows(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{"a.txt": "a text", "empty": ""} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c, err := trial.NewCopy(folder, filepath.Join(t.TempDir(), "tree"))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Refresh(t.Context(), []string{"a.txt", "empty"}, 1<<20); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"a.txt": "a text", "empty": ""} {
		if got, err := c.Read(name, 1<<20); err != nil || string(got) != want {
			t.Errorf("%s reads %q, %v", name, got, err)
		}
	}
	if err := c.Remove(); err != nil {
		t.Error(err)
	}
}
