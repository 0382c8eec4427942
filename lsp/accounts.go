package lsp

import (
	"bytes"
	"context"
	"slices"
	"time"

	"go.lsp.dev/uri"

	"ploke-lsp/internal/config"
	"ploke-lsp/internal/workspace"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/telemetry"
)

// startTelemetry exports what happens, if the environment or the settings name a
// collector. Where that fails, all else works.
func (p *project) startTelemetry(s *Server, settings config.Telemetry) {
	collector, err := telemetry.Find(s.options.Getenv, settings.Endpoint, settings.Headers)
	if err == nil && collector != nil {
		p.telemetry, err = telemetry.Start(p.bus, collector, s.options.HTTPClient, s.options.Version, s.log)
	}
	if err != nil {
		s.log.Warn("telemetry is not exported", "error", err)
	}
}

// stopTelemetry exports what is left; the bus must be closed.
func (p *project) stopTelemetry() {
	if p.telemetry == nil {
		return
	}
	if err := p.telemetry.Close(); err != nil {
		p.log.Warn("the last telemetry was not exported", "error", err)
	}
}

func (s *Server) ledger(ctx context.Context, p *ploke.LedgerParams) (*ploke.LedgerResult, error) {
	project := s.project
	release(ctx)
	query := session.LedgerQuery{ConversationID: p.ConversationID, RequestID: p.TurnID, Limit: p.Limit}
	if p.Since > 0 {
		query.Since = time.UnixMilli(p.Since)
	}
	entries, err := project.engine.Ledger(ctx, query)
	if err != nil {
		return nil, err
	}
	result := &ploke.LedgerResult{Entries: []ploke.LedgerEntry{}}
	if result.Today, result.DailyLimit, err = project.engine.Spent(ctx); err != nil {
		return nil, err
	}
	var total llm.Usage
	texts := texts{workspace: project.workspace, known: map[string][]byte{}}
	for _, e := range entries {
		total.Add(e.Usage)
		result.Entries = append(result.Entries, texts.entry(ctx, e))
	}
	result.Total = spent(total)
	return result, nil
}

// texts reads files once each.
type texts struct {
	workspace *workspace.Workspace
	known     map[string][]byte
}

// at is what a file says now, nil if there is none or it may not be read.
func (t texts) at(ctx context.Context, path string) []byte {
	text, ok := t.known[path]
	if !ok {
		if file, err := t.workspace.Read(ctx, path); err == nil {
			text = file.Text
		}
		t.known[path] = text
	}
	return text
}

func (t texts) entry(ctx context.Context, e session.LedgerEntry) ploke.LedgerEntry {
	out := ploke.LedgerEntry{At: e.At.UnixMilli(), ConversationID: e.ConversationID, TurnID: e.RequestID,
		Provider: e.Provider, Host: e.Host, Model: e.Model, Bytes: e.Bytes, Secrets: e.Secrets,
		Usage: spent(e.Usage), LatencyMS: e.Latency.Milliseconds(), Files: []ploke.SentFile{}}
	for _, f := range e.Files {
		out.Files = append(out.Files, ploke.SentFile{URI: uri.File(f.Path), Path: f.Path, StartLine: f.StartLine, EndLine: f.EndLine,
			Bytes: f.Bytes, SHA256: f.SHA256, Range: byteRange(t.at(ctx, f.Path), f)})
	}
	return out
}

// byteRange is where the lines of f are in text, nil if they say something else
// there now. Lines are sent with their end, even one that has none.
func byteRange(text []byte, f session.SentFile) *ploke.ByteRange {
	start := 0
	for range f.StartLine - 1 {
		length := bytes.IndexByte(text[start:], '\n') + 1
		if length == 0 {
			return nil
		}
		start += length
	}
	lines := text[start:min(start+f.Bytes, len(text))]
	sent := lines
	if len(lines) == f.Bytes-1 {
		sent = append(slices.Clip(lines), '\n')
	}
	if workspace.Hash(sent) != f.SHA256 {
		return nil
	}
	return &ploke.ByteRange{Start: start, End: start + len(lines)}
}

func (s *Server) metrics(ctx context.Context, _ *noParams) (*ploke.MetricsResult, error) {
	engine := s.project.engine
	release(ctx)
	recent, err := engine.Metrics(ctx, engine.Started())
	if err != nil {
		return nil, err
	}
	stored, err := engine.Metrics(ctx, time.Time{})
	if err != nil {
		return nil, err
	}
	return &ploke.MetricsResult{SinceStart: metrics(recent), Stored: metrics(stored)}, nil
}

func metrics(m session.Metrics) ploke.Metrics {
	out := ploke.Metrics{Turns: map[string]int{}, Requests: m.Requests, Usage: spent(m.Usage), Tools: []ploke.ToolMetrics{}}
	for status, n := range m.Turns {
		out.Turns[string(status)] = n
	}
	for _, t := range m.Tools {
		out.Tools = append(out.Tools, ploke.ToolMetrics{Tool: t.Name, Completed: t.Completed, Failed: t.Failed, TimedOut: t.TimedOut,
			MeanMS: milliseconds(t.MeanTime), LongestMS: milliseconds(t.LongestTime)})
	}
	return out
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func spent(u llm.Usage) ploke.Usage {
	return ploke.Usage{In: u.In, Out: u.Out, Cached: u.Cached, Cost: u.Cost}
}
