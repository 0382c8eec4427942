package session

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"runtime"
	"strings"
	"time"
	"unicode/utf8"

	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/repair"
	"ploke-lsp/session/records"
)

// response is one response of the model. Its text begins at start in the answer's
// text.
type response struct {
	start   int
	calls   []bus.ToolCallRequested
	finish  llm.Finish
	opaque  llm.Opaque
	thought int // how many bytes of thoughts have come
}

// requestModel sends the messages to the model and streams its response. It repeats
// the request after temporary errors, and a shorter one after the server has refused it
// as too long.
func (s *requestSession) requestModel(ctx context.Context) (*response, error) {
	refusals, doubted := 0, false
	for attempt := 1; ; attempt++ {
		before := len(s.text)
		r, err := s.send(ctx)
		if err == nil {
			return r, nil
		}
		delay, again := backOff(err, attempt, s.setup.limits.Retries)
		switch {
		case again:
		case refusal(err) != nil && refusals < maxRefusals:
			if err := s.fitRefused(ctx, refusal(err)); err != nil {
				return nil, err
			}
			refusals, attempt = refusals+1, 0
		case !doubted && s.maybeTooLong(err):
			doubted = true
			if err := s.fitRefused(ctx, providerError(err)); err != nil {
				return nil, err
			}
			attempt = 0
		default:
			if err := s.fallBack(ctx, err); err != nil {
				return nil, err
			}
			attempt = 0 // the fallback model has its own attempts
		}
		if len(s.text) > before { // the next attempt streams the text again
			s.text = s.text[:before]
			if err := s.save(nil); err != nil {
				return nil, err
			}
			s.publishUpdate()
		}
		s.addAside(records.Retry, err.Error())
		s.e.opts.Bus.Publish(bus.Retry{TurnRef: s.turn.TurnRef,
			Attempt: attempt + 1, DelayMS: delay.Milliseconds(), Error: err.Error()})
		if err := s.e.sleep(ctx, delay); err != nil {
			return nil, err
		}
	}
}

// send makes one request, streams the response, and stores it with its calls.
func (s *requestSession) send(ctx context.Context) (*response, error) {
	if err := s.compact(ctx, s.window()); err != nil {
		return nil, err
	}
	if err := s.reserveBudget(ctx); err != nil {
		return nil, err
	}
	messages, hidden := s.outgoing()
	s.view.sent = len(s.view.messages)
	if err := s.recordRequest(ctx, messages, hidden); err != nil {
		return nil, orElse(context.Cause(ctx), err)
	}
	s.publishRequestStarted()
	r := &response{start: len(s.text)}
	began := time.Now()
	err := s.stream(ctx, r, messages, &s.ledger.entry.usage)
	s.ledger.entry.latency = time.Since(began)
	s.learnScale(s.ledger.entry.usage.In)
	s.recordCost(&s.ledger.entry.usage)
	s.publishRequestFinished(err)
	s.answer.Usage.Add(s.ledger.entry.usage)
	s.noteContextUse(s.ledger.entry.usage)
	if err != nil {
		return nil, err
	}
	s.dropBlank(r)
	s.addStep(r)
	s.e.opts.Bus.Publish(bus.Usage{TurnRef: s.turn.TurnRef, Tokens: tokens(s.answer.Usage)})
	if len(r.calls) == 0 {
		return r, nil // stored at the end of the turn
	}
	return r, s.save(func(ctx context.Context, tx *sql.Tx) error {
		for _, c := range r.calls {
			if _, err := records.StoreCall(ctx, tx, c, records.ToolCall{StartedAt: now()}); err != nil {
				return err
			}
		}
		return nil
	})
}

// recordRequest adds the request to the ledger before it is sent, and stores the
// usage of the previous request.
func (s *requestSession) recordRequest(ctx context.Context, messages []llm.Message, hidden []int) error {
	next := s.newEntry(messages, hidden)
	err := s.e.opts.DB.Record(ctx, s.fenced(ctx, func(tx *sql.Tx) error {
		if err := s.settleEntry(ctx, tx); err != nil {
			return err
		}
		return next.insert(ctx, tx)
	}))
	if err == nil {
		s.ledger.entry = next
	}
	return err
}

// stream publishes the response as it arrives. It adds the calls only if the response
// is complete.
func (s *requestSession) stream(ctx context.Context, r *response, messages []llm.Message, usage *llm.Usage) error {
	var calls []llm.Call
	request := s.setup.model.Request(messages, s.view.tools, s.contextTokens())
	for c, err := range s.setup.model.Provider.Send(ctx, request) {
		if err != nil {
			return s.responseError(ctx, err)
		}
		if c.TextWasReasoning {
			if err := s.makeThought(r); err != nil {
				return err
			}
		}
		s.appendText(r, c)
		if c.Notice != "" {
			s.notice(c.Notice)
		}
		runtime.Gosched() // those who show the text go on first, before the next piece is read
		if c.Call != nil {
			calls = append(calls, *c.Call)
		}
		if c.Usage != nil {
			*usage = *c.Usage
		}
		if c.Finish != "" {
			r.finish, r.opaque = c.Finish, c.Opaque
		}
	}
	return s.addCalls(ctx, r, calls)
}

// addCalls adds the calls of a response. Each keeps the provider's id if that is unique in the
// conversation, whose earlier calls are all stored.
func (s *requestSession) addCalls(ctx context.Context, r *response, calls []llm.Call) error {
	if len(calls) == 0 {
		return nil
	}
	ids := make([]string, len(calls))
	for i, c := range calls {
		ids[i] = c.ID
	}
	used, err := records.CallIDs(ctx, s.e.opts.DB.Read(), s.turn.ConversationID, ids)
	if err != nil {
		return orElse(context.Cause(ctx), err)
	}
	for _, c := range calls {
		call := s.newCall(c, used)
		used[call.CallID] = true
		r.calls = append(r.calls, call)
	}
	return nil
}

// responseError returns the error of a response. An answer that is too large ends the
// turn as one that reached a limit. Secrets in a server's words are hidden.
func (s *requestSession) responseError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var e *llm.Error
	if !errors.As(err, &e) {
		return err
	}
	e.Message, _ = s.secrets.vault.Hide(e.Message)
	if e.Class == llm.TooLarge {
		return &limitError{bus.ErrorLimit, e.Error()}
	}
	return err
}

// appendText adds a chunk to the answer's text. Text after tool calls becomes a
// paragraph of its own.
func (s *requestSession) appendText(r *response, c llm.Chunk) {
	publish := func(text, thought string) {
		s.e.opts.Bus.Publish(bus.MessageDelta{TurnRef: s.turn.TurnRef, MessageID: s.answer.ID, Text: text, Thought: thought})
	}
	if c.Reasoning != "" {
		s.addThought(r, c.Reasoning)
		publish("", c.Reasoning)
	}
	if c.Text == "" {
		return
	}
	gap := ""
	if len(s.text) > 0 && r.start == len(s.text) {
		gap = strings.Repeat("\n", 2-min(2, len(s.text)-len(bytes.TrimRight(s.text, "\n"))))
		r.start += len(gap)
	}
	s.text = append(append(s.text, gap...), c.Text...)
	s.e.streamed.Add(s.answer.ID, gap+c.Text) // first: what a person has seen waits to be stored
	publish(gap+c.Text, "")
}

// makeThought makes a thought of the response's text so far.
func (s *requestSession) makeThought(r *response) error {
	thought := string(s.text[r.start:])
	s.text = s.text[:r.start]
	if err := s.save(nil); err != nil {
		return err
	}
	s.publishUpdate()
	s.appendText(r, llm.Chunk{Reasoning: thought})
	return nil
}

// newCall assigns ids to a call. It keeps the provider's id unless that is used.
func (s *requestSession) newCall(c llm.Call, used map[string]bool) bus.ToolCallRequested {
	id := newID()
	callID := c.ID
	if callID == "" || used[callID] {
		callID = repair.ShortID(id)
	}
	seq := s.kept.calls
	s.kept.calls++
	call := bus.CallRef{TurnRef: s.turn.TurnRef, ParentID: s.user.ID, ID: id, CallID: callID, Name: c.Name}
	return bus.ToolCallRequested{CallRef: call, Seq: seq, Vendor: vendor, Arguments: c.Arguments}
}

// addStep adds a step with the text and calls of r to the answer.
func (s *requestSession) addStep(r *response) {
	st := records.Response{Start: r.start, End: len(s.text), Opaque: r.opaque}
	for _, c := range r.calls {
		st.Calls = append(st.Calls, c.ID)
	}
	if st.End > st.Start || len(st.Calls) > 0 {
		s.answer.Responses = append(s.answer.Responses, st)
	}
}

// addAside keeps an aside at the current place of the answer.
func (s *requestSession) addAside(kind records.AsideKind, text string) {
	s.e.streamed.AddAside(s.answer.ID,
		records.Aside{Kind: kind, Text: text, Steps: len(s.answer.Responses), At: len(s.text)})
}

// addThought keeps the next piece of a response's thoughts, as long as they are not too long.
func (s *requestSession) addThought(r *response, text string) {
	room := maxThoughts - r.thought
	r.thought += len(text)
	switch {
	case room < 0:
		return
	case len(text) > room:
		for room > 0 && !utf8.RuneStart(text[room]) {
			room--
		}
		text = text[:room] + cutOff
	}
	s.addAside(records.Thought, text)
}

// maxThoughts is how many bytes of a response's thoughts are stored. What follows is only streamed.
const maxThoughts = 64 << 10

// cutOff ends a thought of which only the beginning is stored.
const cutOff = "\n…"
