package review

import (
	"context"
	"log/slog"
	"sync"

	"ploke-lsp/edits"
	"ploke-lsp/edits/evidence"
	"ploke-lsp/project"
	"ploke-lsp/project/indexing"
	"ploke-lsp/session/bus"
)

// A Queue holds the proposals that wait for the person, with the places of their hunks in the
// texts as they are now. A proposal is in it once its turn has ended. One goroutine, [Queue.run],
// refreshes it shortly after proposals or texts have changed.
type Queue struct {
	log        *slog.Logger
	wake       chan struct{} // holds a token when something has changed
	refreshing sync.Mutex    // held while it is brought up to date

	mu      sync.Mutex
	changes queueChanges
	news    queueNews
	ready   map[string]bool // ids of proposals whose turn has ended; nil before the first refresh
	roots   []string        // the folders that were open at the last refresh
	waiting []*inReview     // the newest first; replaced, never changed
	applied []*edits.Proposal
	offered []*edits.Plan // in code actions, the latest last
}

// queueChanges is what has changed since the last refresh.
type queueChanges struct {
	proposals bool
	texts     map[string]bool // paths of documents
	turns     []string        // ids of turns that have ended
}

// queueNews is what the client was not shown yet.
type queueNews struct {
	changed bool        // the review is another one
	ready   []*inReview // proposals that are in it since then
	made    []string    // ids of proposals of which the editor has made an offered edit
}

// inReview is a proposal that waits.
type inReview struct {
	*edits.Proposal
	files    []edits.Placed
	evidence []evidence.Evidence
}

// NewQueue returns a queue of what waits already.
func NewQueue(log *slog.Logger) *Queue {
	return &Queue{log: log, wake: make(chan struct{}, 1), changes: queueChanges{proposals: true}, waiting: []*inReview{}}
}

// note records a change for the next refresh.
func (r *Queue) note(add func(*queueChanges)) {
	r.mu.Lock()
	add(&r.changes)
	r.mu.Unlock()
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// foldersChanged notes that other folders may be open.
func (r *Queue) foldersChanged() { r.note(func(*queueChanges) {}) }

// textChanged notes that the text of a file may have changed.
func (r *Queue) textChanged(path string) {
	r.note(func(c *queueChanges) {
		if c.texts == nil {
			c.texts = map[string]bool{}
		}
		c.texts[path] = true
	})
}

// NoteEvent notes that a proposal has changed, if the event says so.
func (r *Queue) NoteEvent(event bus.Event) {
	switch event.(type) {
	case bus.ProposalStaged, bus.ProposalDecided, bus.ProposalApplied, bus.ProposalChecked:
		r.note(func(c *queueChanges) { c.proposals = true })
	}
}

// TurnEnded notes that the proposals of a turn are ready.
func (r *Queue) TurnEnded(turnID string) {
	r.note(func(c *queueChanges) { c.proposals, c.turns = true, append(c.turns, turnID) })
}

// run refreshes the queue until ctx ends. It calls show each time, with what is new
// since it was called last.
func (r *Queue) run(ctx context.Context, p *project.Project, show func(queueNews)) {
	r.note(func(*queueChanges) {})
	for indexing.Debounce(ctx, r.wake) {
		err := r.refresh(ctx, p)
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

func (r *Queue) takeNews() (news queueNews) {
	r.mu.Lock()
	defer r.mu.Unlock()
	news, r.news = r.news, queueNews{}
	return news
}

// now returns the proposals that wait, the newest first, and those that can be undone, those that
// changed last first. The caller must not change them.
func (r *Queue) now() (waiting []*inReview, applied []*edits.Proposal) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.waiting, r.applied
}
