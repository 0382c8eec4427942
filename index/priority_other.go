//go:build !linux

package index

import "runtime"

// yieldToOthers keeps the calling goroutine on a thread of its own. The priority of
// single threads can't be set portably.
func yieldToOthers() { runtime.LockOSThread() }
