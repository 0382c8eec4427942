package indexing

import (
	"testing"
	"time"
)

// TestWaitingForTheFirstScan ends with the scan, with a pause, and at its time.
func TestWaitingForTheFirstScan(t *testing.T) {
	closed := make(chan struct{})
	close(closed)
	later := time.Now().Add(time.Hour)
	for name, test := range map[string]struct {
		firstScan, paused chan struct{}
		until             time.Time
	}{
		"scanned": {closed, make(chan struct{}), later},
		"paused":  {make(chan struct{}), closed, later},
		"late":    {make(chan struct{}), make(chan struct{}), time.Now().Add(-time.Second)},
	} {
		t.Run(name, func(t *testing.T) {
			(&Indexer{firstScan: test.firstScan, paused: test.paused}).AwaitFirst(t.Context(), test.until)
		})
	}
}
