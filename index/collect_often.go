package index

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// collectPercent is by how many percent the heap grows before the garbage collector runs again, while an
// update parses many files. The collector takes 1 % of the processor time then. On the Go standard
// library the peak of memory is 35 MB less than with the usual 100 %, in the same time.
const collectPercent = 60

// leastHeap is the size in bytes that the heap reaches before the collector runs, while an update parses many files.
// Without it, the collector runs first at 2.4 MB, and twenty times up to this size: 3 to 12 % of the work on a small repository.
const leastHeap = 24 << 20

// oftenCollected counts the updates during which the garbage collector runs more often.
var oftenCollected struct {
	sync.Mutex
	updates int
	before  int // the percentage before the first of them
	run     int // changes whenever updates rises from 0
}

// collectOften lets the garbage collector of the process run more often, but not before the heap has leastHeap bytes, until
// usual is called, unless it runs more often anyway or is off. Updates may overlap.
func collectOften() (usual func()) {
	o := &oftenCollected
	o.Lock()
	defer o.Unlock()
	if o.updates++; o.updates == 1 {
		o.run++
		if o.before = debug.SetGCPercent(percentFor(liveHeap())); o.before < collectPercent {
			debug.SetGCPercent(o.before)
		} else {
			afterCollection(o.run)
		}
	}
	return func() {
		o.Lock()
		defer o.Unlock()
		if o.updates--; o.updates == 0 {
			debug.SetGCPercent(o.before)
		}
	}
}

// afterCollection adapts the percentage to what the next collection leaves, and each one after it, until the run ends.
func afterCollection(run int) { runtime.AddCleanup(new([64]byte), adapt, run) }

func adapt(run int) {
	o := &oftenCollected
	o.Lock()
	defer o.Unlock()
	if o.updates > 0 && o.run == run {
		debug.SetGCPercent(percentFor(liveHeap()))
		afterCollection(run)
	}
}

// percentFor returns by how many percent the heap may grow if the last collection has left so many bytes.
func percentFor(left uint64) int {
	const usualLeast = 4 << 20 // the runtime multiplies it by the percentage
	percent := 100 * leastHeap / usualLeast
	if left > 0 {
		percent = min(percent, int(100*leastHeap/left)-100)
	}
	return max(collectPercent, percent)
}

// liveHeap returns the bytes that the last collection has left, 0 if there was none.
func liveHeap() uint64 {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	return live[0].Value.Uint64()
}
