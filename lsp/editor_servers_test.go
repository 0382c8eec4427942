package lsp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
)

// serverEditor is an editor with a language server, which knows the uses of square.
type serverEditor struct {
	*lsptest.Editor
	f *fixture

	mu     sync.Mutex
	asked  []ploke.ClientLSPParams
	server ploke.LSPServer
	ending <-chan struct{} // closed when the server has cancelled the last request
	// answer returns the answer to the nth request, which it may change.
	answer func(s *serverEditor, n int, p ploke.ClientLSPParams, honest *ploke.LSPAnswer) (any, error)
}

// startServers starts it, with shapes/circle.go open.
func startServers(f *fixture, server ploke.LSPServer,
	answer func(s *serverEditor, n int, p ploke.ClientLSPParams, honest *ploke.LSPAnswer) (any, error)) *serverEditor {
	s := &serverEditor{f: f, server: server, answer: answer}
	s.Editor = f.start(lsptest.Options{
		Capabilities: lsptest.WithMethods(lsptest.Capabilities(), ploke.MethodClientServers, ploke.MethodClientAsk),
		Answer: map[string]func(context.Context, *lsptest.Editor, []byte) (any, error){
			ploke.MethodClientServers: func(context.Context, *lsptest.Editor, []byte) (any, error) {
				s.mu.Lock()
				defer s.mu.Unlock()
				return ploke.ClientLSPServersResult{Servers: []ploke.LSPServer{s.server}}, nil
			},
			ploke.MethodClientAsk: func(ctx context.Context, _ *lsptest.Editor, params []byte) (any, error) {
				var p ploke.ClientLSPParams
				if err := protocol.Unmarshal(params, &p); err != nil {
					return nil, err
				}
				s.mu.Lock()
				s.asked = append(s.asked, p)
				n, server := len(s.asked), s.server
				s.ending = ctx.Done()
				s.mu.Unlock()
				return s.answer(s, n, p, &ploke.LSPAnswer{Result: s.knows(p), Version: p.Version, Server: &server})
			}}})
	s.AwaitIndex()
	s.Open(f.path("shapes/circle.go"))
	return s
}

// ready is a server that has read the project.
var ready = ploke.LSPServer{ID: "7", Name: "gopls", Version: `{"Version":"v1"}`, Encoding: "utf-16",
	Methods: []ploke.LSPMethod{ploke.LSPReferences, ploke.LSPDefinition, ploke.LSPRename}, Ended: []string{"Setting up workspace"}}

// silent is one that does not say whether it has.
var silent = ploke.LSPServer{ID: "7", Name: "pyright", Encoding: "utf-16", Methods: ready.Methods}

// knows is what an honest server answers.
func (s *serverEditor) knows(p ploke.ClientLSPParams) protocol.LSPAny {
	declared := s.place("shapes/circle.go", "square(x")
	used := []protocol.Location{s.place("shapes/circle.go", "square(c"), s.place("shapes/rect.go", "square(x")}
	switch p.Method {
	case ploke.LSPReferences:
		return marshal(used)
	case ploke.LSPDefinition:
		return marshal(declared)
	}
	var edits []any
	for _, at := range append(used, declared) {
		edits = append(edits, map[string]any{"textDocument": map[string]any{"uri": at.URI, "version": nil},
			"edits": []any{map[string]any{"range": at.Range, "newText": "twice"}}})
	}
	return marshal(map[string]any{"documentChanges": edits})
}

// place returns where a text of a file begins with square.
func (s *serverEditor) place(file, text string) protocol.Location {
	data, err := os.ReadFile(s.f.path(file))
	if err != nil {
		s.f.t.Fatal(err)
	}
	at := bytes.Index(data, []byte(text))
	return protocol.Location{URI: uri.File(s.f.path(file)),
		Range: ploke.NewMapper(data, protocol.PositionEncodingKindUTF16).Range(at, at+len("square"))}
}

func marshal(v any) protocol.LSPAny {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}

const (
	byGopls   = "The places are those of gopls v1 in lsptest."
	byIndex   = "The index finds places by their names."
	byName    = "The places were found by name, since "
	otherText = byName + "the text has changed while the compiler answered."
)

// TestServersOfTheEditor asks for callers, where the editor or its server is honest, and where it lies in one way.
func TestServersOfTheEditor(t *testing.T) {
	type answering = func(s *serverEditor, n int, p ploke.ClientLSPParams, a *ploke.LSPAnswer) (any, error)
	changing := func(change func(p ploke.ClientLSPParams, a *ploke.LSPAnswer)) answering {
		return func(_ *serverEditor, _ int, p ploke.ClientLSPParams, a *ploke.LSPAnswer) (any, error) {
			change(p, a)
			return a, nil
		}
	}
	result := func(text string) answering {
		return changing(func(_ ploke.ClientLSPParams, a *ploke.LSPAnswer) { a.Result = protocol.LSPAny(text) })
	}
	more := func(address string) answering {
		return changing(func(_ ploke.ClientLSPParams, a *ploke.LSPAnswer) {
			place := `{"uri":"` + address + `","range":{"start":{"line":0,"character":0},"end":{"line":0,"character":4}}},`
			a.Result = protocol.LSPAny("[" + place + strings.TrimPrefix(string(a.Result), "["))
		})
	}
	many := func(count int) answering {
		return changing(func(_ ploke.ClientLSPParams, a *ploke.LSPAnswer) {
			other := `{"uri":"file:///x.go","range":{"start":{"line":1,"character":0},"end":{"line":1,"character":1}}},`
			a.Result = protocol.LSPAny("[" + strings.Repeat(other, count) + strings.TrimPrefix(string(a.Result), "["))
		})
	}
	later := func(times int) answering {
		return func(s *serverEditor, _ int, p ploke.ClientLSPParams, a *ploke.LSPAnswer) (any, error) {
			a.Request = p.Request
			go func() { // the reply comes first, or not
				for range times {
					s.Notify(ploke.MethodServerAnswer, a)
				}
				s.Notify(ploke.MethodServerAnswer, &ploke.LSPAnswer{Request: "nobody's"})
			}()
			return ploke.LSPAnswer{Later: true}, nil
		}
	}
	// lacks rect.go among the references, and says of places there what is returned.
	lacks := func(meant string) answering {
		return func(s *serverEditor, _ int, p ploke.ClientLSPParams, a *ploke.LSPAnswer) (any, error) {
			if p.Method == ploke.LSPReferences {
				a.Result = marshal([]protocol.Location{s.place("shapes/circle.go", "square(c")})
			}
			if p.Method == ploke.LSPDefinition && strings.HasSuffix(string(p.URI), "rect.go") {
				a.Result = protocol.LSPAny(meant)
			}
			return a, nil
		}
	}
	const elsewhere = `[{"uri":"file:///lib/square.go","range":{"start":{"line":0,"character":0},"end":{"line":0,"character":4}}}]`
	loading, other := ready, ready
	loading.Running, other.Methods = []string{"Loading packages"}, []ploke.LSPMethod{ploke.LSPRename}
	for name, tt := range map[string]struct {
		server ploke.LSPServer
		answer answering
		want   string
		asked  int // how often at most, if not once
	}{
		"honest":           {answer: changing(func(ploke.ClientLSPParams, *ploke.LSPAnswer) {}), want: byGopls},
		"later":            {answer: later(1), want: byGopls},
		"later, twice":     {answer: later(2), want: byGopls},
		"another encoding": {server: func() ploke.LSPServer { s := ready; s.Encoding = "utf-7"; return s }(), want: byName + "the language server counts positions in utf-7."},
		"another method":   {server: other, want: byIndex},
		"refused":          {answer: changing(func(_ ploke.ClientLSPParams, a *ploke.LSPAnswer) { a.Refusal = "no package\x1b[2J" }), want: byName + "refused by gopls v1 in lsptest: no package"},
		"ended":            {answer: changing(func(_ ploke.ClientLSPParams, a *ploke.LSPAnswer) { a.Failure = "gopls has ended" }), want: byName + "lsptest has no answer: gopls has ended."},
		"an error": {answer: func(*serverEditor, int, ploke.ClientLSPParams, *ploke.LSPAnswer) (any, error) {
			return nil, jsonrpc2.Errorf(-32603, "it broke")
		}, want: byName + "lsptest has no answer: it broke."},
		"a wrong version, once": {answer: func(_ *serverEditor, n int, p ploke.ClientLSPParams, a *ploke.LSPAnswer) (any, error) {
			v := *p.Version - 1
			if n == 1 {
				a.Version = &v
			}
			return a, nil
		}, want: byGopls, asked: 2},
		"a wrong version":             {answer: changing(func(p ploke.ClientLSPParams, a *ploke.LSPAnswer) { v := *p.Version + 1; a.Version = &v }), want: otherText, asked: 4},
		"no version":                  {answer: changing(func(_ ploke.ClientLSPParams, a *ploke.LSPAnswer) { a.Version = nil }), want: otherText, asked: 4},
		"changed":                     {answer: changing(func(_ ploke.ClientLSPParams, a *ploke.LSPAnswer) { a.Changed = true }), want: otherText, asked: 4},
		"loading":                     {server: loading, want: byName + "gopls v1 in lsptest does not say that it has read the project."},
		"silent":                      {server: silent, want: "The places are those of pyright in lsptest.", asked: 2},
		"silent, lacks a use":         {server: silent, answer: lacks("[]"), want: byName + "pyright in lsptest does not say that it has read the project.", asked: 3},
		"silent, knows what it lacks": {server: silent, answer: lacks(elsewhere), want: "The places are those of pyright in lsptest.", asked: 3},
		"silent, knows nothing":       {server: silent, answer: result("[]"), want: byName + "pyright in lsptest does not say", asked: 3},
		"no JSON of LSP":              {answer: result(`"x"`), want: byName + "the answer to textDocument/references has a wrong form."},
		"no range":                    {answer: result(`[{"uri":5}]`), want: byName + "the answer to textDocument/references has a wrong form."},
		"10,000 places elsewhere":     {answer: many(10_000), want: byGopls},
		"25,000 places":               {answer: many(25_000), want: byName + "the answer to textDocument/references has a wrong form."},
		"outside":                     {answer: more("file:///etc/passwd"), want: byGopls},
		"climbs":                      {answer: more("file:///../../etc/passwd"), want: byGopls},
		"another machine":             {answer: more("file://host/etc/passwd"), want: byGopls},
		"no file":                     {answer: more("http://example.com/a.go"), want: byGopls},
		"a text that is none":         {answer: more(`\u0000\u001b[2J`), want: byGopls},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if tt.server.ID == "" {
				tt.server = ready
			}
			if tt.answer == nil {
				tt.answer = changing(func(ploke.ClientLSPParams, *ploke.LSPAnswer) {})
			}
			s := startServers(newFixture(t), tt.server, tt.answer)
			got := s.Ask("who calls square?").Text
			if !strings.Contains(got, tt.want) {
				t.Errorf("got %s\nwant %s", got, tt.want)
			}
			if found := strings.Contains(got, "circle.go:13"); !found {
				t.Errorf("a caller is missing: %s", got)
			}
			if n := len(s.asked); n > max(tt.asked, 1) {
				t.Errorf("it was asked %d times", n)
			}
		})
	}
}

// TestServersOfTheEditorAreAskedAgain has a document change, or close, while a server answers, which has seen that.
func TestServersOfTheEditorAreAskedAgain(t *testing.T) {
	for name, meanwhile := range map[string]func(s *serverEditor, path string, a *ploke.LSPAnswer){
		"typed": func(s *serverEditor, path string, a *ploke.LSPAnswer) {
			end := len(s.Text(path))
			s.Type(path, end, end, "\n")
			*a.Version++
		},
		"closed": func(s *serverEditor, path string, a *ploke.LSPAnswer) {
			s.CloseDocument(path)
			a.Version = nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := startServers(newFixture(t), ready, func(s *serverEditor, n int, p ploke.ClientLSPParams,
				a *ploke.LSPAnswer) (any, error) {
				if n == 1 {
					meanwhile(s, s.f.path("shapes/circle.go"), a)
				}
				return a, nil
			})
			if got := s.Ask("who calls square?").Text; !strings.Contains(got, byGopls) || len(s.asked) != 2 {
				t.Errorf("asked %d times, got %s", len(s.asked), got)
			}
		})
	}
}

// TestServersOfTheEditorRename renames by a server, and where that would change what it must not.
func TestServersOfTheEditorRename(t *testing.T) {
	outside := `{"documentChanges":[{"textDocument":{"uri":"file:///etc/hosts","version":null},"edits":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":6}},"newText":"twice"}]}]}`
	for name, tt := range map[string]struct{ result, want string }{
		"honest":         {want: "The places are those of gopls v1 in lsptest."},
		"outside":        {result: outside, want: "found by name"},
		"not a file":     {result: strings.Replace(outside, "file:///etc/hosts", "vscode-vfs://x/y", 1), want: "found by name"},
		"creates a file": {result: `{"documentChanges":[{"kind":"create","uri":"file:///x"}]}`, want: "found by name"},
		"nothing":        {result: `{}`, want: "found by name"},
		"null":           {result: `null`, want: "found by name"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := startServers(newFixture(t), ready, func(_ *serverEditor, _ int, p ploke.ClientLSPParams, a *ploke.LSPAnswer) (any, error) {
				if p.Method == ploke.LSPRename && tt.result != "" {
					a.Result = protocol.LSPAny(tt.result)
				}
				return a, nil
			})
			got := s.Ask("rename square to twice").Text
			if !strings.Contains(got, tt.want) || !strings.Contains(got, "3 places in 2 files") {
				t.Errorf("got %s\nwant %s", got, tt.want)
			}
			for _, p := range s.asked {
				if !slices.Contains(ready.Methods, p.Method) {
					t.Errorf("asked for %s", p.Method)
				}
				var sent map[string]any
				if err := json.Unmarshal(p.Params, &sent); err != nil {
					t.Fatal(err)
				}
				for key, value := range sent { // no text of a file, but the new name
					if !slices.Contains([]string{"textDocument", "position", "context"}, key) && value != "twice" {
						t.Errorf("it gets %s: %v", key, value)
					}
				}
			}
		})
	}
}

// TestAnEditorThatNeverAnswers stops the turn that waits for an answer. The request ends at the client as well, and the
// next turn asks again.
func TestAnEditorThatNeverAnswers(t *testing.T) {
	for _, name := range []string{"its reply", "the answer"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asked, cancelled := make(chan string, 1), make(chan struct{}, 1)
			s := startServers(newFixture(t), ready, func(s *serverEditor, n int, p ploke.ClientLSPParams, a *ploke.LSPAnswer) (any, error) {
				if n > 1 {
					return a, nil
				}
				asked <- p.Request
				if name == "its reply" {
					<-s.ending
					cancelled <- struct{}{}
				}
				return ploke.LSPAnswer{Later: true}, nil
			})
			ctx, stop := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() {
				ended <- s.Try(ctx, ploke.MethodChatSend, &ploke.ChatSendParams{Text: "who calls square?"}, new(ploke.ChatSendResult))
			}()
			request := <-asked
			stop()
			if name == "its reply" {
				<-cancelled
			}
			<-ended
			s.Notify(ploke.MethodServerAnswer, &ploke.LSPAnswer{Request: request}) // nobody waits any more
			if got := s.Ask("who calls square?").Text; !strings.Contains(got, byGopls) {
				t.Errorf("got %s", got)
			}
		})
	}
}
