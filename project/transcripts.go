package project

import (
	"context"
	"sync"
	"sync/atomic"

	"ploke-lsp/project/commands"
	"ploke-lsp/session"
	"ploke-lsp/session/bus"
)

// keptTranscripts is how many finished turns can still be followed from their
// start.
const keptTranscripts = 16

// Transcripts reads the bus. It records what happens in each turn, and passes the
// parts that belong to no running turn to the front end. Only the start of a turn makes
// a record, and the end of a turn leads to its removal, so that late events leave nothing
// behind.
type Transcripts struct {
	project    *Project
	quotations *quotations
	prompts    permissionPrompts
	done       chan struct{}
	counter    counter

	mu       sync.Mutex
	byID     map[string]*Transcript
	finished []string // ids, oldest first
	starting int      // calls of Start whose caller does not have the record yet
}

// counter numbers the parts of all turns.
type counter struct{ n atomic.Int64 }

func (c *counter) next() int { return int(c.n.Add(1)) }

// recordTurns subscribes to the project's bus. The goroutine ends when the bus
// closes.
func recordTurns(p *Project, q *quotations) *Transcripts {
	t := &Transcripts{project: p, quotations: q, done: make(chan struct{}), byID: map[string]*Transcript{}}
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
func (t *Transcripts) wait() {
	<-t.done
	t.prompts.wait()
}

// Start starts a turn, or adds a message to a running one, and returns the turn's
// record, which may have no parts yet. A slash command and context words are expanded first.
func (t *Transcripts) Start(ctx context.Context, prompt session.Prompt) (*session.Turn, *Transcript, error) {
	p := t.project
	expansion, err := commands.Expand(ctx, p.Workspace, p.settings.commandsFolder(), prompt.Text,
		len(prompt.Attachments) > 0)
	if err != nil {
		return nil, nil, err
	}
	if prompt.Expansion, err = t.project.addContext(ctx, prompt.Text, expansion); err != nil {
		return nil, nil, err
	}
	t.keepAll(1) // the turn may end before its record is returned
	defer t.keepAll(-1)
	turn, err := t.project.Engine.Start(ctx, prompt)
	if err != nil {
		return nil, nil, err
	}
	return turn, t.begin(turn.TurnRef), nil
}

// Find returns the record of a turn, nil if there is none or it is not
// kept any more.
func (t *Transcripts) Find(turnID string) *Transcript {
	return t.find(turnID)
}

func (t *Transcripts) find(turnID string) *Transcript {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.byID[turnID]
}

// begin returns the record of a turn that starts or runs. It makes one if there is none.
func (t *Transcripts) begin(turn bus.TurnRef) *Transcript {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.byID[turn.RequestID] == nil {
		t.byID[turn.RequestID] = &Transcript{ConversationID: turn.ConversationID, TurnID: turn.RequestID, counter: &t.counter,
			published: unpublished, renderer: renderer{quotations: t.quotations, conversation: turn.ConversationID},
			changed: make(chan struct{}), ended: make(chan struct{})}
	}
	return t.byID[turn.RequestID]
}

// running returns the record of a turn that has started and not ended, else nil.
func (t *Transcripts) running(turn bus.TurnRef) *Transcript {
	if found := t.find(turn.RequestID); found != nil && !found.Finished() {
		return found
	}
	return nil
}

// retire notes that a turn has finished, and forgets the oldest ones.
func (t *Transcripts) retire(turnID string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.finished = append(t.finished, turnID)
	t.forget()
}

// keepAll adds to the number of reasons to forget no turn.
func (t *Transcripts) keepAll(reasons int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.starting += reasons
	t.forget()
}

// forget forgets the oldest finished turns if there are too many. The lock is held.
func (t *Transcripts) forget() {
	for t.starting == 0 && len(t.finished) > keptTranscripts {
		delete(t.byID, t.finished[0])
		t.finished = t.finished[1:]
	}
}

// take sorts one event to the turn that it belongs to.
func (t *Transcripts) take(event bus.Event) {
	switch e := event.(type) {
	case bus.TurnQueued:
		t.begin(e.TurnRef).add(Part{Event: e})
	case bus.TurnStarted:
		t.begin(e.TurnRef).add(Part{Event: e})
	case bus.Notice:
		t.notice(e)
	case bus.PermissionAsked:
		t.addOrNotify(e.TurnRef, Part{Event: e})
		t.prompts.ask(t.project.frontEnd, t.project.Engine, e)
	case bus.PermissionAnswered:
		t.addOrNotify(e.TurnRef, Part{Event: e})
		t.prompts.settled(e.ID)
	case bus.ProposalStaged:
		t.propose(e)
	case bus.ProposalChecked:
		t.check(e)
	case bus.ProposalDecided:
		t.project.frontEnd.Notify(Part{Event: e})
	case bus.ProposalApplied:
		if running := t.running(e.TurnRef); running != nil { // it may have amended what is left of the proposal
			running.list(e.ProposalID)
		}
		t.project.frontEnd.Notify(Part{Event: e, Files: t.relative(e.Files)})
	case bus.IndexingStarted, bus.IndexingProgress, bus.IndexingCompleted, bus.IndexingFailed, bus.EmbeddingProgress:
		t.project.frontEnd.Notify(Part{Event: e, Index: t.project.IndexStatus()})
	default:
		t.takeAnswer(event)
	}
}

// takeAnswer records an event of a running turn's answer.
func (t *Transcripts) takeAnswer(event bus.Event) {
	ctx := context.Background()
	record := func(turn bus.TurnRef, do func(*Transcript)) {
		if running := t.running(turn); running != nil {
			do(running)
		}
	}
	add := func(running *Transcript) {
		running.endThought()
		running.add(Part{Event: event})
	}
	switch e := event.(type) {
	case bus.TurnSteered:
		record(e.TurnRef, func(running *Transcript) { running.steer(ctx, e) })
	case bus.MessageDelta:
		record(e.TurnRef, func(running *Transcript) { running.delta(ctx, e) })
	case bus.MessageUpdated:
		record(e.TurnRef, func(running *Transcript) { running.rewrite(ctx, e) })
	case bus.ToolCallRequested:
		record(e.TurnRef, add)
	case bus.ToolCallOutput:
		record(e.TurnRef, add)
	case bus.ToolCallCompleted:
		record(e.TurnRef, add)
	case bus.ToolCallFailed:
		record(e.TurnRef, add)
	case bus.Usage:
		record(e.TurnRef, add)
	case bus.Retry:
		record(e.TurnRef, add)
	case bus.TurnFinished:
		record(e.TurnRef, func(running *Transcript) {
			t.retire(e.RequestID) // before those that follow the turn learn of its end
			running.finish(ctx, e)
		})
	}
}

// addOrNotify records a part of a running turn, or passes it on if it belongs to none.
func (t *Transcripts) addOrNotify(turn bus.TurnRef, part Part) (recorded bool) {
	if running := t.running(turn); running != nil {
		running.add(part)
		return true
	}
	t.project.frontEnd.Notify(part)
	return false
}

// notice records a notice. The person sees one that belongs to no running turn as a
// message, too.
func (t *Transcripts) notice(e bus.Notice) {
	if !t.addOrNotify(e.TurnRef, Part{Event: e}) {
		t.project.frontEnd.ShowMessage(Warning, e.Text)
	}
}

// propose records a staged proposal. After the end of its turn, such as when the person
// has edited the proposal, it is passed on.
func (t *Transcripts) propose(e bus.ProposalStaged) {
	files := t.relative(e.Files)
	if running := t.running(e.TurnRef); running != nil {
		running.propose(e, files)
		return
	}
	t.project.frontEnd.Notify(Part{Event: e, Files: files})
}

// check records what is known of a proposal now.
func (t *Transcripts) check(e bus.ProposalChecked) {
	ctx := context.Background()
	proposal, err := t.project.Edits.Proposals.Get(ctx, e.ProposalID)
	if err != nil {
		return // it was deleted meanwhile
	}
	known, err := t.project.Evidence.Of(ctx, proposal)
	if err != nil {
		t.project.log.Error("what is known of a proposal is not shown", "proposal", e.ProposalID, "error", err)
		return
	}
	t.addOrNotify(e.TurnRef, Part{Event: e, Evidence: known})
}

// relative returns paths relative to their workspace folders.
func (t *Transcripts) relative(paths []string) (relative []string) {
	for _, path := range paths {
		relative = append(relative, t.project.Workspace.Rel(path))
	}
	return relative
}
