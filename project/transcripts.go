package project

import (
	"context"
	"sync"

	"ploke-lsp/session/bus"
)

// keptTranscripts is how many finished turns can still be followed from their
// start.
const keptTranscripts = 16

// transcripts reads the bus. It records what happens in each turn, and passes the
// parts that belong to no turn to the front end.
type transcripts struct {
	project *Project
	prompts permissionPrompts
	done    chan struct{}

	mu       sync.Mutex
	byID     map[string]*Transcript
	counters map[string]*counter // by conversation
	finished []string            // ids, oldest first
}

// counter numbers the parts of a conversation's turns.
type counter struct {
	mu sync.Mutex
	n  int
}

func (c *counter) next() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	return c.n
}

// recordTurns subscribes to the project's bus. The goroutine ends when the bus
// closes.
func recordTurns(p *Project) *transcripts {
	t := &transcripts{project: p, done: make(chan struct{}), byID: map[string]*Transcript{}, counters: map[string]*counter{}}
	events := p.bus.Participant("project")
	go func() {
		defer close(t.done)
		for {
			event, err := events.Next(context.Background())
			if err != nil {
				return
			}
			t.take(event)
		}
	}()
	return t
}

// wait returns when the bus has been closed and read to its end.
func (t *transcripts) wait() {
	<-t.done
	t.prompts.wait()
}

// Transcript returns the record of a turn, which may have no parts yet.
func (p *Project) Transcript(conversationID, turnID string) *Transcript {
	return p.transcripts.of(conversationID, turnID)
}

// FindTranscript returns the record of a turn, nil if there is none or it is not
// kept any more.
func (p *Project) FindTranscript(turnID string) *Transcript {
	t := p.transcripts
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.byID[turnID]
}

func (t *transcripts) of(conversationID, turnID string) *Transcript {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.counters[conversationID] == nil {
		t.counters[conversationID] = &counter{}
	}
	if t.byID[turnID] == nil {
		t.byID[turnID] = &Transcript{ConversationID: conversationID, TurnID: turnID, counter: t.counters[conversationID],
			published: unpublished, renderer: renderer{project: t.project}, changed: make(chan struct{})}
	}
	return t.byID[turnID]
}

// retire forgets the oldest finished turn if there are too many.
func (t *transcripts) retire(turnID string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.finished = append(t.finished, turnID)
	if len(t.finished) > keptTranscripts {
		delete(t.byID, t.finished[0])
		t.finished = t.finished[1:]
	}
}

// take sorts one event to the turn that it belongs to.
func (t *transcripts) take(event bus.Event) {
	ctx := context.Background()
	switch e := event.(type) {
	case bus.TurnQueued:
		t.of(e.ConversationID, e.RequestID).add(Part{Event: e})
	case bus.TurnStarted:
		t.of(e.ConversationID, e.RequestID).add(Part{Event: e})
	case bus.TurnSteered:
		t.of(e.ConversationID, e.RequestID).steer(ctx, e)
	case bus.MessageDelta:
		t.of(e.ConversationID, e.RequestID).delta(ctx, e)
	case bus.MessageUpdated:
		t.of(e.ConversationID, e.RequestID).rewrite(ctx, e)
	case bus.ToolCallRequested:
		t.of(e.ConversationID, e.RequestID).add(Part{Event: e})
	case bus.ToolCallCompleted:
		t.of(e.ConversationID, e.RequestID).add(Part{Event: e})
	case bus.ToolCallFailed:
		t.of(e.ConversationID, e.RequestID).add(Part{Event: e})
	case bus.Usage:
		t.of(e.ConversationID, e.RequestID).add(Part{Event: e})
	case bus.Retry:
		t.of(e.ConversationID, e.RequestID).add(Part{Event: e})
	case bus.TurnFinished:
		t.of(e.ConversationID, e.RequestID).finish(ctx, e)
		t.retire(e.RequestID)
	case bus.ProposalStaged:
		t.of(e.ConversationID, e.RequestID).propose(e, t.relative(e.Files))
	case bus.Notice:
		t.notice(e)
	case bus.PermissionAsked:
		t.addOrNotify(e.ConversationID, e.RequestID, Part{Event: e})
		t.prompts.ask(t.project.frontEnd, t.project.Engine, e)
	case bus.PermissionAnswered:
		t.addOrNotify(e.ConversationID, e.RequestID, Part{Event: e})
		t.prompts.settled(e.ID)
	case bus.ProposalDecided:
		t.project.frontEnd.Notify(Part{Event: e})
	case bus.ProposalApplied:
		t.project.frontEnd.Notify(Part{Event: e, Files: t.relative(e.Files)})
	case bus.IndexingStarted, bus.IndexingProgress, bus.IndexingCompleted, bus.IndexingFailed, bus.EmbeddingProgress:
		t.project.frontEnd.Notify(Part{Event: e, Index: t.project.IndexStatus()})
	}
}

// addOrNotify records a part of a turn, or passes it on if it belongs to none.
func (t *transcripts) addOrNotify(conversationID, turnID string, part Part) {
	if turnID == "" {
		t.project.frontEnd.Notify(part)
		return
	}
	t.of(conversationID, turnID).add(part)
}

// notice records a notice. The person sees one that belongs to no turn as a
// message, too.
func (t *transcripts) notice(e bus.Notice) {
	t.addOrNotify(e.ConversationID, e.RequestID, Part{Event: e})
	if e.RequestID == "" {
		t.project.frontEnd.ShowMessage(Warning, e.Text)
	}
}

// relative returns paths relative to their workspace folders.
func (t *transcripts) relative(paths []string) (relative []string) {
	for _, path := range paths {
		relative = append(relative, t.project.Workspace.Rel(path))
	}
	return relative
}
