package edits

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
)

// Stage adds the batch to the turn's undecided proposal, or begins a new one, and returns the
// complete proposal. The caller must not change it. If the batch takes back the last change of the proposal, the proposal is
// withdrawn. Without a RequestID each batch is a proposal of its own. Files are named as in the
// turn's View: a file that the proposal renames is edited under its new path. In a file whose
// lines all end in CRLF, the edits get CRLF, too.
//
// Batches of a turn that wait at the same time are stored together, so that a proposal of many
// batches is not stored once for each. Each batch is still staged or refused by itself.
//
// Stage returns a *StaleError if an operation was not made against what the turn's View serves
// now, an *OverlapError if edits of one file overlap, and a *RefusedError if the batch makes no
// sense.
func (m *Manager) Stage(ctx context.Context, b Batch) (*Proposal, error) {
	w := &waitingBatch{Batch: b, ctx: ctx}
	m.waiting.add(w)
	m.mu.Lock()
	defer m.mu.Unlock()
	if !w.taken { // by a call that had the lock before
		m.stageAll(m.waiting.takeTurnOf(w))
	}
	return w.staged, w.err
}

// waitingBatch is a call of Stage.
type waitingBatch struct {
	Batch
	ctx    context.Context
	taken  bool
	staged *Proposal // the result, or
	err    error
}

// waitingBatches are the calls of Stage that nobody has begun to stage, in their order.
type waitingBatches struct {
	mu  sync.Mutex
	all []*waitingBatch
}

func (q *waitingBatches) add(w *waitingBatch) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.all = append(q.all, w)
}

// takeTurnOf removes w and the other batches of its turn, and returns them.
func (q *waitingBatches) takeTurnOf(w *waitingBatch) (taken []*waitingBatch) {
	q.mu.Lock()
	defer q.mu.Unlock()
	var rest []*waitingBatch
	for _, other := range q.all {
		if other == w || w.RequestID != "" && other.RequestID == w.RequestID {
			other.taken = true
			taken = append(taken, other)
		} else {
			rest = append(rest, other)
		}
	}
	q.all = rest
	return taken
}

// stageAll stages batches of one turn in their order, as if each was staged alone. The caller
// holds m.mu.
func (m *Manager) stageAll(batches []*waitingBatch) {
	for len(batches) > 0 {
		ctx, stop := whileAnyWaits(batches)
		done, err := m.stageOnOne(ctx, batches)
		stop()
		switch {
		case errors.Is(err, errRaced):
			continue
		case err != nil:
			fail(batches, err)
			return
		}
		batches = batches[done:]
	}
}

// stageOnOne stages the first batches: all that the turn's current proposal takes. It stores the
// proposal once, and returns how many batches it has staged or refused.
func (m *Manager) stageOnOne(ctx context.Context, batches []*waitingBatch) (done int, err error) {
	waiting, err := m.Waiting(ctx, batches[0].turn())
	if err != nil {
		return 0, err
	}
	before, err := m.amendedBy(waiting, batches[0])
	if err != nil {
		batches[0].err = err
		return 1, nil
	}
	same := 1
	for ; same < len(batches); same++ {
		if p, err := m.amendedBy(waiting, batches[same]); p != before || err != nil {
			break
		}
	}
	p, done := m.stageEach(before, batches[:same])
	if p == before {
		return done, nil
	}
	if err := m.save(ctx, p); err != nil {
		return 0, err
	}
	m.keepViewed(p) // else the turn's next edit decodes the whole proposal
	m.onChange(p.clone())
	return done, nil
}

// amendedBy returns which of the waiting proposals the batch amends: the one with changes of its files,
// else the turn's own. It returns nil if the batch begins a proposal.
func (m *Manager) amendedBy(waiting []*Proposal, w *waitingBatch) (amended *Proposal, err error) {
	for _, p := range waiting {
		switch {
		case !m.concerns(p, w.Operations):
		case amended != nil:
			return nil, refuse("one proposal that waits has changes of some of these files, and another one of the others; edit them in separate calls")
		default:
			amended = p
		}
	}
	if amended == nil && len(waiting) > 0 && waiting[0].RequestID == w.RequestID {
		amended = waiting[0]
	}
	return amended, nil
}

// concerns reports whether p has undecided changes of files that the operations name.
func (m *Manager) concerns(p *Proposal, operations []Operation) bool {
	for _, d := range operations {
		for _, name := range []string{d.Path, d.To} {
			if name == "" {
				continue
			}
			if path, err := m.ws.Resolve(name); p.pending(name) != nil || err == nil && p.pending(path) != nil {
				return true
			}
		}
	}
	return false
}

// stageEach stages or refuses batches until one of them ends p. It returns what p has become, and
// the number of the batches.
func (m *Manager) stageEach(p *Proposal, batches []*waitingBatch) (_ *Proposal, done int) {
	for i, w := range batches {
		next, err := m.stage(w.ctx, p, w.Batch)
		if err != nil {
			w.staged, w.err = nil, err
			continue
		}
		p = next
		if p.has(Stale) {
			return p, i // the batch needs a new proposal
		}
		w.staged, w.err = p, nil
		if !p.waits() { // the batch has taken back what was left of it
			return p, i + 1
		}
	}
	return p, len(batches)
}

// fail makes err the result of the batches that were not refused.
func fail(batches []*waitingBatch, err error) {
	for _, w := range batches {
		if w.err == nil {
			w.staged, w.err = nil, err
		}
	}
}

// whileAnyWaits returns a context that ends when the contexts of all batches have ended.
func whileAnyWaits(batches []*waitingBatch) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(batches[0].ctx))
	var waiting atomic.Int64
	waiting.Add(int64(len(batches)))
	var stops []func() bool
	for _, w := range batches {
		stops = append(stops, context.AfterFunc(w.ctx, func() {
			if waiting.Add(-1) == 0 {
				cancel()
			}
		}))
	}
	return ctx, func() {
		for _, stop := range stops {
			stop()
		}
		cancel()
	}
}
