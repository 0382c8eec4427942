package acp

import (
	"context"
	"sync"
)

// pathLocks are locks by path. The zero value is ready.
type pathLocks struct {
	mu   sync.Mutex
	held map[string]chan struct{} // closed when the lock is released
}

// lock waits for the lock of a path, until ctx ends.
func (l *pathLocks) lock(ctx context.Context, path string) (unlock func(), err error) {
	for {
		released, mine := l.try(path)
		if mine != nil {
			return mine, nil
		}
		select {
		case <-released:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// try takes the lock of a path, or else returns a channel that is closed when it is released.
func (l *pathLocks) try(path string) (released <-chan struct{}, unlock func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if held, busy := l.held[path]; busy {
		return held, nil
	}
	if l.held == nil {
		l.held = map[string]chan struct{}{}
	}
	mine := make(chan struct{})
	l.held[path] = mine
	return nil, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.held, path)
		close(mine)
	}
}
