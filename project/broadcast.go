package project

import (
	"context"
	"sync"
	"time"
)

// A broadcast wakes everyone who waits for a change. The zero value is ready.
type broadcast struct {
	mu      sync.Mutex
	changed chan struct{} // closed and replaced by each change; nil while nobody waits
}

func (b *broadcast) announce() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.changed != nil {
		close(b.changed)
		b.changed = nil
	}
}

// next returns a channel that is closed at the next change.
func (b *broadcast) next() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.changed == nil {
		b.changed = make(chan struct{})
	}
	return b.changed
}

// await waits until condition is true, which it checks after each change. It
// returns false if ctx ends or the timeout passes first.
func (b *broadcast) await(ctx context.Context, timeout time.Duration, condition func() bool) bool {
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	for {
		changed := b.next()
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
