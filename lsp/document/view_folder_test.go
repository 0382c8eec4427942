package document

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ploke-lsp/internal/testbed"
)

// TestAPlantedViewIsNotRead has a workspace that holds what is no document where the server keeps its own.
func TestAPlantedViewIsNotRead(t *testing.T) {
	f := folder{workspace: t.TempDir()}
	f.path = filepath.Join(f.workspace, viewsInWorkspace)
	if _, _, err := f.create("chat.md", "# Chat\n"); err != nil {
		t.Fatal(err)
	}
	if text, err := f.read("chat.md"); text != "# Chat\n" || err != nil {
		t.Errorf("a document: %q, %v", text, err)
	}
	testbed.Need(t, "named pipes in folders", testbed.NamedPipe(filepath.Join(f.path, "pipe.md")))
	if err := os.WriteFile(filepath.Join(f.path, "sparse.md"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(f.path, "sparse.md"), 3<<30); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"pipe.md", "sparse.md"} {
		if text, err := f.read(name); err == nil || !strings.Contains(err.Error(), "not a regular file") {
			t.Errorf("%s: %d bytes, %v", name, len(text), err)
		}
	}
}

// TestFromHome shortens what is in the home folder, and nothing beside it.
func TestFromHome(t *testing.T) {
	home := filepath.Join(t.TempDir(), "me")
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home) // on Windows
	for path, want := range map[string]string{
		filepath.Join(home, "w", ".ploke", "chat.ploke.md"): "~/w/.ploke/chat.ploke.md",
		home + "-too":              home + "-too",
		filepath.Join(home, "..x"): "~/..x",
		filepath.Dir(home):         filepath.Dir(home),
	} {
		if got := fromHome(path); got != want {
			t.Errorf("%s is shown as %s, want %s", path, got, want)
		}
	}
}
