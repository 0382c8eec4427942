package lsp

import (
	"context"
	"os"
	"time"
)

// pollInterval is how often the client's process is looked at.
const pollInterval = 500 * time.Millisecond

// awaitEnd waits until the process with an id has ended, or ctx ends, and reports which.
// A process that can't be seen at the start is not waited for: the client may run on
// another machine or outside of this container. Where the system has handles of
// processes, another process that gets the same id later is not mistaken for it.
func awaitEnd(ctx context.Context, id int) (ended bool) {
	if id <= 0 {
		return false
	}
	process, err := os.FindProcess(id)
	if err != nil {
		return false
	}
	defer process.Release()
	if hasEnded(process) {
		return false
	}
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
