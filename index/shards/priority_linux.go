package shards

import (
	"runtime"
	"syscall"
)

// indexingPriority is the niceness of indexing threads, so that interactive work comes
// first.
const indexingPriority = 10

// lowerPriority lowers the priority of the calling goroutine's thread. The goroutine stays
// locked to the thread until it ends. This also saves memory: the C library keeps an arena
// for each thread that uses it.
func lowerPriority() {
	runtime.LockOSThread()
	// On Linux, this affects only the calling thread. If it fails, indexing runs at the
	// normal priority.
	_ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, indexingPriority)
}
