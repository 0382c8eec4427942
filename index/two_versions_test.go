package index_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ploke-lsp/index"
)

// TestANewerProgramTakesTheIndexOver replaces the index as a newer program with another format does, while this one
// has it open. This one must not build its own over it.
func TestANewerProgramTakesTheIndexOver(t *testing.T) {
	newer, p := open(t, sample), open(t, sample)
	newer.update()
	if err := newer.index.Close(); err != nil {
		t.Fatal(err)
	}
	setVersion(t, newer, 1000)
	before, err := os.ReadFile(filepath.Join(newer.state, "index.db"))
	if err != nil {
		t.Fatal(err)
	}
	p.update()
	for _, pattern := range []string{"index.db*", "postings-*"} {
		files, err := filepath.Glob(filepath.Join(p.state, pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %q, %v", pattern, files, err)
		}
		for _, file := range files {
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.WriteFile(filepath.Join(p.state, "index.db"), before, 0o600); err != nil {
		t.Fatal(err)
	}
	p.write("new.go", "package p\n\nfunc New() {}\n")
	for range 2 {
		if _, err := p.index.Update(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "newer ploke-lsp") {
			t.Errorf("an update of a newer program's index: %v", err)
		}
	}
	if x, err := index.Open(t.Context(), p.ws, p.options()); err == nil {
		x.Close()
		t.Error("the newer index was opened")
	}
	after, err := os.ReadFile(filepath.Join(p.state, "index.db"))
	if err != nil || string(after) != string(before) {
		t.Errorf("the newer index was changed, %v", err)
	}
}
