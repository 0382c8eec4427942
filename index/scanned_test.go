package index_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"ploke-lsp/index"
	"ploke-lsp/internal/workspace"
)

// TestScannedAt asks when the folder was last compared with the index, as an earlier process left it. What
// says so may be damaged, and may be for other options: then it counts as never.
func TestScannedAt(t *testing.T) {
	root, state := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "a.go"), []byte("package a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	with := func(o workspace.Options, do func(x *index.Index)) time.Time {
		t.Helper()
		w, err := workspace.New([]string{root}, o)
		if err != nil {
			t.Fatal(err)
		}
		x, err := index.Open(t.Context(), w, index.Options{Dir: func(string) string { return state }})
		if err != nil {
			t.Fatal(err)
		}
		defer x.Close()
		do(x)
		return x.ScannedAt()
	}
	update := func(x *index.Index) {
		if _, err := x.Update(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
	}
	nothing := func(*index.Index) {}
	if at := with(workspace.Options{}, nothing); !at.IsZero() {
		t.Errorf("before the first scan: %v", at)
	}
	before := time.Now()
	first := with(workspace.Options{}, update)
	if first.Before(before.Add(-time.Second)) || first.After(time.Now()) { // of the file system's precision
		t.Errorf("after a scan at %v: %v", before, first)
	}
	if at := with(workspace.Options{}, nothing); !at.Equal(first) {
		t.Errorf("in the next process: %v, not %v", at, first)
	}
	if at := with(workspace.Options{Exclude: []string{"gen"}}, nothing); !at.IsZero() {
		t.Errorf("with other options: %v", at)
	}
	mark := filepath.Join(state, "scanned")
	for _, text := range []string{"", "4194305 []\n", "damaged"} {
		if err := os.WriteFile(mark, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if at := with(workspace.Options{}, nothing); !at.IsZero() {
			t.Errorf("with the mark %q: %v", text, at)
		}
	}
	if at := with(workspace.Options{}, update); at.Before(first) {
		t.Errorf("after another scan: %v", at)
	}
}
