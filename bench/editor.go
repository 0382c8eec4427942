package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	ploke "ploke-lsp/lsp/protocol"
)

const (
	// typedFileSize is the preferred size of the file in which is typed, in bytes.
	typedFileSize = 200 << 10
	// keyPause is the time between the requests for two keys.
	keyPause = 10 * time.Millisecond
	// keysAtOnePlace is how many keys are typed before the next place.
	keysAtOnePlace = 8
	busyTurns      = 3
	// emptyChat is a chat document in which nothing was written.
	emptyChat = "<!-- ploke chat -->\n\n## You 1\n"
)

// editor measures what a person waits for who types in a large file: first with nothing else going
// on, then while the whole tree is indexed and three turns run.
func (b *bench) editor(ctx context.Context, t *tree) (err error) {
	if err := b.ready(ctx, t); err != nil {
		return err
	}
	e, err := newTypist(t)
	if err != nil {
		return err
	}
	url, stop, err := startModelServer(http.HandlerFunc(talk))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	config, err := b.writeSettings("symbols = [\"all\"]\n")
	if err != nil {
		return err
	}
	e.server, err = b.serve(ctx, t, "XDG_CONFIG_HOME="+config, "PLOKE_BASE_URL="+url, "PLOKE_MODEL=m", "PLOKE_API_KEY=")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.server.shutDown(ctx)) }()
	if err := e.open(ctx); err != nil {
		return err
	}
	idle, err := e.typeKeys(ctx, b.sampling.keys, nil)
	if err != nil {
		return err
	}
	busy, err := e.typeWhileBusy(ctx, b.sampling.keys)
	if err != nil {
		return err
	}
	b.table.add(idle.figures(t.name, "", fmt.Sprintf("%d keys, in a file of %d KB", len(idle.change), len(e.text)>>10))...)
	b.table.add(busy.figures(t.name, " while indexing",
		fmt.Sprintf("%d keys, during %d turns", len(busy.change), busyTurns))...)
	return nil
}

// keyTimes has the times for each key.
type keyTimes struct{ change, action, completion, symbol []time.Duration }

// The targets, in milliseconds, if nothing else is going on.
const (
	actionTarget = 20.0
	symbolTarget = 5.0
)

func (k keyTimes) figures(tree, when, note string) (all []figure) {
	for _, f := range []struct {
		name   string
		took   []time.Duration
		target float64
	}{
		{"didChange", k.change, 0}, {"code action", k.action, actionTarget},
		{"completion in the chat", k.completion, 0}, {"workspace/symbol", k.symbol, symbolTarget},
	} {
		p99 := millis(tree, f.name+when+", p99", percentile(f.took, 99))
		if when == "" && f.target > 0 {
			p99 = p99.atMost(f.target)
		}
		all = append(all, millis(tree, f.name+when+", p50", percentile(f.took, 50)).note("%s", note), p99)
	}
	return all
}

// A typist types in one file, and asks about symbols in a chat document.
type typist struct {
	server  *server
	file    uri.URI
	text    []byte
	version int32
	chat    uri.URI
	places  []insertion
	words   []string // beginnings of names in the text
	keys    int      // typed so far
}

var longName = regexp.MustCompile(`\b[A-Za-z]\w{5,}`)

// newTypist chooses the parsed file of the tree whose size comes closest to 200 KB from below.
func newTypist(t *tree) (*typist, error) {
	list, err := readList(t.list)
	if err != nil {
		return nil, err
	}
	path := fileToType(list, t.Language)
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	e := &typist{file: uri.File(path), text: text, chat: uri.File(filepath.Join(t.state, "bench.ploke.md")),
		places: insertions(text, 100)}
	for i, name := range longName.FindAllString(string(text), -1) {
		e.words = append(e.words, name[:3+i%(len(name)-2)])
	}
	if len(e.words) == 0 {
		return nil, fmt.Errorf("there are no names in %s", path)
	}
	return e, nil
}

// fileToType returns the largest file in a language that is not above the preferred size.
func fileToType(list []listedFile, language string) (path string) {
	size := int64(0)
	for _, f := range list {
		info, err := os.Stat(f.path)
		if err == nil && f.language == language && info.Size() <= typedFileSize && info.Size() > size {
			path, size = f.path, info.Size()
		}
	}
	return path
}

func (e *typist) open(ctx context.Context) error {
	for id, text := range map[uri.URI]string{e.file: string(e.text), e.chat: emptyChat} {
		item := protocol.TextDocumentItem{URI: id, Version: 1, Text: text}
		if err := e.server.conn.Notify(ctx, protocol.MethodTextDocumentDidOpen,
			&protocol.DidOpenTextDocumentParams{TextDocument: item}); err != nil {
			return err
		}
	}
	e.version = 1
	return nil
}

// closed reports whether a channel is closed or nil.
func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return c == nil
	}
}

// typeKeys types at least n keys, and goes on until a channel is closed, unless it is nil. After
// each key it makes each request once.
func (e *typist) typeKeys(ctx context.Context, n int, until <-chan struct{}) (k keyTimes, err error) {
	for i := 0; i < n || !closed(until); i++ {
		if err := e.typeKey(ctx, &k); err != nil {
			return k, err
		}
		time.Sleep(keyPause)
	}
	return k, nil
}

func (e *typist) typeKey(ctx context.Context, k *keyTimes) error {
	at := e.places[e.keys/keysAtOnePlace%len(e.places)].at
	place := ploke.NewMapper(e.text, e.server.encoding).Range(at, at)
	word := e.words[e.keys%len(e.words)]
	e.text = append(append(append([]byte(nil), e.text[:at]...), 'x'), e.text[at:]...)
	e.keys++
	document := protocol.TextDocumentIdentifier{URI: e.file}
	for _, step := range []struct {
		took *[]time.Duration
		do   func() error
	}{
		{&k.change, func() error {
			if err := e.change(ctx, e.file, &protocol.TextDocumentContentChangePartial{Range: place, Text: "x"}); err != nil {
				return err
			}
			return e.call(ctx, protocol.MethodTextDocumentHover, hoverAt(document, place.Start))
		}},
		{&k.action, func() error {
			return e.call(ctx, protocol.MethodTextDocumentCodeAction, &protocol.CodeActionParams{TextDocument: document, Range: place})
		}},
		{&k.completion, func() error { return e.complete(ctx, word) }},
		{&k.symbol, func() error {
			return e.call(ctx, protocol.MethodWorkspaceSymbol, &protocol.WorkspaceSymbolParams{Query: word})
		}},
	} {
		started := time.Now()
		if err := step.do(); err != nil {
			return err
		}
		*step.took = append(*step.took, time.Since(started))
	}
	return nil
}

func hoverAt(document protocol.TextDocumentIdentifier, at protocol.Position) *protocol.HoverParams {
	p := &protocol.HoverParams{}
	p.TextDocument, p.Position = document, at
	return p
}

// complete writes # and a word in the chat document, and completes it.
func (e *typist) complete(ctx context.Context, word string) error {
	text := emptyChat + "#" + word
	if err := e.change(ctx, e.chat, &protocol.TextDocumentContentChangeWholeDocument{Text: text}); err != nil {
		return err
	}
	p := &protocol.CompletionParams{}
	p.TextDocument.URI = e.chat
	p.Position = ploke.NewMapper([]byte(text), e.server.encoding).Range(len(text), len(text)).Start
	return e.call(ctx, protocol.MethodTextDocumentCompletion, p)
}

func (e *typist) change(ctx context.Context, id uri.URI, change protocol.TextDocumentContentChangeEvent) error {
	e.version++
	params := &protocol.DidChangeTextDocumentParams{ContentChanges: []protocol.TextDocumentContentChangeEvent{change}}
	params.TextDocument = protocol.VersionedTextDocumentIdentifier{
		TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: id}, Version: e.version}
	return e.server.conn.Notify(ctx, protocol.MethodTextDocumentDidChange, params)
}

// call sends a request, and discards its result.
func (e *typist) call(ctx context.Context, method string, params any) error {
	_, err := e.server.conn.Call(ctx, method, params, nil)
	return err
}

// typeWhileBusy types while the index is rebuilt and turns run.
func (e *typist) typeWhileBusy(ctx context.Context, n int) (k keyTimes, err error) {
	select {
	case <-e.server.ready: // of an earlier scan
	default:
	}
	if err := e.call(ctx, ploke.MethodIndexRebuild, struct{}{}); err != nil {
		return k, err
	}
	indexed := make(chan struct{})
	go func() {
		defer close(indexed)
		select {
		case <-e.server.ready:
		case <-ctx.Done():
		}
	}()
	failures := make([]error, busyTurns)
	var turns sync.WaitGroup
	for i := range busyTurns {
		turns.Go(func() { failures[i] = e.server.askUntil(ctx, indexed) })
	}
	k, err = e.typeKeys(ctx, n, indexed)
	turns.Wait()
	return k, errors.Join(append(failures, err)...)
}

// askUntil runs one turn after another until the channel is closed.
func (s *server) askUntil(ctx context.Context, end <-chan struct{}) error {
	for !closed(end) {
		if _, _, err := s.ask(ctx, "", "where are errors raised?"); err != nil {
			return err
		}
	}
	return nil
}

// talk answers chat completions with a word every few milliseconds for half a second.
func talk(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	out := http.NewResponseController(w)
	for range 100 {
		fmt.Fprintf(w, "data: %s\n\n", completionChunk("word ", ""))
		_ = out.Flush() // an error means that the client has gone
		time.Sleep(5 * time.Millisecond)
	}
	fmt.Fprintf(w, "data: %s\n\ndata: [DONE]\n\n", completionChunk("", "stop"))
}
