package session

import (
	"context"
	"errors"
	"testing"
)

// A turn that was stopped while it waited does not start, even if the turn
// before it ends at the same moment.
func TestStoppedTurnDoesNotStart(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	turn := &Turn{ctx: ctx, first: make(chan struct{})}
	close(turn.first)
	if err := turn.waitInLine(); err != nil {
		t.Errorf("the first in line: %v", err)
	}
	cancel()
	for range 50 { // a select picks at random
		if err := turn.waitInLine(); !errors.Is(err, context.Canceled) {
			t.Fatalf("a stopped one: %v", err)
		}
	}
}
