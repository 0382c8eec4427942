package index

import (
	"context"
	"sync"
)

// gate holds the indexing of files up while it is closed.
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

// wait returns when the gate is open; it fails when ctx ends.
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

// Pause makes the indexing of files stand still until Resume: updates wait, those that
// run once the files at hand are done. Unsaved texts are indexed and searches are
// answered all the same, and other processes may index.
func (x *Index) Pause() { x.gate.close() }

// Resume lets the indexing go on.
func (x *Index) Resume() { x.gate.open() }
