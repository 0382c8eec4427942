package lsp

import (
	"context"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"sync"

	"ploke-lsp/edits"
	"ploke-lsp/project"
	"ploke-lsp/session/bus"
)

// A review holds the proposals that wait for the person, with the places of their hunks in the
// texts as they are now. A proposal is in it once its turn has ended. One goroutine, [review.run],
// looks at the proposals and texts again shortly after they have changed.
type review struct {
	log     *slog.Logger
	wake    chan struct{} // holds a token when there is something to look at
	looking sync.Mutex    // held while somebody looks

	mu      sync.Mutex
	changes reviewChanges
	news    reviewNews
	ready   map[string]bool // ids of proposals whose turn has ended; nil before the first look
	waiting []*inReview     // the newest first; replaced, never changed
	applied []*edits.Proposal
	offered []*edits.Plan // in code actions, the latest last
}

// reviewChanges is what has changed since the last look.
type reviewChanges struct {
	proposals bool
	texts     map[string]bool // paths of documents
	turns     []string        // ids of turns that have ended
}

// reviewNews is what the client was not shown yet.
type reviewNews struct {
	changed bool        // the review is another one
	ready   []*inReview // proposals that are in it since then
}

// inReview is a proposal that waits.
type inReview struct {
	*edits.Proposal
	files []edits.Placed
}

func newReview(log *slog.Logger) *review {
	return &review{log: log, wake: make(chan struct{}, 1), changes: reviewChanges{proposals: true}, waiting: []*inReview{}}
}

// note records a change for the next look.
func (r *review) note(add func(*reviewChanges)) {
	r.mu.Lock()
	add(&r.changes)
	r.mu.Unlock()
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// typed notes that the text of a file may have changed.
func (r *review) typed(path string) {
	r.note(func(c *reviewChanges) {
		if c.texts == nil {
			c.texts = map[string]bool{}
		}
		c.texts[path] = true
	})
}

// noteEvent notes that a proposal has changed, if the event says so.
func (r *review) noteEvent(event bus.Event) {
	switch event.(type) {
	case bus.ProposalStaged, bus.ProposalDecided, bus.ProposalApplied:
		r.note(func(c *reviewChanges) { c.proposals = true })
	}
}

// turnEnded notes that the proposals of a turn are ready.
func (r *review) turnEnded(turnID string) {
	r.note(func(c *reviewChanges) { c.proposals, c.turns = true, append(c.turns, turnID) })
}

// run looks at what has changed until ctx ends. It calls show after each look, with what is new
// since it was called last.
func (r *review) run(ctx context.Context, p *project.Project, show func(reviewNews)) {
	r.note(func(*reviewChanges) {})
	for project.Debounce(ctx, r.wake) {
		err := r.look(ctx, p)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			r.log.Error("the review is out of date", "error", err)
		default:
			show(r.takeNews())
		}
	}
}

func (r *review) takeNews() (news reviewNews) {
	r.mu.Lock()
	defer r.mu.Unlock()
	news, r.news = r.news, reviewNews{}
	return news
}

// look brings the review up to date with all that was noted before. If it fails, the next look makes up for it.
func (r *review) look(ctx context.Context, p *project.Project) (err error) {
	r.looking.Lock()
	defer r.looking.Unlock()
	r.mu.Lock()
	changes, waiting, applied := r.changes, r.waiting, r.applied
	r.changes = reviewChanges{}
	r.mu.Unlock()
	defer func() {
		if err != nil {
			r.mu.Lock()
			r.changes.proposals, r.changes.turns = true, append(changes.turns, r.changes.turns...)
			r.mu.Unlock()
		}
	}()
	r.recordOffered(ctx, p, changes.texts)
	if changes.proposals {
		if waiting, applied, err = r.list(ctx, p, changes.turns); err != nil {
			return err
		}
	}
	var ready []*inReview
	next := make([]*inReview, 0, len(waiting))
	for _, w := range waiting {
		if changes.proposals || w.touchesAny(changes.texts) {
			if w, err = placed(ctx, p, w.Proposal); err != nil {
				return err
			}
		}
		next = append(next, w)
		if slices.Contains(changes.turns, w.RequestID) {
			ready = append(ready, w)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.news.ready = append(r.news.ready, ready...)
	r.news.changed = r.news.changed || !reflect.DeepEqual(next, r.waiting)
	r.waiting, r.applied = next, applied
	return nil
}

// list reads the proposals that are in the review, and those that can be undone. All that wait at
// the first look are in it, except those of turns that are already running then.
func (r *review) list(ctx context.Context, p *project.Project, ended []string) (waiting []*inReview, applied []*edits.Proposal, err error) {
	undecided, err := p.Edits.Undecided(ctx)
	if err != nil {
		return nil, nil, err
	}
	if applied, err = p.Edits.Applied(ctx); err != nil {
		return nil, nil, err
	}
	first := r.ready == nil
	if first {
		r.ready = map[string]bool{}
	}
	for _, proposal := range undecided {
		if first && !p.Engine.Running(proposal.RequestID) || slices.Contains(ended, proposal.RequestID) {
			r.ready[proposal.ID] = true
		}
		if r.ready[proposal.ID] {
			waiting = append(waiting, &inReview{Proposal: proposal})
		}
	}
	return waiting, applied, nil
}

// placed finds the places of a proposal's hunks.
func placed(ctx context.Context, p *project.Project, proposal *edits.Proposal) (*inReview, error) {
	files, err := p.Edits.Place(ctx, proposal)
	if err != nil {
		return nil, fmt.Errorf("proposal %s: %w", proposal.ID, err)
	}
	return &inReview{proposal, files}, nil
}

func (w *inReview) touchesAny(paths map[string]bool) bool {
	for path := range paths {
		if w.Touches(path) {
			return true
		}
	}
	return false
}

// now returns the proposals that wait, the newest first, and those that can be undone, those that
// changed last first. The caller must not change them.
func (r *review) now() (waiting []*inReview, applied []*edits.Proposal) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.waiting, r.applied
}
