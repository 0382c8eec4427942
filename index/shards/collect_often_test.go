package shards

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"runtime/metrics"
	"testing"

	"ploke-lsp/internal/workspace"
)

// gcPercent returns the setting of the garbage collector.
func gcPercent() int {
	percent := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(percent)
	return int(percent[0].Value.Uint64())
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
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	usual, during := gcPercent(), map[int]bool{}
	if _, err := x.Update(t.Context(), func(p Progress) {
		if p.Files > 0 && p.Files < p.TotalFiles {
			during[gcPercent()] = true
		}
	}); err != nil {
		t.Fatal(err)
	}
	if len(during) == 0 || during[usual] {
		t.Errorf("the percentages were %v during the update, and %d before", during, usual)
	}
	if now := gcPercent(); now != usual {
		t.Errorf("the percentage is %d after the update, and was %d", now, usual)
	}
}
