package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/index"
	ploke "ploke-lsp/lsp/protocol"
)

// The targets from an edit until it is found, in milliseconds.
const (
	editTarget     = 10.0
	longEditTarget = 40.0
)

// edit inserts words into two files, in process and over the wire.
func (b *bench) edit(ctx context.Context, t *tree) error {
	if err := b.ready(ctx, t); err != nil {
		return err
	}
	for _, f := range []struct {
		path, name string
		target     float64
	}{{t.EditFile, "edit", editTarget}, {t.LongFile, "edit of a long file", longEditTarget}} {
		if err := b.editFile(ctx, t, f.path, f.name, f.target); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) editFile(ctx context.Context, t *tree, path, name string, target float64) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	inProcess, _, err := runWorker[editTimes](ctx, "edit", editRequest{t.dir, t.state, path, b.sampling.edits})
	if err != nil {
		return err
	}
	wired, err := b.editOverWire(ctx, t, path, text)
	if err != nil {
		return err
	}
	b.table.add(
		millis(t.name, name+" to found in process, p50", percentile(inProcess.Took, 50)).
			note("%d lines", bytes.Count(text, []byte("\n"))),
		millis(t.name, name+" to found in process, p95", percentile(inProcess.Took, 95)).atMost(target),
		millis(t.name, name+" in process, processor, mean", inProcess.CPU/time.Duration(b.sampling.edits)),
		millis(t.name, name+" to found over the wire, p50", percentile(wired, 50)).
			note("from didChange to the answer of a search"),
		millis(t.name, name+" to found over the wire, p95", percentile(wired, 95)).atMost(target),
	)
	return nil
}

// insertion is a text that is inserted at a byte offset.
type insertion struct {
	at   int // bytes
	text string
}

// insertions returns n edits between the words of a text, at random places, of words that occur in no file and are not
// like each other, so that none is found as another one misspelt. The seed is fixed.
func insertions(text []byte, n int) []insertion {
	random := rand.New(rand.NewPCG(3, 1000))
	var blanks []int
	for i, c := range text {
		if c == ' ' || c == '\n' || c == '\t' {
			blanks = append(blanks, i)
		}
	}
	if len(blanks) == 0 {
		blanks = []int{0}
	}
	all := make([]insertion, n)
	for i := range all {
		all[i] = insertion{blanks[random.IntN(len(blanks))], " " + unheardOf(random) + " "}
	}
	return all
}

// unheardOf returns a word of random consonants.
func unheardOf(random *rand.Rand) string {
	const consonants = "bcdfghjklmnpqrstvwxz"
	word := make([]byte, 12)
	for i := range word {
		word[i] = consonants[random.IntN(len(consonants))]
	}
	return string(word)
}

type editRequest struct {
	Dir, State string
	File       string
	Edits      int
}

// editTimes has the time of each edit, and the processor time of all edits.
type editTimes struct {
	Took []time.Duration
	CPU  time.Duration
}

// editInProcess measures the time from SetBuffer until a search finds the text.
func editInProcess(ctx context.Context, r editRequest) (all editTimes, err error) {
	x, err := open(ctx, r.Dir, r.State)
	if err != nil {
		return all, err
	}
	defer x.Close()
	text, err := os.ReadFile(r.File)
	if err != nil {
		return all, err
	}
	began := ownCPUTime()
	for _, e := range insertions(text, r.Edits) {
		typed := bytes.Join([][]byte{text[:e.at], text[e.at:]}, []byte(e.text))
		started := time.Now()
		if err := x.SetBuffer(ctx, r.File, typed); err != nil {
			return all, err
		}
		found, err := x.Search(ctx, index.Query{Text: e.text})
		if err != nil {
			return all, err
		}
		all.Took = append(all.Took, time.Since(started))
		if len(found.Hits) == 0 || found.Hits[0].Path != r.File {
			return all, fmt.Errorf("%q was inserted into %s and is not found", e.text, r.File)
		}
	}
	all.CPU = ownCPUTime() - began
	return all, nil
}

// editOverWire measures the time from didChange until a search right behind it finds the text. A search does not wait
// for the pause after which the server indexes what is typed.
func (b *bench) editOverWire(ctx context.Context, t *tree, path string, text []byte) ([]time.Duration, error) {
	s, err := b.serve(ctx, t)
	if err != nil {
		return nil, err
	}
	took, err := s.timeEdits(ctx, path, text, b.sampling.edits)
	return took, errors.Join(err, s.shutDown(ctx))
}

func (s *server) timeEdits(ctx context.Context, path string, text []byte, n int) ([]time.Duration, error) {
	id := uri.File(path)
	err := s.conn.Notify(ctx, protocol.MethodTextDocumentDidOpen, &protocol.DidOpenTextDocumentParams{
		TextDocument: protocol.TextDocumentItem{URI: id, Version: 1, Text: string(text)},
	})
	if err != nil {
		return nil, err
	}
	unknown := unheardOf(rand.New(rand.NewPCG(3, 1001)))
	switch found, err := s.finds(ctx, unknown, id); {
	case err != nil:
		return nil, err
	case found:
		return nil, fmt.Errorf("%q is in no file, but is found", unknown)
	}
	original := ploke.NewMapper(text, s.encoding)
	var took []time.Duration
	var changes []protocol.TextDocumentContentChangeEvent // of which the first removes the word that was inserted before
	for i, e := range insertions(text, n) {
		changes = append(changes, &protocol.TextDocumentContentChangePartial{Range: original.Range(e.at, e.at), Text: e.text})
		params := &protocol.DidChangeTextDocumentParams{ContentChanges: changes}
		params.TextDocument = protocol.VersionedTextDocumentIdentifier{
			TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: id}, Version: int32(i + 2),
		}
		started := time.Now()
		if err := s.conn.Notify(ctx, protocol.MethodTextDocumentDidChange, params); err != nil {
			return nil, err
		}
		if err := s.waitUntilFound(ctx, e.text, id); err != nil {
			return nil, err
		}
		took = append(took, time.Since(started))
		typed := ploke.NewMapper(slices.Concat(text[:e.at], []byte(e.text), text[e.at:]), s.encoding)
		changes = []protocol.TextDocumentContentChangeEvent{
			&protocol.TextDocumentContentChangePartial{Range: typed.Range(e.at, e.at+len(e.text))},
		}
	}
	return took, nil
}

// foundTimeout bounds the time until an edit is found.
const foundTimeout = 10 * time.Second

// waitUntilFound searches for the word until a search finds it in the file.
func (s *server) waitUntilFound(ctx context.Context, word string, in uri.URI) error {
	ctx, cancel := context.WithTimeoutCause(ctx, foundTimeout,
		fmt.Errorf("%q was inserted and is not found after %v", word, foundTimeout))
	defer cancel()
	for ctx.Err() == nil {
		switch found, err := s.finds(ctx, word, in); {
		case err != nil:
			return errors.Join(err, context.Cause(ctx))
		case found:
			return nil
		}
	}
	return context.Cause(ctx)
}

// finds reports whether the best hit of a search for the word is in the file.
func (s *server) finds(ctx context.Context, word string, in uri.URI) (bool, error) {
	var found ploke.SearchResult
	_, err := s.conn.Call(ctx, ploke.MethodSearch, &ploke.SearchParams{Query: word}, &found)
	return len(found.Results) > 0 && found.Results[0].URI == in, err
}
