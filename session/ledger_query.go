package session

import (
	"context"
	"encoding/json"
	"time"

	"ploke-lsp/internal/store"
	"ploke-lsp/session/llm"
)

// LedgerQuery filters entries of the ledger. Zero fields don't filter.
type LedgerQuery struct {
	Since          time.Time
	ConversationID string
	RequestID      string // the turn
	Limit          int    // only the newest entries
}

// LedgerEntry is one request to a provider, or with ToAgents as the provider one [HandedOver]: its
// agent is the host, its call the model. Its usage and latency are zero while the request runs, and
// stay zero if the program ended first.
type LedgerEntry struct {
	ID, RequestID, ConversationID string // RequestID is the turn
	Provider, Host, Model         string // Host is "" for a provider in this process
	Bytes                         int    // of all messages and tools, before the provider's encoding
	Secrets                       int    // number of placeholders in them
	// Files are the pieces of files that the request sent, without those that an
	// earlier request of the turn sent to the same provider.
	Files   []SentFile
	Usage   llm.Usage
	Latency time.Duration
	At      time.Time
}

// Ledger returns the requests that were sent to providers, oldest first.
func (e *Engine) Ledger(ctx context.Context, q LedgerQuery) ([]LedgerEntry, error) {
	if q.Limit <= 0 {
		q.Limit = -1 // no limit in SQLite
	}
	rows, err := e.opts.DB.Read().QueryContext(ctx, `
		SELECT id, request_id, conversation_id, provider, host, model, files, tokens_in, tokens_out, tokens_cached, cost, latency_ms, created_at,
			(SELECT coalesce(sum(value ->> 'bytes'), 0) FROM json_each(sent)),
			(SELECT coalesce(sum(value ->> 'secrets'), 0) FROM json_each(sent))
		FROM (SELECT rowid AS place, * FROM ledger
			WHERE created_at >= ?1 AND (?2 = '' OR conversation_id = ?2) AND (?3 = '' OR request_id = ?3)
			ORDER BY rowid DESC LIMIT ?4)
		ORDER BY place`, unixMilli(q.Since), q.ConversationID, q.RequestID, q.Limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var entries []LedgerEntry
	for rows.Next() {
		entry, err := scanEntry(rows.Scan)
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry)
	}
	return entries, rows.Err()
}

func scanEntry(scan func(...any) error) (e LedgerEntry, err error) {
	var files store.Text
	var latency, at int64
	err = scan(&e.ID, &e.RequestID, &e.ConversationID, &e.Provider, &e.Host, &e.Model, &files,
		&e.Usage.In, &e.Usage.Out, &e.Usage.Cached, &e.Usage.Cost, &latency, &at, &e.Bytes, &e.Secrets)
	if err != nil {
		return e, err
	}
	e.Latency, e.At = time.Duration(latency)*time.Millisecond, time.UnixMilli(at)
	return e, json.Unmarshal([]byte(files), &e.Files)
}

// unixMilli returns t as it is stored; the zero time is 0, which is before all
// entries.
func unixMilli(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}
