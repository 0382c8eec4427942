package telemetry

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"ploke-lsp/session/bus"
)

// observer makes spans and metrics from events. One goroutine uses it.
type observer struct {
	tracer   trace.Tracer
	counters *instruments
	turns    map[string]*openSpan // by request id
	steps    map[string]*openSpan // requests and calls, by id
}

// openSpan is a turn, request or call that has begun.
type openSpan struct {
	trace.Span
	ctx   context.Context // parent of child spans
	began time.Time
	tool  string // of a started call
}

func newObserver(tracer trace.Tracer, counters *instruments) *observer {
	return &observer{tracer: tracer, counters: counters, turns: map[string]*openSpan{}, steps: map[string]*openSpan{}}
}

// follow handles events until the subscription ends, and returns its error.
func (o *observer) follow(sub *bus.Subscription) error {
	for {
		e, err := sub.Next(context.Background())
		if err != nil {
			return err
		}
		o.handle(e)
	}
}

func (o *observer) handle(e bus.Event) {
	switch e := e.(type) {
	case bus.TurnStarted:
		o.turns[e.RequestID] = o.begin(context.Background(), "turn", e.RequestID,
			attribute.String("parent_id", e.ParentID), attribute.String("conversation_id", e.ConversationID))
	case bus.PromptConstructed:
		if turn := o.turns[e.RequestID]; turn != nil {
			turn.SetAttributes(attribute.String("model", e.Model), attribute.Int("messages", e.Messages))
		}
	case bus.RequestStarted:
		o.step(e.ID, "request", e.RequestID, attribute.String("parent_id", e.ParentID), attribute.String("model", e.Model))
	case bus.RequestFinished:
		o.requestEnded(e)
	case bus.ToolCallRequested:
		o.step(e.ID, "tool call", e.RequestID, attribute.String("parent_id", e.ParentID),
			attribute.String("call_id", e.CallID))
	case bus.ToolCallStarted:
		if call := o.steps[e.ID]; call != nil {
			call.began, call.tool = time.Now(), e.Name // the clock runs, and the tool exists
			call.SetAttributes(attribute.String("tool", e.Name))
			call.AddEvent("started")
		}
	case bus.ToolCallCompleted:
		o.callEnded(e.ID, "")
	case bus.ToolCallFailed:
		o.callEnded(e.ID, e.Code)
	case bus.TurnFinished:
		o.turnEnded(e)
	}
}

func (o *observer) begin(ctx context.Context, name, turn string, attributes ...attribute.KeyValue) *openSpan {
	attributes = append(attributes, attribute.String("request_id", turn))
	ctx, span := o.tracer.Start(ctx, name, trace.WithAttributes(attributes...))
	return &openSpan{Span: span, ctx: ctx, began: time.Now()}
}

// step begins a request or call within a turn.
func (o *observer) step(id, name, turn string, attributes ...attribute.KeyValue) {
	ctx := context.Background()
	if t := o.turns[turn]; t != nil {
		ctx = t.ctx
	}
	o.steps[id] = o.begin(ctx, name, turn, attributes...)
}

func (o *observer) requestEnded(e bus.RequestFinished) {
	request := o.steps[e.ID]
	if request == nil {
		return
	}
	delete(o.steps, e.ID)
	request.SetAttributes(usage(e.Tokens)...)
	request.end(e.Error != "")
	o.counters.requestEnded(e, time.Since(request.began))
}

// callEnded ends a call; code is empty if it succeeded.
func (o *observer) callEnded(id string, code bus.Code) {
	call := o.steps[id]
	if call == nil {
		return
	}
	delete(o.steps, id)
	outcome := outcomeOf(code != "")
	if code != "" {
		call.SetAttributes(attribute.String("code", string(code)))
	}
	if code == bus.CodeTimeout {
		outcome = "timeout"
	}
	call.end(code != "")
	o.counters.callEnded(call.tool, outcome, time.Since(call.began))
}

func (o *observer) turnEnded(e bus.TurnFinished) {
	turn := o.turns[e.RequestID]
	if turn == nil {
		return
	}
	delete(o.turns, e.RequestID)
	turn.SetAttributes(append(usage(e.Usage), attribute.String("stop_reason", string(e.StopReason)))...)
	turn.end(e.StopReason == bus.StopError)
	o.counters.turnEnded(e, time.Since(turn.began))
}

func (w *openSpan) end(failed bool) {
	if failed {
		w.SetStatus(codes.Error, "")
	}
	w.End()
}

func usage(t bus.Tokens) []attribute.KeyValue {
	return []attribute.KeyValue{attribute.Int("tokens_in", t.In), attribute.Int("tokens_out", t.Out),
		attribute.Int("tokens_cached", t.Cached), attribute.Float64("cost", t.Cost)}
}
