package main

import (
	"context"
	"errors"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

const soakConversation = 20 // turns in each conversation of the soak

// memoryOverTime measures what a server keeps: after a large document was closed, and after turns that run for long.
func (b *bench) memoryOverTime(ctx context.Context, t *tree) error {
	return errors.Join(b.largeDocument(ctx, t), b.soak(ctx, t))
}

// largeDocument measures the memory of a server before a large document is opened and after it is closed.
func (b *bench) largeDocument(ctx context.Context, t *tree) (err error) {
	folder, err := b.oneFileTree(t.name)
	if err != nil {
		return err
	}
	s, err := b.serve(ctx, folder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.shutDown(ctx)) }()
	before, err := s.waitForStableMemory(ctx, b.sampling.stableFor)
	if err != nil {
		return err
	}
	line := "func f() { return } // a line of a large file\n"
	name := uri.File(filepath.Join(folder.dir, "large.go"))
	err = s.conn.Notify(ctx, protocol.MethodTextDocumentDidOpen,
		&protocol.DidOpenTextDocumentParams{TextDocument: protocol.TextDocumentItem{
			URI: name, LanguageID: "go", Version: 1, Text: strings.Repeat(line, b.sampling.large/len(line))}})
	if err != nil {
		return err
	}
	open, err := s.waitForStableMemory(ctx, b.sampling.stableFor)
	if err != nil {
		return err
	}
	err = s.conn.Notify(ctx, protocol.MethodTextDocumentDidClose,
		&protocol.DidCloseTextDocumentParams{TextDocument: protocol.TextDocumentIdentifier{URI: name}})
	if err != nil {
		return err
	}
	after, err := s.waitForStableMemory(ctx, b.sampling.stableFor)
	if err != nil {
		return err
	}
	b.table.add(megabytes(t.name, "serve after a large document was closed", after.anonymous).
		vs("before it was opened", inMB(before.anonymous)).
		note("%.0f MB while its %d MB were open", inMB(open.anonymous), b.sampling.large>>20))
	return nil
}

// soak measures how much the memory of a server grows while turns run one after another.
func (b *bench) soak(ctx context.Context, t *tree) (err error) {
	url, stop, err := startModelServer(http.HandlerFunc(obey))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	folder, err := b.oneFileTree(t.name)
	if err != nil {
		return err
	}
	s, err := b.serve(ctx, folder, "PLOKE_BASE_URL="+url, "PLOKE_MODEL=m", "PLOKE_API_KEY=")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.shutDown(ctx)) }()
	window := b.sampling.soak / 8
	// what is kept of the past is bounded, and full after a while
	if _, _, err := s.turnsFor(ctx, window); err != nil {
		return err
	}
	_, before, err := s.turnsFor(ctx, window)
	if err != nil {
		return err
	}
	turns, _, err := s.turnsFor(ctx, b.sampling.soak-window)
	if err != nil {
		return err
	}
	// from the middle of one window to that of the other is the time of the soak
	last, after, err := s.turnsFor(ctx, window)
	if err != nil {
		return err
	}
	grown := inMB(after - before)
	b.table.add(figure{Tree: t.name, Name: "serve grows while turns run, a minute",
		Value: grown / b.sampling.soak.Minutes(), Unit: "MB"}.
		atMost(0.1).note("%d turns in %v, then %.0f MB", turns+last, b.sampling.soak, inMB(after)))
	return nil
}

// turnsFor runs turns with a call for a while, and returns how many, and the median of the server's anonymous memory. A
// single reading says how far the garbage collector has come, more than what is kept.
func (s *server) turnsFor(ctx context.Context, long time.Duration) (turns int, memory int64, err error) {
	conversation := ""
	var readings []int64
	for end := time.Now().Add(long); time.Now().Before(end); turns++ {
		if turns%soakConversation == 0 {
			conversation = ""
			m, err := readResident(s.cmd.Process.Pid)
			if err != nil {
				return turns, 0, err
			}
			readings = append(readings, m.anonymous)
		}
		if conversation, _, err = s.ask(ctx, conversation, "list_dir 1"); err != nil {
			return turns, 0, err
		}
	}
	return turns, percentile(readings, 50), nil
}
