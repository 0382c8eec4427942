package lsp

import (
	"context"
	"log/slog"
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

// now returns the proposals that wait, the newest first, and those that can be undone, those that
// changed last first. The caller must not change them.
func (r *review) now() (waiting []*inReview, applied []*edits.Proposal) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.waiting, r.applied
}
