package session

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"strings"
	"unicode/utf8"

	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/repair"
	"ploke-lsp/session/records"
)

// turnRecord is what is stored and shown of a turn: the person's message, the answer as it grows, and the requests in
// the ledger. What it stores, it stores only while the turn belongs to this engine.
type turnRecord struct {
	e            *Engine
	turn         *Turn
	user, answer records.Message
	text         []byte // of the answer so far
	ledger       turnLedger
	kept         keptTurn
}

// turnLedger is what the ledger has of a turn.
type turnLedger struct {
	entry  *ledgerRow   // of the last request, until its cost is stored
	listed ledgerListed // messages that were listed
}

// keptTurn is what a turn keeps for the next one of its conversation.
type keptTurn struct {
	calls  int               // made so far
	stored records.EndedTurn // the rows of the messages that have ended, and of the calls
}

// save stores the answer, the usage of its last request, and the changes of more. It
// does so even after the turn was stopped. Before the turn ends the commit need not
// be durable: only crash recovery reads it.
func (t *turnRecord) save(more func(context.Context, *sql.Tx) error) error {
	ctx := context.Background()
	t.answer.Text, t.answer.UpdatedAt = string(t.text), now()
	x, commit := t.answer.Extra(), t.e.opts.DB.Write
	if t.answer.Status == records.Pending {
		x, commit = t.e.leases.owned(x), t.e.opts.DB.Record
	}
	err := t.e.streamed.Replace(t.answer.ID, func(asides []records.Aside) error {
		return commit(ctx, t.fenced(ctx, func(tx *sql.Tx) error {
			if err := records.UpdateMessage(ctx, tx, &t.answer, x); err != nil {
				return err
			}
			if err := records.InsertAsides(ctx, tx, t.answer.ID, asides); err != nil {
				return err
			}
			if err := t.settleEntry(ctx, tx); err != nil || more == nil {
				return err
			}
			return more(ctx, tx)
		}))
	})
	takenOver := errors.Is(err, errTakenOver)
	if takenOver { // what was sent still counts
		err = errors.Join(err, t.e.opts.DB.Record(ctx, func(tx *sql.Tx) error { return t.settleEntry(ctx, tx) }))
	}
	if err == nil || takenOver {
		t.e.budget.settle(t.turn.RequestID)
	}
	return err
}

// keepStored keeps the rows of a turn that has succeeded for the next turn, unless the result of a
// call could not be stored. If another row could not, the turn has failed.
func (t *turnRecord) keepStored() {
	t.kept.stored.AddMessages(&t.user, &t.answer)
	if len(t.kept.stored.Calls) == t.kept.calls {
		t.e.kept.messages.KeepEnded(t.kept.stored)
	}
}

func (t *turnRecord) publishUpdate() {
	t.e.opts.Bus.Publish(bus.MessageUpdated{TurnRef: t.turn.TurnRef,
		MessageID: t.answer.ID, Text: string(t.text), Status: string(t.answer.Status)})
}

func (t *turnRecord) notice(text string) {
	t.addAside(records.Notice, text)
	t.e.opts.Bus.Publish(bus.Notice{TurnRef: t.turn.TurnRef, Text: text})
}

// fenced returns fn behind the turn's fence.
func (t *turnRecord) fenced(ctx context.Context, fn func(tx *sql.Tx) error) func(tx *sql.Tx) error {
	return func(tx *sql.Tx) error {
		if err := t.e.leases.fence(ctx, tx, t.turn.RequestID); err != nil {
			return err
		}
		return fn(tx)
	}
}

// settleEntry stores the usage of the last request.
func (t *turnRecord) settleEntry(ctx context.Context, tx *sql.Tx) error {
	if t.ledger.entry == nil {
		return nil
	}
	return t.ledger.entry.settle(ctx, tx)
}

// noticeUnlessOver warns the user of an error that does not end the turn, unless ctx
// has ended.
func (t *turnRecord) noticeUnlessOver(ctx context.Context, what string, err error) {
	if ctx.Err() == nil {
		t.notice(what + err.Error())
	}
}

// newCall assigns ids to a call. It keeps the provider's id unless that is used.
func (t *turnRecord) newCall(c llm.Call, used map[string]bool) bus.ToolCallRequested {
	id := newID()
	callID := c.ID
	if callID == "" || used[callID] {
		callID = repair.ShortID(id)
	}
	seq := t.kept.calls
	t.kept.calls++
	call := bus.CallRef{TurnRef: t.turn.TurnRef, ParentID: t.user.ID, ID: id, CallID: callID, Name: c.Name}
	return bus.ToolCallRequested{CallRef: call, Seq: seq, Vendor: vendor, Arguments: c.Arguments}
}

// appendText adds a chunk to the answer's text. Text after tool calls becomes a
// paragraph of its own.
func (t *turnRecord) appendText(r *response, c llm.Chunk) {
	publish := func(text, thought string) {
		t.e.opts.Bus.Publish(bus.MessageDelta{TurnRef: t.turn.TurnRef, MessageID: t.answer.ID, Text: text, Thought: thought})
	}
	if c.Reasoning != "" {
		t.addThought(r, c.Reasoning)
		publish("", c.Reasoning)
	}
	if c.Text == "" {
		return
	}
	gap := ""
	if len(t.text) > 0 && r.start == len(t.text) {
		gap = strings.Repeat("\n", 2-min(2, len(t.text)-len(bytes.TrimRight(t.text, "\n"))))
		r.start += len(gap)
	}
	t.text = append(append(t.text, gap...), c.Text...)
	t.e.streamed.Add(t.answer.ID, gap+c.Text) // first: what a person has seen waits to be stored
	publish(gap+c.Text, "")
}

// makeThought makes a thought of the response's text so far.
func (t *turnRecord) makeThought(r *response) error {
	thought := string(t.text[r.start:])
	t.text = t.text[:r.start]
	if err := t.save(nil); err != nil {
		return err
	}
	t.publishUpdate()
	t.appendText(r, llm.Chunk{Reasoning: thought})
	return nil
}

// addStep adds a step with the text and calls of r to the answer.
func (t *turnRecord) addStep(r *response) {
	st := records.Response{Start: r.start, End: len(t.text), Opaque: r.opaque}
	for _, c := range r.calls {
		st.Calls = append(st.Calls, c.ID)
	}
	if st.End > st.Start || len(st.Calls) > 0 {
		t.answer.Responses = append(t.answer.Responses, st)
	}
}

// addAside keeps an aside at the current place of the answer.
func (t *turnRecord) addAside(kind records.AsideKind, text string) {
	t.e.streamed.AddAside(t.answer.ID,
		records.Aside{Kind: kind, Text: text, Steps: len(t.answer.Responses), At: len(t.text)})
}

// addThought keeps the next piece of a response's thoughts, as long as they are not too long.
func (t *turnRecord) addThought(r *response, text string) {
	left := maxThoughts - r.thought
	r.thought += len(text)
	switch {
	case left < 0:
		return
	case len(text) > left:
		for left > 0 && !utf8.RuneStart(text[left]) {
			left--
		}
		text = text[:left] + cutOff
	}
	t.addAside(records.Thought, text)
}

// maxThoughts is how many bytes of a response's thoughts are stored. What follows is only streamed.
const maxThoughts = 64 << 10

// cutOff ends a thought of which only the beginning is stored.
const cutOff = "\n…"

// dropBlank drops the text of a response that has only white space, which is not an answer, and which some
// providers refuse to read again.
func (t *turnRecord) dropBlank(r *response) {
	end := 0
	if n := len(t.answer.Responses); n > 0 {
		end = t.answer.Responses[n-1].End
	}
	if len(r.calls) > 0 || len(t.text) == end || len(bytes.TrimSpace(t.text[end:])) > 0 {
		return
	}
	t.text, r.start = t.text[:end], end
	t.publishUpdate()
}
