// Package wake wakes goroutines: the one that reads a channel, or all that wait for a change.
//
// Who wakes never waits, and nothing is lost: who is woken late finds what has changed since.
package wake

import (
	"context"
	"sync"
	"time"
)

// A Broadcast wakes everyone who waits for a change. The zero value is ready.
type Broadcast struct {
	mu      sync.Mutex
	changed chan struct{} // closed and replaced by each change; nil while no goroutine waits
}

// Announce wakes everyone who waits.
func (b *Broadcast) Announce() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.changed != nil {
		close(b.changed)
		b.changed = nil
	}
}

// Next returns a channel that is closed at the next change.
func (b *Broadcast) Next() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.changed == nil {
		b.changed = make(chan struct{})
	}
	return b.changed
}

// Await waits until condition is true, which it checks after each change. It
// returns false if ctx ends or the timeout passes first.
func (b *Broadcast) Await(ctx context.Context, timeout time.Duration, condition func() bool) bool {
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	for {
		changed := b.Next()
		if condition() {
			return true
		}
		select {
		case <-changed:
		case <-timer.C:
			return condition()
		case <-ctx.Done():
			return false
		}
	}
}

// Up wakes the reader of a channel with capacity 1.
func Up(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
