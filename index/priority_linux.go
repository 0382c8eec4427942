package index

import (
	"runtime"
	"syscall"
)

// indexingPriority is the niceness of threads that index: whoever types goes first.
const indexingPriority = 10

// yieldToOthers lowers the priority of the calling goroutine until it ends, and its
// thread with it: it stays locked to the thread. That one goroutine stays on one
// thread also spares the C library an arena of memory for each thread.
func lowerPriority() {
	runtime.LockOSThread()
	// On Linux this is about the calling thread alone. Where it is refused, the
	// indexing only runs with the others.
	_ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, indexingPriority)
}
