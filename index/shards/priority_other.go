//go:build !linux

package shards

import "runtime"

// lowerPriority locks the calling goroutine to its thread. There is no portable way to set
// the priority of a single thread.
func lowerPriority() { runtime.LockOSThread() }
