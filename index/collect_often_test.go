package index

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"

	"ploke-lsp/internal/workspace"
)

// gcPercent returns the setting of the garbage collector.
func gcPercent() int {
	percent := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(percent)
	return int(percent[0].Value.Uint64())
}

// TestCollectOften overlaps updates.
func TestCollectOften(t *testing.T) {
	usual := debug.SetGCPercent(-1)
	defer debug.SetGCPercent(usual)
	off := gcPercent() // as the runtime reports it
	for _, c := range []struct{ before, during int }{{100, percentFor(liveHeap())}, {50, 50}, {0, 0}, {-1, off}} {
		debug.SetGCPercent(c.before)
		before := gcPercent()
		first := collectOften()
		second := collectOften()
		first()
		if got := gcPercent(); got != c.during {
			t.Errorf("%d during an update, want %d", got, c.during)
		}
		second()
		if got := gcPercent(); got != before {
			t.Errorf("%d after all updates, want %d", got, before)
		}
	}
}

// TestCollectionAdapts lets the collector find a large heap during an update, then a small one.
func TestCollectionAdapts(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	usual := collectOften()
	defer usual()
	held := make([]byte, 2*leastHeap)
	for _, large := range []bool{true, false} {
		if !large {
			held = nil
		}
		for deadline := time.Now().Add(10 * time.Second); (gcPercent() == collectPercent) != large; runtime.Gosched() {
			if time.Now().After(deadline) {
				t.Fatalf("the percentage is %d, while the heap is large: %v", gcPercent(), large)
			}
			runtime.GC()
		}
		runtime.KeepAlive(held)
	}
}

// TestCollectionAfterUpdate collects after an update has ended, and when another has begun, which changes nothing.
func TestCollectionAfterUpdate(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	collectOften()()
	ended := oftenCollected.run
	if adapt(ended); gcPercent() != 100 {
		t.Errorf("%d after an update, want 100", gcPercent())
	}
	usual := collectOften()
	defer usual()
	debug.SetGCPercent(101)
	if adapt(ended); gcPercent() != 101 {
		t.Errorf("an update that has ended changed the percentage to %d", gcPercent())
	}
}

// TestPercentFor multiplies what a collection leaves by the percentage: the heap reaches leastHeap before the next one.
func TestPercentFor(t *testing.T) {
	for left, want := range map[uint64]int{0: 600, 1 << 20: 600, 6 << 20: 300, 12 << 20: 100, 20 << 20: collectPercent, 1 << 30: collectPercent} {
		if got := percentFor(left); got != want {
			t.Errorf("%d %% if %d bytes are left, want %d %%", got, left, want)
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
	defer debug.SetGCPercent(debug.SetGCPercent(2 * 100 * leastHeap / (4 << 20))) // no update chooses it
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
