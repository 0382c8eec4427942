package lsp

import (
	"context"
	"time"

	"ploke-lsp/internal/lease"
)

// pollInterval is how often the client's process is looked at.
const pollInterval = 500 * time.Millisecond

// awaitEnd waits until a process has ended, or ctx ends, and reports which.
func awaitEnd(ctx context.Context, process lease.Process) (ended bool) {
	ticker := time.NewTicker(pollInterval)
	defer ticker.Stop()
	for process.Lives() {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return false
		}
	}
	return true
}
