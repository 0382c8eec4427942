package index

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"

	"ploke-lsp/internal/workspace"
)

// gcPercent returns the setting of the garbage collector.
func gcPercent() int {
	percent := debug.SetGCPercent(100)
	debug.SetGCPercent(percent)
	return percent
}

// TestCollectOften overlaps updates.
func TestCollectOften(t *testing.T) {
	usual := gcPercent()
	defer debug.SetGCPercent(usual)
	for _, c := range []struct{ before, during int }{{100, collectPercent}, {50, 50}, {0, 0}, {-1, -1}} {
		debug.SetGCPercent(c.before)
		first := collectOften()
		second := collectOften()
		first()
		if got := gcPercent(); got != c.during {
			t.Errorf("%d during an update, want %d", got, c.during)
		}
		second()
		if got := gcPercent(); got != c.before {
			t.Errorf("%d after all updates, want %d", got, c.before)
		}
	}
}

// TestUpdateCollectsOften looks at the setting while files are parsed, and afterwards.
func TestUpdateCollectsOften(t *testing.T) {
	dir := t.TempDir()
	for i := range manyFiles {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("a%d.go", i)), []byte("package a\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ws, err := workspace.New([]string{dir}, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	state := t.TempDir()
	x, err := Open(t.Context(), ws, Options{Dir: func(string) string { return state }})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	usual, during := gcPercent(), map[int]bool{}
	if _, err := x.Update(t.Context(), func(p Progress) {
		if p.Files > 0 && p.Files < p.TotalFiles {
			during[gcPercent()] = true
		}
	}); err != nil {
		t.Fatal(err)
	}
	if !during[collectPercent] || len(during) > 1 {
		t.Errorf("the percentages were %v during the update, want %d", during, collectPercent)
	}
	if now := gcPercent(); now != usual {
		t.Errorf("the percentage is %d after the update, and was %d", now, usual)
	}
}
