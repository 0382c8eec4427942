package lsp

import (
	"context"
	"time"

	"ploke-lsp/internal/rpc"
	"ploke-lsp/lsp/client"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session"
)

func (q *queries) metrics(ctx context.Context, _ *rpc.None) (*ploke.MetricsResult, error) {
	engine := q.project.Engine
	rpc.Release(ctx)
	recent, err := engine.Metrics(ctx, engine.Started())
	if err != nil {
		return nil, err
	}
	stored, err := engine.Metrics(ctx, time.Time{})
	if err != nil {
		return nil, err
	}
	return &ploke.MetricsResult{SinceStart: encodeMetrics(recent), Stored: encodeMetrics(stored)}, nil
}

func encodeMetrics(m session.Metrics) ploke.Metrics {
	out := ploke.Metrics{Turns: map[string]int{}, Requests: m.Requests, Usage: client.EncodeUsage(m.Usage),
		Tools: []ploke.ToolMetrics{}}
	for status, n := range m.Turns {
		out.Turns[string(status)] = n
	}
	for _, t := range m.Tools {
		out.Tools = append(out.Tools,
			ploke.ToolMetrics{Tool: t.Name, Completed: t.Completed, Failed: t.Failed, TimedOut: t.TimedOut,
				MeanMS: milliseconds(t.MeanTime), LongestMS: milliseconds(t.LongestTime)})
	}
	return out
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
