package lsp

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/bus"
)

// untold is the place up to which a turn is told as events while nobody tells it.
const untold = -1

// A turn is what has happened in one, so far.
type turn struct {
	conversationID, id string
	count              *count

	// The bus's reader alone uses these.
	renderer renderer
	raw      string // what the model wrote since the last message of the user

	mu      sync.Mutex
	changed chan struct{}         // closed and replaced whenever parts grows
	parts   []ploke.Part          // their Seq grows
	told    int                   // the Seq up to which they went out as events, or untold
	result  *ploke.ChatSendResult // once it has ended
	text    strings.Builder       // the answer as Markdown
	cited   []ploke.Citation
	kept    answer // what nothing takes back: it came before the last message of the user
	staged  []string
}

// answer is Markdown with the places that it cites.
type answer struct {
	text  string
	cited []ploke.Citation
}

// add appends parts and wakes the followers.
func (t *turn) add(parts ...ploke.Part) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, p := range parts {
		p.Seq = t.count.next()
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
	t.text.WriteString(t.kept.text)
	t.cited = slices.Clone(t.kept.cited)
	t.mu.Unlock()
	t.add(ploke.Part{Type: ploke.PartMessage, Replace: true})
	t.say(text, cited)
}

// steer notes that a message of the user joined the turn. What was answered
// before it stays.
func (t *turn) steer(ctx context.Context, e bus.TurnSteered) {
	t.say(t.renderer.flush(ctx))
	t.renderer, t.raw = renderer{places: t.renderer.places}, ""
	if t.text.Len() > 0 {
		t.say("\n\n", nil)
	}
	t.add(ploke.Part{Type: ploke.PartUserMessage, ID: e.ParentID, Text: e.Text})
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = answer{t.text.String(), slices.Clone(t.cited)}
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
	if !slices.Contains(t.staged, part.ID) {
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

// last is the number of the last part so far.
func (t *turn) last() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.parts) == 0 {
		return 0
	}
	return t.parts[len(t.parts)-1].Seq
}

// since returns the parts after the one with this number. The lock is held.
func (t *turn) since(after int) []ploke.Part {
	i, _ := slices.BinarySearchFunc(t.parts, after+1, func(p ploke.Part, seq int) int { return p.Seq - seq })
	return t.parts[i:]
}

// take returns the parts after *after, which it moves behind them, and a
// channel that is closed when there are more.
func (t *turn) take(after *int) (fresh []ploke.Part, changed <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	fresh = t.since(*after)
	if n := len(fresh); n > 0 {
		*after = fresh[n-1].Seq
	}
	return fresh, t.changed
}

// tell claims the telling of the turn as events, from its start: it returns the
// place to be passed to follow, nil if somebody tells it already.
func (t *turn) tell() (after *int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.told != untold {
		return nil
	}
	t.told = 0
	return &t.told
}

// attach returns the parts after a number that went out as events, or did not
// have to; the rest goes out as events. rest is not nil if the caller has to see
// to that, with follow.
func (t *turn) attach(after int) (parts []ploke.Part, rest *int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(t.parts)
	if t.told == untold {
		t.told = 0
		if n > 0 {
			t.told = t.parts[n-1].Seq
		}
		if n == 0 || t.parts[n-1].Type != ploke.PartTurnFinished {
			rest = &t.told
		}
	}
	parts = t.since(after)
	for i, p := range parts {
		if p.Seq > t.told {
			return parts[:i], rest
		}
	}
	return parts, rest
}

// follow sends the parts after the one with this number, as they come, and
// returns the turn's result at its end. What comes after a pause is sent at once;
// what comes soon after something was sent is gathered, and adjacent pieces of text
// are sent as one. It returns nil when ctx ends first.
func (t *turn) follow(ctx context.Context, after *int, send func(ploke.Part)) *ploke.ChatSendResult {
	pause := time.NewTimer(0)
	defer pause.Stop()
	for {
		select {
		case <-pause.C:
		case <-ctx.Done():
			return nil
		}
		fresh, changed := t.take(after)
		for len(fresh) == 0 {
			select {
			case <-changed:
			case <-ctx.Done():
				return nil
			}
			fresh, changed = t.take(after)
		}
		for _, part := range merged(fresh) {
			send(part)
			if part.Type == ploke.PartTurnFinished {
				return part.Result
			}
		}
		pause.Reset(coalescing)
	}
}

// event is one of the turn's parts with the turn it belongs to.
func (t *turn) event(part ploke.Part) *ploke.Event {
	return &ploke.Event{Part: part, ConversationID: t.conversationID, TurnID: t.id}
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
