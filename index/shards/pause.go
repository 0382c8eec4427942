package shards

import (
	"context"
	"sync"
)

// pauseGate holds up the indexing of files while it is closed.
type pauseGate struct {
	mu     sync.Mutex
	opened chan struct{} // closed when the gate opens; nil while it is open
}

func (g *pauseGate) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.opened == nil {
		g.opened = make(chan struct{})
	}
}

func (g *pauseGate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.opened != nil {
		close(g.opened)
		g.opened = nil
	}
}

func (g *pauseGate) closed() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.opened != nil
}

// wait returns nil once the gate is open, or the error of ctx.
func (g *pauseGate) wait(ctx context.Context) error {
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

// Pause stops the indexing of files until Resume. New updates wait; running updates stop
// after the current files. Unsaved texts are still indexed, searches still run, and other
// processes may index.
func (x *Set) Pause() { x.gate.close() }

// Resume continues the indexing of files.
func (x *Set) Resume() { x.gate.open() }
