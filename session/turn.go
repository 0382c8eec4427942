package session

import (
	"context"
	"errors"
	"strings"
	"time"

	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/records"
)

// Root as a Prompt's ParentID begins a new branch at the conversation's root.
const Root = "root"

// ErrEmpty reports a message without text.
var ErrEmpty = errors.New("the message is empty; write a question or a task")

// Prompt is a user's message that begins a turn.
type Prompt struct {
	ConversationID string // "" creates one
	Create         bool   // creates the conversation with this id, which is of [NewConversationID], unless it exists
	ParentID       string // the message it answers; "" is the newest leaf, [Root] is none
	Text           string
	Expansion      string // what the model gets in place of Text; "" is Text
	Model          string // "" is the configured default
	Title          string // of the turn, and of a conversation that it creates; "" takes the text's first line
	Origin         string // the caller's own name; repeated in TurnStarted
	Attachments    []records.Attachment
	Owner          context.Context // stops the turn when it ends; may be nil
	WhileBusy      WhileBusy       // while another turn runs in the conversation
	// BeforeEnd is called when the answer is complete, before the turn ends: what it stages is part of
	// the turn. It is not called for a turn that failed or was stopped, or for a message that joined
	// another turn. It may be nil.
	BeforeEnd func(context.Context, bus.TurnRef)
}

// WhileBusy says what happens to a message while a turn runs in its conversation.
type WhileBusy int

const (
	Refuse WhileBusy = iota // Start returns a [*BusyError]
	Queue                   // its turn starts after the earlier turns
	Steer                   // it joins the running turn before the next request
)

// Turn is a started turn, or a message that joined one. In the second case RequestID
// is the running turn's, and Stop stops that turn.
type Turn struct {
	bus.TurnRef
	UserMessageID, AssistantMessageID string

	ctx     context.Context
	cancel  context.CancelCauseFunc
	owner   context.Context
	first   chan struct{} // closed once the turn is first in the queue
	queued  bool          // it was not first at the start
	into    *Turn         // the turn that the message joined; may be nil
	done    chan struct{}
	outcome Outcome // once done is closed

	// The lock of the queues guards these.
	steers []*admission // messages that wait to join, in order
	ending bool         // no message can join any more
}

// Outcome is the result of a turn.
type Outcome struct {
	Text       string // streamed Markdown with code in the snippet format
	StopReason bus.StopReason
	Err        error // why the turn failed or reached a limit
	Usage      llm.Usage
	Proposals  []string // ids of the staged proposals
}

// Wait waits for the end of the turn, or returns the error of ctx.
func (t *Turn) Wait(ctx context.Context) (Outcome, error) {
	if t.into != nil {
		return t.into.Wait(ctx)
	}
	select {
	case <-t.done:
		return t.outcome, nil
	case <-ctx.Done():
		return Outcome{}, ctx.Err()
	}
}

// Stop cancels the turn with its request and tools. It does not wait for the end of
// the turn.
func (t *Turn) Stop() {
	if t.into != nil {
		t.into.Stop()
		return
	}
	t.cancel(errStopped)
}

// Joined reports whether the message joined a turn that was running.
func (t *Turn) Joined() bool { return t.into != nil }

// stopped reports whether the turn was stopped, or its owner has ended.
func (t *Turn) stopped() bool { return t.ctx.Err() != nil || t.owner.Err() != nil }

// Start stores the user's message and begins a turn that answers it. ctx bounds only
// Start itself; the turn has its own context. While a turn runs in the conversation,
// p.WhileBusy applies; turns that were stopped don't count as running.
func (e *Engine) Start(ctx context.Context, p Prompt) (*Turn, error) {
	if strings.TrimSpace(p.Text) == "" {
		return nil, ErrEmpty
	}
	created := p.ConversationID == ""
	if created {
		p.ConversationID = newID()
	}
	if p.Title == "" {
		p.Title = titleFrom(p.Text)
	}
	t := &Turn{TurnRef: bus.TurnRef{ConversationID: p.ConversationID, RequestID: newID()}, UserMessageID: newID(),
		AssistantMessageID: newID(),
		owner:              p.Owner, first: make(chan struct{}), done: make(chan struct{})}
	if t.owner == nil {
		t.owner = context.Background()
	}
	t.ctx, t.cancel = context.WithCancelCause(e.ctx)
	a := newAdmission(e, t, p)
	if err := a.admit(ctx, created); err != nil {
		t.cancel(err)
		return nil, err
	}
	if t.into != nil {
		t.cancel(nil)
		forget := context.AfterFunc(t.owner, t.Stop)
		context.AfterFunc(t.into.ctx, func() { forget() }) // an owner may live longer than many turns
		return t, nil
	}
	go e.run(a, newRequestSession(a)) // with the settings of now
	return t, nil
}

// run runs the turn of a message that was admitted.
func (e *Engine) run(a *admission, s *requestSession) {
	t := a.turn
	defer close(t.done)
	defer t.cancel(nil)
	defer context.AfterFunc(t.owner, t.Stop)()
	stopRenewing := e.leases.renewLease(t)
	err := t.waitUntilFirst()
	if err == nil {
		if t.queued {
			a.publishStart()
			// A message may have steered the turn before it.
			s.user.ParentID, err = records.ParentOf(t.ctx, e.opts.DB.Read(), s.user.ID)
		}
		if err == nil {
			err = s.run(t.ctx)
		}
	}
	if err == nil && s.prompt.BeforeEnd != nil {
		s.prompt.BeforeEnd(t.ctx, t.TurnRef)
	}
	stopRenewing()
	outcome, finished := s.finish(err)
	s.view.giveBack()
	t.outcome = outcome
	e.turns.dequeue(t, finished)
}

// now returns the time to the millisecond, as it is stored.
func now() time.Time { return time.UnixMilli(time.Now().UnixMilli()) }
