package edits

import (
	"context"
	"errors"
	"sync/atomic"
)

// Staging adds what turns propose, and serves what they see. It is safe for concurrent use.
type Staging struct {
	*currentFiles
	unstored   unstoredTurns
	lastViewed atomic.Pointer[[2]*Proposal] // the latest proposals that a View has read or Stage has stored
}

// Stage adds the batch to the turn's undecided proposal, or begins a new one, and returns the
// complete proposal. The caller must not change it. If the batch takes back the last change of the
// proposal, the proposal is withdrawn. Without a RequestID each batch is a proposal of its own.
// Files are named as in the turn's View: a file that the proposal renames is edited under its new
// path. In a file whose lines all end in CRLF, the edits get CRLF, too.
//
// A batch is visible before it is stored: View serves it, and the next batch builds on it. Stage
// returns when it is stored. Batches of a turn that become visible while others are being stored
// are stored together, so that a proposal of many batches is not stored once for each. If that
// fails, the batches that build on them fail, too, and View serves what is stored. Each batch is
// still staged or refused by itself.
//
// Stage returns a *StaleError if an operation was not made against what the turn's View serves
// now, an *OverlapError if edits of one file overlap, and a *RefusedError if the batch makes no
// sense.
func (s *Staging) Stage(ctx context.Context, b Batch) (*Proposal, error) {
	t := s.unstored.enter(b.RequestID)
	defer s.unstored.leave(t)
	w := &waitingBatch{Batch: b, ctx: ctx}
	if waits, err := s.add(t, w); !waits {
		return nil, err
	} else if err == nil && b.Visible != nil {
		b.Visible()
	}
	s.proposals.mu.Lock()
	defer s.proposals.mu.Unlock()
	for w.group != nil {
		s.storeFirst(t)
	}
	return w.staged, w.err
}

// add stages a batch in memory. waits reports whether something is to be stored, which a refused
// batch may have caused, too: the last proposal may no longer fit.
func (s *Staging) add(t *unstoredTurn, w *waitingBatch) (waits bool, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s.stageInMemory(t, w)
	return w.group != nil, w.err
}

// stageInMemory stages or refuses a batch on top of what the turn sees. It begins a new proposal
// if the batch finds that the last one no longer fits. The caller holds t.mu.
func (s *Staging) stageInMemory(t *unstoredTurn, w *waitingBatch) {
	for {
		before, err := s.amendedBy(w)
		if err != nil {
			w.err = err
			return
		}
		p, err := s.stage(w.ctx, before, w.Batch)
		if err != nil {
			w.err = err
			return
		}
		t.put(before, p, w)
		if !p.has(Stale) {
			w.staged = p
			return
		}
	}
}

// amendedBy returns which of the waiting proposals a batch amends: the one with changes of its files,
// else the turn's own. It returns nil if the batch begins a proposal.
func (s *Staging) amendedBy(w *waitingBatch) (amended *Proposal, err error) {
	waiting, err := s.Waiting(w.ctx, w.turn())
	if err != nil {
		return nil, err
	}
	for _, p := range waiting {
		switch {
		case !s.concerns(p, w.Operations):
		case amended != nil:
			return nil, refuse("one proposal that waits has changes of some of these files, and another one of the others; " +
				"edit them in separate calls")
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
func (s *Staging) concerns(p *Proposal, operations []Operation) bool {
	for _, d := range operations {
		for _, name := range []string{d.Path, d.To} {
			if name == "" {
				continue
			}
			if path, err := s.ws.Resolve(name); s.pending(p, name) != nil || err == nil && s.pending(p, path) != nil {
				return true
			}
		}
	}
	return false
}

// storeFirst stores the turn's first group. The caller holds m.mu.
func (s *Staging) storeFirst(t *unstoredTurn) {
	g, p, waiting := t.take()
	ctx, stop := whileAnyWaits(waiting)
	err := s.proposals.save(ctx, p)
	if err != nil && ctx.Err() != nil {
		err = errNoneWaits
	}
	stop()
	s.endStoring(t, g, p, err)
	if err == nil {
		s.proposals.onChange(p.clone())
	}
}

// errNoneWaits says that the calls whose batches were to be stored have ended.
var errNoneWaits = errors.New("no call waits for the proposal any more")

// endStoring ends the storing of the turn's first group as p. Batches that could not be stored because
// the proposal was changed, or because their calls have ended, are staged again or refused.
//
// A group builds on the one before it, so if one can't be stored, none behind it can. All groups are
// taken apart, and each batch is staged once more, in the order of the calls, on what is stored now. A
// batch whose call has ended is refused by that, and the others no longer depend on it.
func (s *Staging) endStoring(t *unstoredTurn, g *batchGroup, p *Proposal, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case err == nil:
		p.stored = p.Changes
		s.keepViewed(p) // else the turn's next edit decodes the whole proposal
		t.stored(g, p)
	case errors.Is(err, errRaced) || errors.Is(err, errNoneWaits):
		for _, w := range t.clear() {
			s.stageInMemory(t, w)
		}
	default:
		for _, w := range t.clear() {
			w.err = err
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
