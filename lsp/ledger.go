package lsp

import (
	"context"
	"time"

	"go.lsp.dev/uri"

	"ploke-lsp/internal/rpc"
	"ploke-lsp/lsp/client"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/project"
	"ploke-lsp/session"
)

func (q *queries) ledger(ctx context.Context, p *ploke.LedgerParams) (*ploke.LedgerResult, error) {
	project := q.project
	rpc.Release(ctx)
	ledger, err := project.Ledger(ctx, ledgerQuery(p))
	if err != nil {
		return nil, err
	}
	return EncodeLedger(ledger), nil
}

func ledgerQuery(p *ploke.LedgerParams) session.LedgerQuery {
	query := session.LedgerQuery{ConversationID: p.ConversationID, RequestID: p.TurnID, Limit: p.Limit}
	if p.Since > 0 {
		query.Since = time.UnixMilli(p.Since)
	}
	return query
}

// EncodeLedger returns a ledger in its wire form. The command line prints the same
// form as JSON.
func EncodeLedger(l *project.Ledger) *ploke.LedgerResult {
	result := &ploke.LedgerResult{Entries: []ploke.LedgerEntry{}, Total: client.EncodeUsage(l.Total), Today: l.Today,
		DailyLimit: l.DailyLimit}
	for _, e := range l.Entries {
		out := ploke.LedgerEntry{At: e.At.UnixMilli(), ConversationID: e.ConversationID, TurnID: e.RequestID,
			Provider: e.Provider, Host: e.Host, Model: e.Model, Bytes: e.Bytes, Secrets: e.Secrets,
			Usage: client.EncodeUsage(e.Usage), LatencyMS: e.Latency.Milliseconds(), Files: []ploke.SentFile{}}
		for _, f := range e.Files {
			sent := ploke.SentFile{URI: uri.File(f.Path), Path: f.Path, StartLine: f.StartLine, EndLine: f.EndLine,
				Bytes: f.Bytes, SHA256: f.SHA256}
			if f.Range != nil {
				bytes := ploke.ByteRange(*f.Range)
				sent.Range = &bytes
			}
			out.Files = append(out.Files, sent)
		}
		result.Entries = append(result.Entries, out)
	}
	return result
}
