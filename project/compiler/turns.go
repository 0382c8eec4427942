package compiler

import (
	"context"
	"slices"
	"sync"
)

// turns lets what needs a server with the same texts run side by side, and what needs it with others one after the
// other, in the order in which it came.
type turns struct {
	mu      sync.Mutex
	key     string // of those that run
	running int
	waiting []*turn
}

// turn is one that waits.
type turn struct {
	key   string
	begun chan struct{} // closed when it may run
}

// alone is the key of what runs beside nothing else.
const alone = ""

// enter waits until a server may have the texts of a key. leave must be called unless it fails, which it does once ctx
// ends.
func (t *turns) enter(ctx context.Context, key string) error {
	t.mu.Lock()
	one := &turn{key, make(chan struct{})}
	t.waiting = append(t.waiting, one)
	t.next()
	t.mu.Unlock()
	select {
	case <-one.begun:
		return nil
	case <-ctx.Done():
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if at := slices.Index(t.waiting, one); at >= 0 {
		t.waiting = slices.Delete(t.waiting, at, at+1)
	} else {
		t.running-- // it has begun meanwhile
	}
	t.next()
	return ctx.Err()
}

// next lets those run that may. mu is held.
func (t *turns) next() {
	for len(t.waiting) > 0 {
		first := t.waiting[0]
		if t.running > 0 && (first.key == alone || first.key != t.key) {
			return
		}
		t.key, t.waiting = first.key, t.waiting[1:]
		t.running++
		close(first.begun)
	}
}

func (t *turns) leave() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.running--
	t.next()
}
