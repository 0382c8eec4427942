package session

import (
	"context"
	"database/sql"
	"errors"
	"runtime"
	"time"

	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/records"
)

// requester sends a turn's requests to its model. It reserves what they may cost, writes them into the ledger, streams
// the responses, and repeats a request that failed: as it was, shortened, or to another model.
type requester struct {
	*turnRecord
	setup   *turnSetup
	secrets *turnSecrets
	view    *modelView
}

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
func (q *requester) requestModel(ctx context.Context) (*response, error) {
	refusals, doubted := 0, false
	for attempt := 1; ; attempt++ {
		before := len(q.text)
		r, err := q.send(ctx)
		if err == nil {
			return r, nil
		}
		delay, again := backOff(err, attempt, q.setup.limits.Retries)
		switch {
		case again:
		case refusal(err) != nil && refusals < maxRefusals:
			if err := q.fitRefused(ctx, refusal(err)); err != nil {
				return nil, err
			}
			refusals, attempt = refusals+1, 0
		case !doubted && q.maybeTooLong(err):
			doubted = true
			if err := q.fitRefused(ctx, providerError(err)); err != nil {
				return nil, err
			}
			attempt = 0
		default:
			if err := q.fallBack(ctx, err); err != nil {
				return nil, err
			}
			attempt = 0 // the fallback model has its own attempts
		}
		if len(q.text) > before { // the next attempt streams the text again
			q.text = q.text[:before]
			if err := q.save(nil); err != nil {
				return nil, err
			}
			q.publishUpdate()
		}
		q.addAside(records.Retry, err.Error())
		q.e.opts.Bus.Publish(bus.Retry{TurnRef: q.turn.TurnRef,
			Attempt: attempt + 1, DelayMS: delay.Milliseconds(), Error: err.Error()})
		if err := q.e.sleep(ctx, delay); err != nil {
			return nil, err
		}
	}
}

// send makes one request, streams the response, and stores it with its calls.
func (q *requester) send(ctx context.Context) (*response, error) {
	if err := q.compact(ctx, q.setup.window()); err != nil {
		return nil, err
	}
	if err := q.reserveBudget(ctx); err != nil {
		return nil, err
	}
	messages, hidden := q.view.outgoing()
	q.view.sent = len(q.view.messages)
	if err := q.recordRequest(ctx, messages, hidden); err != nil {
		return nil, orElse(context.Cause(ctx), err)
	}
	q.publishRequestStarted()
	r := &response{start: len(q.text)}
	began := time.Now()
	err := q.stream(ctx, r, messages, &q.ledger.entry.usage)
	q.ledger.entry.latency = time.Since(began)
	q.learnScale(q.ledger.entry.usage.In)
	q.recordCost(&q.ledger.entry.usage)
	q.publishRequestFinished(err)
	q.answer.Usage.Add(q.ledger.entry.usage)
	q.noteContextUse(q.ledger.entry.usage)
	if err != nil {
		return nil, err
	}
	q.dropBlank(r)
	q.addStep(r)
	q.e.opts.Bus.Publish(bus.Usage{TurnRef: q.turn.TurnRef, Tokens: busTokens(q.answer.Usage), Context: q.answer.Context})
	if len(r.calls) == 0 {
		return r, nil // stored at the end of the turn
	}
	return r, q.save(func(ctx context.Context, tx *sql.Tx) error {
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
func (q *requester) recordRequest(ctx context.Context, messages []llm.Message, hidden []int) error {
	next := q.newEntry(messages, hidden)
	err := q.e.opts.DB.Record(ctx, q.fenced(ctx, func(tx *sql.Tx) error {
		if err := q.settleEntry(ctx, tx); err != nil {
			return err
		}
		return next.insert(ctx, tx)
	}))
	if err == nil {
		q.ledger.entry = next
	}
	return err
}

// stream publishes the response as it arrives. It adds the calls only if the response
// is complete.
func (q *requester) stream(ctx context.Context, r *response, messages []llm.Message, usage *llm.Usage) error {
	var calls []llm.Call
	request := q.setup.model.Request(messages, q.view.tools, q.setup.contextTokens())
	for c, err := range q.setup.model.Provider.Send(ctx, request) {
		if err != nil {
			return q.responseError(ctx, err)
		}
		if c.TextWasReasoning {
			if err := q.makeThought(r); err != nil {
				return err
			}
		}
		q.appendText(r, c)
		if c.Notice != "" {
			q.notice(c.Notice)
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
	return q.addCalls(ctx, r, calls)
}

// addCalls adds the calls of a response. Each keeps the provider's id if that is unique in the
// conversation, whose earlier calls are all stored.
func (q *requester) addCalls(ctx context.Context, r *response, calls []llm.Call) error {
	if len(calls) == 0 {
		return nil
	}
	ids := make([]string, len(calls))
	for i, c := range calls {
		ids[i] = c.ID
	}
	used, err := records.CallIDs(ctx, q.e.opts.DB.Read(), q.turn.ConversationID, ids)
	if err != nil {
		return orElse(context.Cause(ctx), err)
	}
	for _, c := range calls {
		call := q.newCall(c, used)
		used[call.CallID] = true
		r.calls = append(r.calls, call)
	}
	return nil
}

// responseError returns the error of a response. An answer that is too large ends the
// turn as one that reached a limit. Secrets in a server's words are hidden.
func (q *requester) responseError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var e *llm.Error
	if !errors.As(err, &e) {
		return err
	}
	e.Message, _ = q.secrets.vault.Hide(e.Message)
	if e.Class == llm.TooLarge {
		return &limitError{bus.ErrorLimit, e.Error()}
	}
	return err
}
