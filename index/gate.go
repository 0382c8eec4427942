package index

import (
	"context"
	"sync"
	"time"
)

// gate holds the indexing of files up while it is closed.
type gate struct {
	mu     sync.Mutex
	opened chan struct{} // closed when the gate opens; nil while it is open
	since  time.Time     // when it was closed
	stood  time.Duration // for how long it was closed, in all
}

func (g *gate) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.opened == nil {
		g.opened, g.since = make(chan struct{}), time.Now()
	}
}

func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.opened != nil {
		close(g.opened)
		g.stood += time.Since(g.since)
		g.opened = nil
	}
}

func (g *gate) closed() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.opened != nil
}

// standing is for how long the gate has been closed up to now.
func (g *gate) standing() time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.opened != nil {
		return g.stood + time.Since(g.since)
	}
	return g.stood
}

// wait returns when the gate is open; it fails when ctx ends.
func (g *gate) wait(ctx context.Context) error {
	g.mu.Lock()
	opened := g.opened
	g.mu.Unlock()
	if opened == nil {
		return ctx.Err()
	}
	select {
	case <-opened:
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}
