package collector

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"testing"

	"ploke-lsp/internal/testbed"
)

// percent returns the setting of the garbage collector.
func percent() int { return int(read("/gc/gogc:percent")) }

// setPercent sets it until the end of the test.
func setPercent(t *testing.T, percent int) {
	before := debug.SetGCPercent(percent)
	t.Cleanup(func() { debug.SetGCPercent(before) })
}

// reset forgets what the process has asked for at the end of the test.
func reset(t *testing.T) {
	t.Cleanup(func() { change(func() { pace.least, pace.often = false, 0 }) })
}

// TestOftenOverlaps overlaps calls, beside KeepLeast and alone.
func TestOftenOverlaps(t *testing.T) {
	setPercent(t, defaultPercent)
	reset(t)
	for _, least := range []bool{false, true} {
		if least {
			KeepLeast()
		}
		held := make([]byte, 2*LeastHeap)
		runtime.GC() // a large heap is left
		usual, other := Often(), Often()
		usual()
		if percent() != oftenPercent {
			t.Errorf("least %v: %d while one call holds, want %d", least, percent(), oftenPercent)
		}
		other()
		if percent() != defaultPercent {
			t.Errorf("least %v: %d after the calls, want %d", least, percent(), defaultPercent)
		}
		runtime.KeepAlive(held)
	}
}

// TestChosenPercentageStays sets other percentages before, as GOGC does.
func TestChosenPercentageStays(t *testing.T) {
	for _, chosen := range []int{-1, 0, 50, 400} {
		setPercent(t, chosen)
		usual := Often()
		if percent() != chosen {
			t.Errorf("%d has become %d", chosen, percent())
		}
		usual()
		if percent() != chosen {
			t.Errorf("%d has become %d afterwards", chosen, percent())
		}
	}
}

// TestAdapts lets the collector find a large heap, then a small one.
func TestAdapts(t *testing.T) {
	setPercent(t, defaultPercent)
	reset(t)
	KeepLeast()
	awaitLarge := func(large bool) {
		t.Helper()
		testbed.Eventually(t, func() bool { runtime.GC(); return (percent() == defaultPercent) == large },
			func() string {
				return fmt.Sprintf("the percentage is %d, while the heap is large: %v", percent(), large)
			})
	}
	garbage = make([]byte, 2*LeastHeap) // not in a local variable, of which the compiler may leave a copy on the stack
	awaitLarge(true)
	garbage = nil
	awaitLarge(false)
}

// garbage is where a test allocates to.
var garbage []byte

// TestKeepLeast allocates less than LeastHeap. The collector does not run.
func TestKeepLeast(t *testing.T) {
	setPercent(t, defaultPercent)
	reset(t)
	KeepLeast()
	runtime.GC()
	runtime.GC() // the first one's cleanups may run after it
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range LeastHeap / 2 >> 10 {
		garbage = make([]byte, 1<<10)
	}
	if runtime.ReadMemStats(&after); after.NumGC != before.NumGC {
		t.Errorf("the collector ran %d times", after.NumGC-before.NumGC)
	}
}

// TestCollectionAfterTheEnd collects after a call has ended, and when another holds, which changes nothing.
func TestCollectionAfterTheEnd(t *testing.T) {
	setPercent(t, defaultPercent)
	Often()()
	ended := pace.run
	if adapt(ended); percent() != defaultPercent {
		t.Errorf("%d after the end, want %d", percent(), defaultPercent)
	}
	usual := Often()
	defer usual()
	debug.SetGCPercent(101)
	if adapt(ended); percent() != 101 {
		t.Errorf("a run that has ended changed the percentage to %d", percent())
	}
}

// TestPercentFor multiplies what a collection leaves by the percentage: the heap reaches LeastHeap before the next one.
func TestPercentFor(t *testing.T) {
	for left, want := range map[uint64]int{0: 600, 1 << 20: 600, 6 << 20: 300, 12 << 20: 100, 20 << 20: oftenPercent, 1 << 30: oftenPercent} {
		if got := percentFor(left, oftenPercent); got != want {
			t.Errorf("%d %% if %d bytes are left, want %d %%", got, left, want)
		}
	}
}
