package edits

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
)

// unstoredTurns has the turns for which Stage has something in memory that is not stored yet.
type unstoredTurns struct {
	mu  sync.Mutex
	all map[string]*unstoredTurn // by request id
}

// unstoredTurn is what the calls of Stage in one turn have in memory: groups of batches, in their
// order. A group builds on the one before it.
type unstoredTurn struct {
	requestID string
	calls     int // guarded by unstoredTurns.mu

	mu      sync.Mutex // held while a batch is staged
	groups  []*batchGroup
	visible atomic.Pointer[[]*Proposal] // of the groups
}

// batchGroup is a group of batches that are stored together.
type batchGroup struct {
	proposal *Proposal // with all batches; shared, never modified
	replaces int64     // the version of the stored row
	stored   []*Change // the changes of that version, if they are known
	batches  []*waitingBatch
	taken    bool // it is being stored
}

// waitingBatch is a call of Stage.
type waitingBatch struct {
	Batch
	ctx    context.Context
	group  *batchGroup // the last one with the batch; nil if it is not in memory any more
	staged *Proposal   // the result, or
	err    error
}

// enter returns the memory of a turn, which lives until as many calls have left it. Batches without
// a turn share none.
func (u *unstoredTurns) enter(requestID string) *unstoredTurn {
	if requestID == "" {
		return &unstoredTurn{}
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	t := u.all[requestID]
	if t == nil {
		t = &unstoredTurn{requestID: requestID}
		u.all[requestID] = t
	}
	t.calls++
	return t
}

func (u *unstoredTurns) leave(t *unstoredTurn) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if t.calls--; t.calls == 0 {
		delete(u.all, t.requestID)
	}
}

// visible returns the turn's proposals in memory, the newest last. Another version of the first
// one may be stored. The caller must not modify them.
func (u *unstoredTurns) visible(requestID string) []*Proposal {
	u.mu.Lock()
	t := u.all[requestID]
	u.mu.Unlock()
	if t == nil {
		return nil
	}
	if ps := t.visible.Load(); ps != nil {
		return *ps
	}
	return nil
}

// put makes p, which is before with w, the turn's last proposal. It joins the last group, unless that
// is being stored, or its proposal takes no more batches.
func (t *unstoredTurn) put(before, p *Proposal, w *waitingBatch) {
	var g *batchGroup
	if n := len(t.groups); n > 0 {
		g = t.groups[n-1]
	}
	if g == nil || g.taken || g.proposal != before {
		g = &batchGroup{replaces: p.updatedAt, stored: p.stored}
		t.groups = append(t.groups, g)
		if before != nil {
			p.unsaved = p.unsaved[len(before.unsaved):] // the group before stores the others
		}
	}
	g.proposal, g.batches = p, append(g.batches, w)
	w.group = g
	t.show()
}

func (t *unstoredTurn) show() {
	var ps []*Proposal
	for _, g := range t.groups {
		ps = append(ps, g.proposal)
	}
	t.visible.Store(&ps)
}

// take closes the first group and returns it, the proposal to store, and all batches that wait
// for it.
func (t *unstoredTurn) take() (g *batchGroup, p *Proposal, waiting []*waitingBatch) {
	t.mu.Lock()
	defer t.mu.Unlock()
	g = t.groups[0]
	g.taken = true
	p = g.proposal.shallowClone() // storing modifies it
	p.updatedAt, p.stored = g.replaces, g.stored
	return g, p, t.batches()
}

// batches returns the batches of all groups, in their order.
func (t *unstoredTurn) batches() (all []*waitingBatch) {
	for _, g := range t.groups {
		for _, w := range g.batches {
			if w.group == g { // else it follows with a later group
				all = append(all, w)
			}
		}
	}
	return all
}

// stored removes the first group, which is stored as p.
func (t *unstoredTurn) stored(g *batchGroup, p *Proposal) {
	for _, w := range g.batches {
		if w.group == g {
			w.group = nil
		}
	}
	t.groups = slices.Clone(t.groups[1:])
	for _, next := range t.groups {
		if next.proposal.ID == p.ID {
			next.replaces, next.stored = p.updatedAt, p.stored
		}
	}
	t.show()
}

// clear removes all groups and returns their batches, in their order, without their results.
func (t *unstoredTurn) clear() []*waitingBatch {
	all := t.batches()
	for _, w := range all {
		w.group, w.staged, w.err = nil, nil, nil
	}
	t.groups = nil
	t.show()
	return all
}
