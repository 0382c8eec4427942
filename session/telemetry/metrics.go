package telemetry

import (
	"context"
	"errors"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"ploke-lsp/session/bus"
)

// instruments are the counters and histograms. An outcome is completed, failed or
// timeout; times are in seconds.
type instruments struct {
	turns, calls, requests       metric.Int64Counter
	turnTime, callTime, wireTime metric.Float64Histogram
	tokens                       metric.Int64Counter
	cost                         metric.Float64Counter
}

func newInstruments(m metric.Meter) (*instruments, error) {
	var in instruments
	var errs []error
	count := func(to *metric.Int64Counter, name, what string) {
		c, err := m.Int64Counter(name, metric.WithDescription(what))
		*to, errs = c, append(errs, err)
	}
	measure := func(to *metric.Float64Histogram, name, what string) {
		h, err := m.Float64Histogram(name, metric.WithUnit("s"), metric.WithDescription(what))
		*to, errs = h, append(errs, err)
	}
	count(&in.turns, "ploke.turns", "Turns that ended, by stop_reason.")
	count(&in.calls, "ploke.tool.calls", "Tool calls that ended, by tool and outcome.")
	count(&in.requests, "ploke.requests", "Requests to models that ended, by model and outcome.")
	count(&in.tokens, "ploke.tokens", "Tokens used, by model and kind: in, out, and cached among in.")
	measure(&in.turnTime, "ploke.turn.duration", "Time of a turn, by stop_reason.")
	measure(&in.callTime, "ploke.tool.duration", "Time of a tool call, by tool and outcome.")
	measure(&in.wireTime, "ploke.request.duration", "Time of a request to a model, by model and outcome.")
	cost, err := m.Float64Counter("ploke.cost", metric.WithUnit("USD"),
		metric.WithDescription("What requests have cost, by model."))
	in.cost = cost
	return &in, errors.Join(append(errs, err)...)
}

func (in *instruments) turnEnded(e bus.TurnFinished, took time.Duration) {
	by := metric.WithAttributes(attribute.String("stop_reason", string(e.StopReason)))
	in.turns.Add(context.Background(), 1, by)
	in.turnTime.Record(context.Background(), took.Seconds(), by)
}

// callEnded counts a call. tool is empty if no tool was started, since a model may
// call any name.
func (in *instruments) callEnded(tool, outcome string, took time.Duration) {
	by := metric.WithAttributes(attribute.String("tool", tool), attribute.String("outcome", outcome))
	in.calls.Add(context.Background(), 1, by)
	in.callTime.Record(context.Background(), took.Seconds(), by)
}

func (in *instruments) requestEnded(e bus.RequestFinished, took time.Duration) {
	ctx, model := context.Background(), attribute.String("model", e.Model)
	by := metric.WithAttributes(model, attribute.String("outcome", outcomeOf(e.Error != "")))
	in.requests.Add(ctx, 1, by)
	in.wireTime.Record(ctx, took.Seconds(), by)
	for kind, n := range map[string]int{"in": e.In, "out": e.Out, "cached": e.Cached} {
		in.tokens.Add(ctx, int64(n), metric.WithAttributes(model, attribute.String("kind", kind)))
	}
	in.cost.Add(ctx, e.Cost, metric.WithAttributes(model))
}

func outcomeOf(failed bool) string {
	if failed {
		return "failed"
	}
	return "completed"
}
