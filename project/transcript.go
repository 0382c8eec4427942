package project

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"ploke-lsp/edits"
	"ploke-lsp/edits/evidence"
	"ploke-lsp/internal/display"
	"ploke-lsp/session/bus"
)

// coalescing is how long text is gathered before it is passed on, so an answer
// streams in pieces that a person can't tell from single words.
const coalescing = 30 * time.Millisecond

// unpublished marks a transcript that is not published.
const unpublished = -1

// A Part is one thing that happened, in terms of the bus. Exactly one of Event, Citation
// and Proposal is set.
//
// In the parts of a turn, the Text of a message is Markdown. A [bus.MessageUpdated]
// takes back the text and the citations since the last [bus.TurnSteered], or since
// the start, and its Text stands in their place.
type Part struct {
	Seq      int // grows with time, from 1; 0 if the part belongs to no turn
	Event    bus.Event
	Citation *Citation
	Proposal *edits.Proposal // of a stored answer: as it is now
	Files    []string        // with a proposal, or an event of one: its files, relative to their workspace folders
	Index    *IndexStatus    // with an event of the index

	Evidence []evidence.Evidence // with [bus.ProposalChecked]
	Result   *TurnResult         // with [bus.TurnFinished]
}

// A TurnResult is what a turn has come to.
type TurnResult struct {
	bus.TurnFinished
	Text      string // the answer as Markdown
	Citations []Citation
	Proposals []string // ids
}

// A Transcript records what happens in one turn as numbered parts. Anyone may
// follow it from any number at any time. It is safe for concurrent use.
type Transcript struct {
	ConversationID, TurnID string

	counter *counter

	// Only the goroutine that reads the bus uses these.
	renderer renderer
	thoughts display.Markdown
	source   strings.Builder // what the model wrote since the last message of the user

	ended chan struct{} // closed once the last part is there

	mu        sync.Mutex
	changed   chan struct{} // closed and replaced whenever parts grows
	parts     []Part        // in the order of Seq
	published int           // the Seq up to which Publish or Attach cover the parts, or unpublished
	text      strings.Builder
	citations []Citation
	kept      citedAnswer // what came before the last message of the user: nothing takes it back
	proposals []string
}

// citedAnswer is Markdown with the places that it cites.
type citedAnswer struct {
	text      string
	citations []Citation
}

// add appends parts and wakes the followers.
func (t *Transcript) add(parts ...Part) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, p := range parts {
		p.Seq = t.counter.next()
		t.parts = append(t.parts, p)
	}
	close(t.changed)
	t.changed = make(chan struct{})
}

func (t *Transcript) delta(ctx context.Context, e bus.MessageDelta) {
	t.think(e)
	t.source.WriteString(e.Text)
	t.write(t.renderer.write(ctx, e.Text))
}

// think adds what the model thinks, which is Markdown, too. It ends where the answer goes on.
func (t *Transcript) think(e bus.MessageDelta) {
	thought := t.thoughts.Write(e.Thought)
	if e.Text != "" || e.Thought == "" {
		thought += t.thoughts.Close()
	}
	if thought != "" {
		e.Text, e.Thought = "", thought
		t.add(Part{Event: e})
	}
}

// endThought adds what was held back of a thought.
func (t *Transcript) endThought() {
	t.think(bus.MessageDelta{TurnRef: bus.TurnRef{ConversationID: t.ConversationID, RequestID: t.TurnID}})
}

// rewrite takes back the text of an answer that broke off and is requested again.
// Most updates only repeat what was streamed.
func (t *Transcript) rewrite(ctx context.Context, e bus.MessageUpdated) {
	if e.Text == t.source.String() {
		return
	}
	t.source.Reset()
	t.source.WriteString(e.Text)
	t.renderer = renderer{quotations: t.renderer.quotations, conversation: t.ConversationID}
	text, citations := t.renderer.write(ctx, e.Text)
	t.mu.Lock()
	t.text.Reset()
	t.text.WriteString(t.kept.text)
	t.citations = slices.Clone(t.kept.citations)
	t.mu.Unlock()
	e.Text = ""
	t.add(Part{Event: e})
	t.write(text, citations)
}

// steer notes that a message of the user joined the turn. The answer before it
// stays.
func (t *Transcript) steer(ctx context.Context, e bus.TurnSteered) {
	t.endThought()
	t.write(t.renderer.flush(ctx))
	t.renderer = renderer{quotations: t.renderer.quotations, conversation: t.ConversationID}
	t.source.Reset()
	t.add(Part{Event: e})
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.text.Len() > 0 {
		t.text.WriteString("\n\n")
	}
	t.kept = citedAnswer{t.text.String(), slices.Clone(t.citations)}
}

// write appends Markdown and the places that it cites.
func (t *Transcript) write(text string, citations []Citation) {
	var parts []Part
	if text != "" {
		parts = append(parts,
			Part{Event: bus.MessageDelta{TurnRef: bus.TurnRef{ConversationID: t.ConversationID, RequestID: t.TurnID},
				Text: text}})
	}
	for _, c := range citations {
		parts = append(parts, Part{Citation: &c})
	}
	if len(parts) == 0 {
		return
	}
	t.mu.Lock()
	t.text.WriteString(text)
	t.citations = append(t.citations, citations...)
	t.mu.Unlock()
	t.add(parts...)
}

// propose notes a staged proposal, or that it was amended.
func (t *Transcript) propose(e bus.ProposalStaged, files []string) {
	t.list(e.ProposalID)
	t.add(Part{Event: e, Files: files})
}

// list adds a proposal to those of the turn.
func (t *Transcript) list(proposalID string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !slices.Contains(t.proposals, proposalID) {
		t.proposals = append(t.proposals, proposalID)
	}
}

func (t *Transcript) finish(ctx context.Context, e bus.TurnFinished) {
	t.endThought()
	t.write(t.renderer.flush(ctx))
	t.mu.Lock()
	result := &TurnResult{TurnFinished: e, Text: t.text.String(), Citations: slices.Clone(t.citations),
		Proposals: slices.Clone(t.proposals)}
	t.mu.Unlock()
	t.add(Part{Event: e, Result: result})
	close(t.ended)
}

// last returns the number of the last part so far, 0 if there is none. The lock is held.
func (t *Transcript) last() int {
	if len(t.parts) == 0 {
		return 0
	}
	return t.parts[len(t.parts)-1].Seq
}

// BeforeSteering returns the number of the last part before a message joined, or of the last part so far if it
// has not joined yet.
func (t *Transcript) BeforeSteering(messageID string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	i := slices.IndexFunc(t.parts, func(p Part) bool {
		e, ok := p.Event.(bus.TurnSteered)
		return ok && e.ParentID == messageID
	})
	if i >= 0 {
		return t.parts[i].Seq - 1
	}
	return t.last()
}

// since returns the parts after the one with this number. The lock is held.
func (t *Transcript) since(after int) []Part {
	i, _ := slices.BinarySearchFunc(t.parts, after+1, func(p Part, seq int) int { return p.Seq - seq })
	return t.parts[i:]
}

// take returns the parts after *after, which it moves behind them, and a channel
// that is closed when there are more.
func (t *Transcript) take(after *int) (fresh []Part, changed <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	fresh = t.since(*after)
	if n := len(fresh); n > 0 {
		*after = fresh[n-1].Seq
	}
	return fresh, t.changed
}

// A Position is a place in a transcript, to follow it from.
type Position struct{ after *int }

// From returns the position after the part with a number; 0 is the start.
func (t *Transcript) From(after int) Position { return Position{&after} }

// Publish claims the publishing of the turn: it returns the start of the
// transcript, which the caller must follow. ok is false if it is claimed already.
// Only one caller publishes a turn; Attach knows how far it is.
func (t *Transcript) Publish() (start Position, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.published != unpublished {
		return Position{}, false
	}
	t.published = 0
	return Position{&t.published}, true
}

// Attach returns the parts after a number that are published, or that the caller
// has to show now. If ok, the caller must also follow the transcript from rest and
// publish it, since no other caller does.
func (t *Transcript) Attach(after int) (parts []Part, rest Position, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.published == unpublished {
		t.published = t.last()
		rest, ok = Position{&t.published}, !t.finished()
	}
	parts = t.since(after)
	for i, p := range parts {
		if p.Seq > t.published {
			parts = parts[:i]
			break
		}
	}
	return merge(parts), rest, ok
}

// Finished reports whether the turn has ended.
func (t *Transcript) Finished() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.finished()
}

// finished is Finished with the lock held.
func (t *Transcript) finished() bool {
	return len(t.parts) > 0 && t.parts[len(t.parts)-1].Result != nil
}

// Follow passes the parts from a position to send, as they come, and returns the
// turn's result at its end. It sends a part at once after a pause, and the rest at once when
// the turn ends. It gathers parts that come soon after another, and joins adjacent pieces of
// text. It returns nil when ctx ends first.
func (t *Transcript) Follow(ctx context.Context, from Position, send func(Part)) *TurnResult {
	pause := time.NewTimer(0)
	defer pause.Stop()
	for {
		select {
		case <-pause.C:
		case <-t.ended:
		case <-ctx.Done():
			return nil
		}
		fresh, changed := t.take(from.after)
		for len(fresh) == 0 {
			select {
			case <-changed:
			case <-ctx.Done():
				return nil
			}
			fresh, changed = t.take(from.after)
		}
		for _, part := range merge(fresh) {
			send(part)
			if part.Result != nil {
				return part.Result
			}
		}
		pause.Reset(coalescing)
	}
}
