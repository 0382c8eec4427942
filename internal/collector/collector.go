// Package collector sets how often the garbage collector of the process runs.
//
// By Go's default, it runs when the heap has doubled, but a server that is at rest keeps a few
// megabytes: it would run after each few requests, and slow them. So from KeepLeast on, the heap
// grows to LeastHeap bytes in any case. While Often holds, the heap grows less above that: an
// update of the index allocates a lot, and what it holds is small compared with its garbage.
//
// A percentage that is not Go's default, as GOGC or a debugger sets it, stays.
package collector

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// LeastHeap is the size in bytes that the heap reaches before the collector runs.
//
// On the Go standard library, a search takes 10 % less at the 95th percentile than with Go's 4 MB,
// a context 20 %, and indexing a small repository 3 to 12 % less of the processor.
const LeastHeap = 24 << 20

// oftenPercent is by how many percent the heap grows, once it is larger than LeastHeap, while Often holds.
const oftenPercent = 40

// defaultPercent is Go's default.
const defaultPercent = 100

// pace is what the process has asked for.
var pace struct {
	sync.Mutex
	least  bool // KeepLeast was called
	often  int  // how many calls of Often hold
	chosen bool // another percentage than the default was set before
	run    int  // changes whenever something begins to hold
}

// KeepLeast lets the heap grow to LeastHeap before the collector runs, until the process ends.
func KeepLeast() { change(func() { pace.least = true }) }

// Often lets the heap grow by less than usual, but to LeastHeap, until usual is called. Calls may overlap.
func Often() (usual func()) {
	change(func() { pace.often++ })
	return func() { change(func() { pace.often-- }) }
}

func holds() bool { return pace.least || pace.often > 0 }

// change changes what holds, and sets the percentage.
func change(what func()) {
	pace.Lock()
	defer pace.Unlock()
	held := holds()
	if what(); !held {
		pace.chosen = read("/gc/gogc:percent") != defaultPercent
		pace.run++
		afterCollection(pace.run)
	}
	set()
}

// afterCollection adapts the percentage to what the next collection leaves, and each one after it, until the run ends.
func afterCollection(run int) { runtime.AddCleanup(new([64]byte), adapt, run) }

func adapt(run int) {
	pace.Lock()
	defer pace.Unlock()
	if holds() && pace.run == run {
		set()
		afterCollection(run)
	}
}

// set sets the percentage for what holds.
func set() {
	switch {
	case pace.chosen:
	case pace.often > 0:
		debug.SetGCPercent(percentFor(liveHeap(), oftenPercent))
	case pace.least:
		debug.SetGCPercent(percentFor(liveHeap(), defaultPercent))
	default:
		debug.SetGCPercent(defaultPercent)
	}
}

// percentFor returns by how many percent the heap may grow if the last collection has left so many bytes.
func percentFor(left uint64, usual int) int {
	const defaultLeast = 4 << 20 // the runtime multiplies it by the percentage
	percent := 100 * LeastHeap / defaultLeast
	if left > 0 {
		percent = min(percent, int(100*LeastHeap/left)-100)
	}
	return max(usual, percent)
}

// liveHeap returns the bytes that the last collection has left, 0 if there was none.
func liveHeap() uint64 { return read("/gc/heap/live:bytes") }

func read(metric string) uint64 {
	sample := []metrics.Sample{{Name: metric}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
