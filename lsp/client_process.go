package lsp

import (
	"context"
	"os"
	"time"
)

// pollInterval is how often the client's process is looked at.
const pollInterval = 500 * time.Millisecond

// findProcess returns the running process with an id, or nil if there is none in sight:
// the client may run on another machine or outside of this container. Where the system
// has handles of processes, a later process with the same id is not mistaken for it.
func findProcess(id int) *os.Process {
	if id <= 0 {
		return nil
	}
	process, err := os.FindProcess(id)
	if err != nil || hasEnded(process) {
		return nil
	}
	return process
}

// awaitEnd waits until a process has ended, or ctx ends, and reports which.
func awaitEnd(ctx context.Context, process *os.Process) (ended bool) {
	defer process.Release()
	ticker := time.NewTicker(pollInterval)
	defer ticker.Stop()
	for !hasEnded(process) {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return false
		}
	}
	return true
}
