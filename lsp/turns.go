package lsp

import (
	"context"
	"strings"
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
	project *project
	client  *client
	done    chan struct{}

	mu       sync.Mutex
	byID     map[string]*turn
	finished []string // ids, oldest first
}

// followTurns subscribes to the project's bus. The goroutine ends when the bus
// closes.
func followTurns(p *project, c *client) *turns {
	t := &turns{project: p, client: c, done: make(chan struct{}), byID: map[string]*turn{}}
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
func (t *turns) wait() { <-t.done }

// get returns the turn with this id, which may not have said anything yet.
func (t *turns) get(id string) *turn {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.byID[id] == nil {
		places := &places{project: t.project, encoding: t.client.encoding}
		t.byID[id] = &turn{id: id, renderer: renderer{places: places}, changed: make(chan struct{})}
	}
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
	case bus.TurnStarted:
		t.get(e.RequestID).start(e)
	case bus.MessageDelta:
		t.get(e.RequestID).delta(ctx, e)
	case bus.MessageUpdated:
		t.get(e.RequestID).rewrite(ctx, e)
	case bus.ToolCallRequested:
		t.get(e.RequestID).add(ploke.Part{Type: ploke.PartToolCall, CallID: e.CallID, Tool: e.Name, State: ploke.ToolCallStarted})
	case bus.ToolCallCompleted:
		t.get(e.RequestID).add(ploke.Part{Type: ploke.PartToolCall, CallID: e.CallID, Tool: e.Name, State: ploke.ToolCallFinished, Summary: e.Summary})
	case bus.ToolCallFailed:
		t.get(e.RequestID).add(ploke.Part{Type: ploke.PartToolCall, CallID: e.CallID, Tool: e.Name, State: ploke.ToolCallFailed, Summary: e.Error})
	case bus.ProposalStaged:
		t.get(e.RequestID).propose(t.proposal(e.ProposalID, e.Title, "staged", e.Files))
	case bus.ProposalDecided:
		t.tell(t.proposal(e.ProposalID, "", e.Status, nil))
	case bus.ProposalApplied:
		t.tell(t.proposal(e.ProposalID, "", e.Status, e.Files))
	case bus.Usage:
		t.get(e.RequestID).add(ploke.Part{Type: ploke.PartUsage, Usage: usage(e.Tokens)})
	case bus.Retry:
		t.get(e.RequestID).add(ploke.Part{Type: ploke.PartNotice, Text: "trying again: " + e.Error})
	case bus.Notice:
		t.notice(e)
	case bus.TurnFinished:
		t.get(e.RequestID).finish(ctx, e)
		t.retire(e.RequestID)
	case bus.IndexingStarted, bus.IndexingProgress, bus.IndexingCompleted, bus.IndexingFailed:
		t.tell(ploke.Part{Type: ploke.PartIndex, Index: indexStatus(t.project.index)})
	}
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
	t.get(e.RequestID).add(part)
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

// A turn is what has happened in one, so far.
type turn struct {
	id       string
	renderer renderer // the bus's reader alone uses it, and raw

	mu      sync.Mutex
	changed chan struct{}         // closed and replaced whenever parts grows
	parts   []ploke.Part          // parts[i].Seq is i+1
	raw     string                // what the model wrote
	text    strings.Builder       // the same as Markdown
	result  *ploke.ChatSendResult // once it has ended
	started bus.TurnStarted
	cited   []ploke.Citation
	staged  []string
}

func (t *turn) start(e bus.TurnStarted) {
	t.mu.Lock()
	t.started = e
	t.mu.Unlock()
	t.add(ploke.Part{Type: ploke.PartTurnStarted, Title: e.Title})
}

// add appends parts and wakes the followers.
func (t *turn) add(parts ...ploke.Part) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, p := range parts {
		p.Seq = len(t.parts) + 1
		t.parts = append(t.parts, p)
	}
	close(t.changed)
	t.changed = make(chan struct{})
}

func (t *turn) delta(ctx context.Context, e bus.MessageDelta) {
	if e.Thought != "" {
		t.add(ploke.Part{Type: ploke.PartThought, Text: e.Thought})
	}
	t.raw += e.Text
	t.say(t.renderer.write(ctx, e.Text))
}

// rewrite takes back what does not hold any more: a piece of an answer that
// broke off, before it is asked for again. Most updates only repeat what was
// streamed.
func (t *turn) rewrite(ctx context.Context, e bus.MessageUpdated) {
	if e.Text == t.raw {
		return
	}
	t.raw = e.Text
	t.renderer = renderer{places: t.renderer.places}
	text, cited := t.renderer.write(ctx, e.Text)
	t.mu.Lock()
	t.text.Reset()
	t.cited = nil
	t.mu.Unlock()
	t.add(ploke.Part{Type: ploke.PartMessage, Replace: true})
	t.say(text, cited)
}

// say appends Markdown and the places it cites.
func (t *turn) say(text string, cited []ploke.Citation) {
	var parts []ploke.Part
	if text != "" {
		parts = append(parts, ploke.Part{Type: ploke.PartMessage, Text: text})
	}
	for _, c := range cited {
		parts = append(parts, ploke.Part{Type: ploke.PartCitation, URI: c.URI, Range: &c.Range, Canon: c.Canon})
	}
	if len(parts) == 0 {
		return
	}
	t.mu.Lock()
	t.text.WriteString(text)
	t.cited = append(t.cited, cited...)
	t.mu.Unlock()
	t.add(parts...)
}

// propose notes a staged proposal, or that it was amended.
func (t *turn) propose(part ploke.Part) {
	t.mu.Lock()
	known := false
	for _, id := range t.staged {
		known = known || id == part.ID
	}
	if !known {
		t.staged = append(t.staged, part.ID)
	}
	t.mu.Unlock()
	t.add(part)
}

func (t *turn) finish(ctx context.Context, e bus.TurnFinished) {
	t.say(t.renderer.flush(ctx))
	t.mu.Lock()
	t.result = &ploke.ChatSendResult{
		ConversationID:     e.ConversationID,
		MessageID:          e.ParentID,
		AssistantMessageID: e.MessageID,
		TurnID:             e.RequestID,
		Text:               t.text.String(),
		Citations:          append([]ploke.Citation{}, t.cited...),
		StopReason:         ploke.StopReason(e.StopReason),
		Error:              e.Error,
		Usage:              *usage(e.Usage),
		Proposals:          append([]string{}, t.staged...),
	}
	result := t.result
	t.mu.Unlock()
	t.add(ploke.Part{Type: ploke.PartTurnFinished, Result: result})
}

// follow sends the parts after the one with this number, as they come, and
// returns the turn's result at its end. Adjacent pieces of text are sent as
// one. It returns nil when ctx ends first.
func (t *turn) follow(ctx context.Context, after int, send func(ploke.Part)) *ploke.ChatSendResult {
	for {
		t.mu.Lock()
		fresh, changed := t.parts[after:], t.changed
		after = len(t.parts)
		t.mu.Unlock()
		for _, part := range merged(fresh) {
			send(part)
			if part.Type == ploke.PartTurnFinished {
				return part.Result
			}
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil
		}
		gather := time.NewTimer(coalescing)
		select {
		case <-gather.C:
		case <-ctx.Done():
			gather.Stop()
			return nil
		}
	}
}

// merged joins runs of the same kind of text; the joined part has the number of
// its last piece.
func merged(parts []ploke.Part) []ploke.Part {
	var out []ploke.Part
	for _, p := range parts {
		text := p.Type == ploke.PartMessage || p.Type == ploke.PartThought
		if n := len(out); text && !p.Replace && n > 0 && out[n-1].Type == p.Type {
			out[n-1].Text += p.Text
			out[n-1].Seq = p.Seq
			continue
		}
		out = append(out, p)
	}
	return out
}
