package lsp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"net"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"ploke-lsp/lsp"
	"ploke-lsp/lsp/chatdoc"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
)

// FuzzSessions plays whole sessions of known clients: typing, code actions, commands with odd
// arguments, chat documents, reviews, requests that are cancelled, and a shutdown in the middle. Each
// message of the server must be valid, no handler may panic, and the server must end.
func FuzzSessions(f *testing.F) {
	for seed := range 24 {
		f.Add([]byte(strings.Repeat(fmt.Sprintf("%c\x00\x01%cabc%c", seed, seed*31%251, seed*77%251), 15)))
	}
	f.Add([]byte("\x05\x00\x03\x03\x03\x06\x06\x06\x04\x04\x04\x0a\x0a\x07\x07\x08\x08\x09\x0b\x0c"))
	names := slices.Sorted(maps.Keys(clientProfiles))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &fuzzedSession{t: t, script: script{data}}
		s.start(names[s.below(len(names))])
		for len(s.rest) > 0 && !s.stopped {
			s.step()
		}
		s.end()
	})
}

// A fuzzedSession is a session whose steps the input chooses.
type fuzzedSession struct {
	script
	t       *testing.T
	e       *lsptest.Editor
	paths   []string // of documents
	ended   chan error
	asked   atomic.Int32 // questions of the server
	stopped bool         // shutdown was sent
}

// asks is a file with a comment that asks for something, which the embedded model does.
const asks = "package shapes\n\n// ploke: rename quad to fourth\nfunc quad(x float64) float64 { return x * x * x * x } // 😀é\r\n"

// chatWords are what a person writes in a chat document.
var chatWords = []string{
	"\nWhat does `Area` do? See @shapes/ci", "\n#squ", "\n/rev", " · e", "\nrename Area to Surface\n", "\n## You 1\nWho calls square?\n", "\n## ploke 1 · embedded\n\x00😀",
}

func (s *fuzzedSession) start(client string) {
	root := unpack(s.t, program+"\n-- shapes/quad.go --\n"+asks)
	s.paths = []string{root + "/shapes/quad.go", root + "/shapes/circle.go", root + "/chat.ploke.md", root + "/new.txt"}
	server := lsp.NewServer(lsp.Options{StateDir: s.t.TempDir(), Version: "test",
		Logger: slog.New(slog.NewTextHandler(panicWriter{s.t}, nil))})
	options := clientOptions(s.t, client)
	options.Roots = []string{root}
	options.Settings = json.RawMessage(s.odd())
	options.OddRequests, options.RefuseDocuments = true, s.below(4) == 1
	options.OnPermission = func(context.Context, string) string {
		return []string{"Accept", "Send", "Show the diff", "", "Always allow", "Reject"}[s.asked.Add(1)%6]
	}
	if s.below(4) == 1 {
		options.RefuseEdits = "not now"
	}
	ours, theirs := net.Pipe()
	s.ended = make(chan error, 1)
	go func() { s.ended <- server.Serve(context.Background(), theirs) }()
	s.e = lsptest.Connect(s.t, ours, options)
}

// panicWriter takes a server's log, and fails the test for a panic of a handler.
type panicWriter struct{ t *testing.T }

func (w panicWriter) Write(p []byte) (int, error) {
	if strings.Contains(string(p), "panicked") {
		w.t.Errorf("%s", p)
	}
	return len(p), nil
}

func (s *fuzzedSession) end() {
	if s.stopped {
		s.e.Notify(protocol.MethodExit, nil)
	} else {
		s.e.Shutdown()
	}
	select {
	case err := <-s.ended:
		if err != nil {
			s.t.Errorf("the server ended with: %v", err)
		}
	case <-time.After(time.Minute):
		s.t.Fatal("the server did not end")
	}
}

func (s *fuzzedSession) step() {
	path := s.paths[s.below(len(s.paths))]
	switch s.below(14) {
	case 0:
		s.open(path)
	case 1, 2:
		s.typeIn(path)
	case 3:
		s.act(path)
	case 4:
		s.look(path)
	case 5:
		s.call(protocol.MethodWorkspaceExecuteCommand,
			`{"command":`+quote(pick(s, ploke.Commands()))+`,"arguments":`+pick(s, s.arguments(path))+`}`)
	case 6:
		s.call(pick(s, ploke.Methods()), s.odd())
	case 7:
		s.call(protocol.MethodWorkspaceExecuteCommand,
			`{"command":"ploke.chat.send","arguments":[{"uri":`+quote(string(fileURI(s.chat())))+`,"turn":0,"trusted":true}]}`)
	case 8:
		s.call(ploke.MethodChatSend, `{"text":"rename Area to Surface","workDoneToken":"w","partialResultToken":"p"}`)
	case 9:
		s.notify(path)
	case 10:
		s.call(protocol.MethodWorkspaceExecuteCommand,
			`{"command":`+quote(pick(s,
				[]string{ploke.CommandProposalAccept, ploke.CommandProposalShow, ploke.CommandProposalUndo, ploke.CommandProposalReject}))+`}`)
	case 11:
		s.e.CloseDocument(path)
	case 12:
		s.openShown()
	case 13:
		if s.below(8) == 1 {
			s.call(protocol.MethodShutdown, "null")
			s.stopped = true
			s.call(pick(s, ploke.Methods()), s.odd())
			s.notify(path)
		}
	}
}

func pick[T any](s *fuzzedSession, from []T) T { return from[s.below(len(from))] }

// odd returns parameters of any form.
func (s *fuzzedSession) odd() string {
	return pick(s, []string{
		`null`, `{}`, `{"id":"none"}`, `{"id":7}`, `{"query":"Area"}`, `{"query":7}`, `{"text":""}`, `{"conversationId":"none","text":"x"}`, `{"uri":"file:///none.go"}`,
		`{"limit":-1}`, `{"limit":2147483647,"query":"x"}`, `{"model":"embedded"}`, `{"model":7}`, `{"index":{"maxFileBytes":-1}}`, `{"workDoneToken":{},"query":"x"}`,
		`{"workDoneToken":1e30,"query":"x"}`, `{"text":"\ud800"}`,
	})
}

// arguments returns arguments of commands.
func (s *fuzzedSession) arguments(path string) []string {
	u := quote(string(fileURI(path)))
	return []string{
		`null`, `[]`, `[null]`, `["Area"]`, `["what","is",7]`, `[{"id":"none"}]`, `[{"uri":` + u + `}]`, `[{"uri":` + u + `,"turn":1,"trusted":true}]`, `[{"uri":"chat"}]`, `[{"uri":7}]`,
		`[{"uri":` + u + `,"range":{"start":{"line":2,"character":5},"end":{"line":90,"character":0}}}]`, `[{"uri":` + u + `,"turn":-1}]`, `[[["a"]]]`, `[{"id":""},"x"]`,
	}
}

// chat returns the path of the chat document.
func (s *fuzzedSession) chat() string { return s.paths[2] }

// open opens a document, maybe a second time.
func (s *fuzzedSession) open(path string) {
	text := strings.Repeat(s.word(), s.below(3)) + asks
	if path == s.chat() {
		text = chatdoc.Render(chatdoc.Conversation{}) + pick(s, chatWords)
	}
	s.e.OpenText(path, text)
}

// openShown opens the document that the server has shown last, as an editor does.
func (s *fuzzedSession) openShown() {
	shown := s.e.Shown()
	if len(shown) == 0 {
		return
	}
	path := shown[len(shown)-1].URI.FsPath()
	if _, err := os.Stat(path); err == nil {
		s.e.Open(path)
		s.paths = append(s.paths, path)
	}
}

// typeIn types something at the beginning of a character.
func (s *fuzzedSession) typeIn(path string) {
	at, word := s.below(256), s.word()
	if path == s.chat() {
		at, word = math.MaxInt, pick(s, chatWords)
	}
	s.e.Change(path, func(text string) (start, end int, replacement string) {
		for start = min(at, len(text)); start > 0 && start < len(text) && !utf8.RuneStart(text[start]); start-- {
		}
		return start, start, word
	})
}

// place returns the beginning of parameters for a place in a document, which may be outside of it.
func (s *fuzzedSession) place(path string) string {
	at := fmt.Sprintf(`{"line":%d,"character":%d}`, s.below(8), s.below(20))
	if path == s.chat() {
		s.e.Change(path, func(text string) (start, end int, replacement string) {
			last := text[strings.LastIndex(text, "\n")+1:]
			at = fmt.Sprintf(`{"line":%d,"character":%d}`, strings.Count(text, "\n"), max(0, len(last)-s.below(3)))
			return len(text), len(text), ""
		})
	}
	if hunks := s.e.Published(path); len(hunks) > 0 && s.below(3) > 0 {
		at = string(mustJSON(s.t, pick(s, hunks).Range.Start))
	}
	return `{"workDoneToken":"t","textDocument":{"uri":` + quote(string(fileURI(path))) + `},"position":` + at + `,"range":{"start":` + at +
		`,"end":` + at + `}`
}

// look requests what a client shows.
func (s *fuzzedSession) look(path string) {
	c := s.e.Initialized.Capabilities
	for _, request := range []struct {
		method  string
		offered bool
	}{
		{protocol.MethodTextDocumentHover, true},
		{protocol.MethodTextDocumentCodeLens, c.CodeLensProvider != nil},
		{protocol.MethodTextDocumentCompletion, c.CompletionProvider != nil},
		{protocol.MethodTextDocumentDefinition, c.DefinitionProvider != nil},
		{protocol.MethodTextDocumentFoldingRange, c.FoldingRangeProvider != nil},
		{protocol.MethodTextDocumentDocumentSymbol, c.DocumentSymbolProvider != nil},
	} {
		if request.offered {
			s.call(request.method, s.place(path)+`}`)
		}
	}
}

// act requests code actions and runs the command of one.
func (s *fuzzedSession) act(path string) {
	params := s.place(path) + `,"context":{"diagnostics":[],` + pick(s, []string{`"triggerKind":1`, `"only":["quickfix"]`, `"only":["source.fixAll"],"triggerKind":2`, `"only":[]`}) + `}}`
	var actions []struct {
		Command   json.RawMessage
		Arguments json.RawMessage
	}
	if s.e.Try(s.t.Context(), protocol.MethodTextDocumentCodeAction, json.RawMessage(params), &actions) != nil || len(actions) == 0 {
		return
	}
	a := pick(s, actions)
	switch {
	case len(a.Command) == 0:
	case a.Command[0] == '"':
		s.call(protocol.MethodWorkspaceExecuteCommand, `{"command":`+string(a.Command)+`,"arguments":`+string(a.Arguments)+`}`)
	default:
		s.call(protocol.MethodWorkspaceExecuteCommand, string(a.Command))
	}
}

// call sends a request, which may be cancelled at once, and checks its error.
func (s *fuzzedSession) call(method, params string) {
	ctx, cancel := context.WithCancel(s.t.Context())
	defer cancel()
	if s.below(6) == 1 {
		cancel()
	}
	err := s.e.Try(ctx, method, json.RawMessage(params), nil)
	var wire *jsonrpc2.Error
	switch {
	case err == nil:
	case !errors.As(err, &wire):
		s.t.Fatalf("%s %s: %v", method, params, err)
	case wire.Code == jsonrpc2.InternalError:
		s.t.Errorf("%s %s: %v", method, params, err)
	}
}

// notify sends a notification that is odd, or about a document that the editor does not know of.
func (s *fuzzedSession) notify(path string) {
	u := quote(string(fileURI(path + ".other")))
	n := pick(s, [][2]string{
		{protocol.MethodTextDocumentDidOpen, `{"textDocument":{"uri":` + u + `,"languageId":"go","version":9,"text":"func quad() {}"}}`},
		{protocol.MethodTextDocumentDidOpen, `{"textDocument":{"uri":` + u + `}}`},
		{protocol.MethodTextDocumentDidChange, `{"textDocument":{"uri":` + u + `,"version":3},"contentChanges":[{"text":"x"}]}`},
		{protocol.MethodTextDocumentDidChange, `{"textDocument":{"uri":` + u + `,"version":null},"contentChanges":[]}`},
		{protocol.MethodTextDocumentDidClose, `{"textDocument":{"uri":` + u + `}}`},
		{protocol.MethodTextDocumentDidSave, `{"textDocument":{"uri":` + u + `}}`},
		{protocol.MethodWorkspaceDidChangeConfiguration, `{"settings":{"ploke":` + s.odd() + `}}`},
		{protocol.MethodWorkspaceDidChangeWatchedFiles, `{"changes":[{"uri":` + u + `,"type":1},{"uri":"none","type":9}]}`},
		{protocol.MethodWorkspaceDidChangeWorkspaceFolders, `{"event":{"added":[{"uri":"untitled:x","name":""}],"removed":[{"uri":` + u + `,"name":"n"}]}}`},
		{protocol.MethodWindowWorkDoneProgressCancel, `{"token":"ploke: indexing"}`},
		{protocol.MethodWindowWorkDoneProgressCancel, `{"token":"w"}`},
		{protocol.MethodCancelRequest, `{"id":2}`},
		{protocol.MethodInitialized, `{}`},
		{"$/setTrace", `{"value":"verbose"}`},
		{"unknown/notification", `[]`},
	})
	s.e.Notify(n[0], json.RawMessage(n[1]))
}
