package project

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"ploke-lsp/internal/store"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/session"
	"ploke-lsp/session/llm"
)

// A Ledger is a list of requests to models, with what they have cost.
type Ledger struct {
	Entries []LedgerEntry
	Total   llm.Usage
	// Today is what this day's requests have cost, and DailyLimit what they may
	// cost, 0 for no limit, in US dollars.
	Today, DailyLimit float64
}

// A LedgerEntry is one request. Files replaces the entry's own.
type LedgerEntry struct {
	session.LedgerEntry
	Files []SentFile
}

// StaysHere reports whether no other program got the request: it was for the embedded model.
func (e LedgerEntry) StaysHere() bool { return e.Host == "" && e.Provider != session.ToAgents }

// A SentFile is a piece of a file that was sent. Range is where its bytes are in
// the file now, nil if the file has changed there since.
type SentFile struct {
	session.SentFile
	Range *ByteRange
}

// A ByteRange is the bytes [Start, End) of a text.
type ByteRange struct{ Start, End int }

// Ledger returns the requests that match a query.
func (p *Project) Ledger(ctx context.Context, q session.LedgerQuery) (*Ledger, error) {
	return readLedger(ctx, p.Workspace, p.Engine, q)
}

// OpenLedger returns the requests that match a query, of a folder that need not
// be open otherwise.
func OpenLedger(ctx context.Context, o Options, root string, q session.LedgerQuery) (l *Ledger, err error) {
	o.complete()
	w, err := workspace.New([]string{root}, workspaceOptions(o.Settings.Now()))
	if err != nil {
		return nil, err
	}
	db, engine, err := openEngine(ctx, o, store.Folder(o.StateDir, firstRoot(w)))
	if db != nil {
		defer func() { err = errors.Join(err, db.Close()) }()
	}
	if err != nil {
		return nil, err
	}
	defer engine.Close()
	return readLedger(ctx, w, engine, q)
}

func readLedger(ctx context.Context, w *workspace.Workspace, engine *session.Engine,
	q session.LedgerQuery) (*Ledger, error) {
	entries, err := engine.Ledger(ctx, q)
	if err != nil {
		return nil, err
	}
	l := &Ledger{}
	if l.Today, l.DailyLimit, err = engine.Spent(ctx); err != nil {
		return nil, err
	}
	texts := readTexts{workspace: w, read: map[string][]byte{}}
	for _, e := range entries {
		l.Total.Add(e.Usage)
		entry := LedgerEntry{LedgerEntry: e}
		for _, f := range e.Files {
			entry.Files = append(entry.Files, SentFile{f, findSent(texts.of(ctx, f.Path), f)})
		}
		l.Entries = append(l.Entries, entry)
	}
	return l, nil
}

// readTexts reads each file once.
type readTexts struct {
	workspace *workspace.Workspace
	read      map[string][]byte
}

// of returns a file's text, nil if there is none or it may not be read.
func (t readTexts) of(ctx context.Context, path string) []byte {
	text, ok := t.read[path]
	if !ok {
		if file, err := t.workspace.Read(ctx, path); err == nil {
			text = file.Text
		}
		t.read[path] = text
	}
	return text
}

// findSent returns where the lines of f are in text, nil if the text says
// something else there now. Lines are sent with a line break, even if the file
// has none at its end.
func findSent(text []byte, f session.SentFile) *ByteRange {
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
	return &ByteRange{Start: start, End: start + len(lines)}
}
