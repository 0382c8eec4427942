package lsp

import (
	"context"
	"sync"
	"time"

	"go.lsp.dev/protocol"

	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/bus"
)

// coalescing is how long text is gathered before it goes out, so that an
// answer streams in pieces a person can't tell from single words.
const coalescing = 30 * time.Millisecond

// keptTurns is how many finished turns can still be followed from their start.
const keptTurns = 16

// turns is the front end's ear on the bus. It keeps what happens in each turn
// as a list of parts, so that whoever follows a turn, whenever they begin,
// sees all of it in order; what concerns no turn goes out as an event at once.
type turns struct {
	project   *project
	client    *client
	questions questions
	done      chan struct{}

	mu       sync.Mutex
	byID     map[string]*turn
	counts   map[string]*count // by conversation
	finished []string          // ids, oldest first
}

// count numbers the parts of a conversation's turns.
type count struct {
	mu sync.Mutex
	n  int
}

func (c *count) next() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	return c.n
}

// followTurns subscribes to the project's bus. The goroutine ends when the bus
// closes.
func followTurns(p *project, c *client) *turns {
	t := &turns{project: p, client: c, done: make(chan struct{}), byID: map[string]*turn{}, counts: map[string]*count{}}
	sub := p.bus.Participant("lsp")
	go func() {
		defer close(t.done)
		for {
			event, err := sub.Next(context.Background())
			if err != nil {
				return
			}
			t.take(event)
		}
	}()
	return t
}

// wait returns when the bus has been closed and read to its end.
func (t *turns) wait() {
	<-t.done
	t.questions.wait()
}

// get returns the turn with this id, which may not have said anything yet.
func (t *turns) get(conversationID, id string) *turn {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.counts[conversationID] == nil {
		t.counts[conversationID] = &count{}
	}
	if t.byID[id] == nil {
		places := &places{project: t.project, encoding: t.client.encoding}
		t.byID[id] = &turn{conversationID: conversationID, id: id, count: t.counts[conversationID], told: untold,
			renderer: renderer{places: places}, changed: make(chan struct{})}
	}
	return t.byID[id]
}

// find returns the turn with this id, nil if there is none or it is forgotten.
func (t *turns) find(id string) *turn {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.byID[id]
}

// retire forgets the oldest finished turn once there are too many.
func (t *turns) retire(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.finished = append(t.finished, id)
	if len(t.finished) > keptTurns {
		delete(t.byID, t.finished[0])
		t.finished = t.finished[1:]
	}
}

// take sorts one event to the turn it belongs to.
func (t *turns) take(event bus.Event) {
	ctx := context.Background()
	switch e := event.(type) {
	case bus.TurnQueued:
		t.get(e.ConversationID, e.RequestID).add(ploke.Part{Type: ploke.PartTurnQueued})
	case bus.TurnStarted:
		t.get(e.ConversationID, e.RequestID).add(ploke.Part{Type: ploke.PartTurnStarted, Title: e.Title})
	case bus.TurnSteered:
		t.get(e.ConversationID, e.RequestID).steer(ctx, e)
	case bus.MessageDelta:
		t.get(e.ConversationID, e.RequestID).delta(ctx, e)
	case bus.MessageUpdated:
		t.get(e.ConversationID, e.RequestID).rewrite(ctx, e)
	case bus.ToolCallRequested:
		t.get(e.ConversationID, e.RequestID).add(ploke.Part{Type: ploke.PartToolCall, CallID: e.CallID, Tool: e.Name, State: ploke.ToolCallStarted})
	case bus.ToolCallCompleted:
		t.get(e.ConversationID, e.RequestID).add(ploke.Part{Type: ploke.PartToolCall, CallID: e.CallID, Tool: e.Name, State: ploke.ToolCallFinished, Summary: e.Summary})
	case bus.ToolCallFailed:
		t.get(e.ConversationID, e.RequestID).add(ploke.Part{Type: ploke.PartToolCall, CallID: e.CallID, Tool: e.Name, State: ploke.ToolCallFailed, Summary: e.Error})
	case bus.PermissionAsked:
		t.permission(e.ConversationID, e.RequestID, ploke.Part{ID: e.ID, Title: e.Title, Detail: e.Detail, Tool: e.Tool, CallID: e.CallID, Status: "asked"})
		t.questions.ask(t.client, t.project.engine, e)
	case bus.PermissionAnswered:
		t.permission(e.ConversationID, e.RequestID, ploke.Part{ID: e.ID, Status: answered(e.Granted)})
		t.questions.settled(e.ID)
	case bus.ProposalStaged:
		t.get(e.ConversationID, e.RequestID).propose(t.proposal(e.ProposalID, e.Title, "staged", e.Files))
	case bus.ProposalDecided:
		t.tell(t.proposal(e.ProposalID, "", e.Status, nil))
	case bus.ProposalApplied:
		t.tell(t.proposal(e.ProposalID, "", e.Status, e.Files))
	case bus.Usage:
		t.get(e.ConversationID, e.RequestID).add(ploke.Part{Type: ploke.PartUsage, Usage: usage(e.Tokens)})
	case bus.Retry:
		t.get(e.ConversationID, e.RequestID).add(ploke.Part{Type: ploke.PartNotice, Text: "trying again: " + e.Error})
	case bus.Notice:
		t.notice(e)
	case bus.TurnFinished:
		t.get(e.ConversationID, e.RequestID).finish(ctx, e)
		t.retire(e.RequestID)
	case bus.IndexingStarted, bus.IndexingProgress, bus.IndexingCompleted, bus.IndexingFailed:
		t.tell(ploke.Part{Type: ploke.PartIndex, Index: t.project.indexStatus()})
	}
}

// permission passes on a question, or what became of it; some belong to no turn.
func (t *turns) permission(conversationID, requestID string, part ploke.Part) {
	part.Type = ploke.PartPermission
	if requestID == "" {
		t.tell(part)
		return
	}
	t.get(conversationID, requestID).add(part)
}

// notice passes a notice on. One that belongs to no turn is shown by every
// editor as a message, too.
func (t *turns) notice(e bus.Notice) {
	part := ploke.Part{Type: ploke.PartNotice, Text: e.Text}
	if e.RequestID == "" {
		t.tell(part)
		t.client.showMessage(protocol.MessageTypeWarning, "ploke: %s", e.Text)
		return
	}
	t.get(e.ConversationID, e.RequestID).add(part)
}

func (t *turns) proposal(id, title, status string, files []string) ploke.Part {
	part := ploke.Part{Type: ploke.PartProposal, ID: id, Title: title, Status: status}
	for _, f := range files {
		part.Files = append(part.Files, t.project.workspace.Rel(f))
	}
	return part
}

// tell sends what concerns no turn to a client that named the method.
func (t *turns) tell(part ploke.Part) {
	if t.client.ploke.Has(ploke.MethodEvent) {
		t.client.notify(ploke.MethodEvent, &ploke.Event{Part: part})
	}
}

func usage(u bus.Tokens) *ploke.Usage {
	return &ploke.Usage{In: u.In, Out: u.Out, Cached: u.Cached, Cost: u.Cost}
}
