package mux_test

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/uri"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/internal/wire/wiretest"
	"ploke-lsp/lsp/mux"
)

// method returns a test for messages of a method.
func method(name string) func(message) bool { return func(m message) bool { return m.Method == name } }

// TestServerRequests has both servers ask with the same ids at the same time, and an editor that answers in another
// order, and twice.
func TestServerRequests(t *testing.T) {
	t.Parallel()
	e := open(t, plainServers(), nil)
	for _, server := range []string{inner, ours} {
		e.says(server, `{"jsonrpc":"2.0","id":1,"method":"workspace/configuration","params":{"items":[{"section":"`+server+`"}]}}`,
			`{"jsonrpc":"2.0","id":"1","method":"window/showMessageRequest","params":{"message":"`+server+`"}}`)
	}
	var asked []message
	e.await("all questions", func(message) bool {
		asked = slices.DeleteFunc(e.seen(), func(m message) bool { return m.Method == "" || m.ID == nil })
		return len(asked) == 4
	})
	slices.Reverse(asked)
	for range 2 {
		for _, m := range asked {
			e.write(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, m.Params)
		}
	}
	e.write(`{"jsonrpc":"2.0","id":4711,"result":null}`)
	e.write(`{"jsonrpc":"2.0","id":"x","result":null}`)
	for _, server := range []string{inner, ours} {
		var got []string
		for _, m := range e.got(server, "") {
			got = append(got, string(m.ID)+compact(m.Result))
		}
		want := []string{`"1"{"message":"` + server + `"}`, `1{"items":[{"section":"` + server + `"}]}`}
		if !slices.Equal(got, want) {
			t.Errorf("%s gets %q, want %q", server, got, want)
		}
	}
	e.says(inner, `{"jsonrpc":"2.0","id":9,"method":"workspace/applyEdit","params":{}}`,
		`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":9}}`, `{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}`)
	edit := e.await("the edit", method("workspace/applyEdit"))
	e.await("its cancelling", method("$/cancelRequest"))
	m := e.await("", method("$/cancelRequest"))
	if compact(m.Params) != `{"id":`+string(edit.ID)+`}` || e.count(method("$/cancelRequest")) != 1 {
		t.Errorf("cancelled: %s", e.shown())
	}
}

// TestSameNames has both servers choose the same token of progress, and the same id of a registration.
func TestSameNames(t *testing.T) {
	t.Parallel()
	e := open(t, plainServers(), nil)
	names := map[string]string{}
	for _, server := range []string{inner, ours} {
		e.says(server, `{"jsonrpc":"2.0","id":1,"method":"window/workDoneProgress/create","params":{"token":"t"}}`,
			`{"jsonrpc":"2.0","method":"$/progress","params":{"token":"t","value":{"kind":"begin","title":"`+server+`"}}}`,
			`{"jsonrpc":"2.0","id":2,"method":"client/registerCapability",`+
				`"params":{"registrations":[{"id":"r","method":"`+server+`","registerOptions":{"x":[1.0]}}]}}`)
		begin := e.await("the begin", func(m message) bool { return m.Method == "$/progress" && strings.Contains(m.raw, `"title":"`+server) })
		var p struct{ Token json.RawMessage }
		_ = json.Unmarshal(begin.Params, &p)
		names[server] = string(p.Token)
	}
	if names[inner] != `"t"` || names[ours] == `"t"` || e.count(method("window/workDoneProgress/create")) != 2 {
		t.Errorf("the tokens are %q", names)
	}
	e.notify("window/workDoneProgress/cancel", `{"token":`+names[ours]+`}`)
	e.notify("window/workDoneProgress/cancel", `{"token":"other"}`)
	for server, want := range map[string]int{inner: 1, ours: 2} {
		got := e.got(server, "window/workDoneProgress/cancel")
		if len(got) != want || server == ours && compact(got[0].Params) != `{"token":"t"}` {
			t.Errorf("%s is told to cancel %v", server, got)
		}
	}
	if n := e.count(func(m message) bool {
		return m.Method == "client/registerCapability" && strings.Contains(m.raw, `"id":"r"`)
	}); n != 1 {
		t.Errorf("%d registrations have the id r: %s", n, e.shown())
	}
	e.says(ours, `{"jsonrpc":"2.0","method":"$/progress","params":{"token":"t","value":{"kind":"end"}}}`,
		`{"jsonrpc":"2.0","id":3,"method":"client/unregisterCapability","params":{"unregisterations":[{"id":"r","method":"m"}]}}`,
		`{"jsonrpc":"2.0","method":"$/progress","params":{"token":"t","value":{"kind":"report"}}}`) // which is the inner server's now
	m := e.await("the end", method("client/unregisterCapability"))
	if strings.Contains(m.raw, `"id":"r"`) {
		t.Errorf("another's registration is taken back: %s", m.raw)
	}
	if n := e.count(func(m message) bool { return strings.Contains(m.raw, `"report"`) }); n != 0 {
		t.Errorf("a progress of the other server is shown: %s", e.shown())
	}
}

const codeURI = "file:///w/a.go"

func published(version, text string) string {
	if version != "" {
		version = `"version":` + version + `,`
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{"uri":%q,%s"diagnostics":[%s]}}`,
		codeURI, version, text)
}

func diagnostic(source, text string) string {
	return fmt.Sprintf(`{"range":{},"message":%q,"source":%q,"data":{"of":%q}}`, text, source, source)
}

// TestDiagnostics has both servers publish, in time, late and in another order.
func TestDiagnostics(t *testing.T) {
	t.Parallel()
	e := open(t, plainServers(), nil)
	e.notify("textDocument/didOpen", `{"textDocument":{"uri":"`+codeURI+`","languageId":"go","version":1,"text":""}}`)
	latest := func() (last string) {
		for _, m := range e.seen() {
			if m.Method == "textDocument/publishDiagnostics" {
				last = m.raw
			}
		}
		return last
	}
	for i, step := range []struct{ server, says, want string }{
		{inner, published("1", diagnostic("go", "a")), published("1", diagnostic("go", "a"))},
		{ours, published("", diagnostic("ploke", "p")), published("", diagnostic("go", "a")+","+diagnostic("ploke", "p"))},
		{inner, published("3", diagnostic("go", "c")), published("3", diagnostic("go", "c")+","+diagnostic("ploke", "p"))},
		{inner, published("2", diagnostic("go", "b")), published("3", diagnostic("go", "c")+","+diagnostic("ploke", "p"))},
		{inner, published("4", ""), published("4", diagnostic("ploke", "p"))},
		{ours, published("", ""), published("", "")},
		{inner, published("4", diagnostic("go", "d")), published("4", diagnostic("go", "d"))},
		{ours, published("", diagnostic("ploke", "p")), published("", diagnostic("go", "d")+","+diagnostic("ploke", "p"))},
	} {
		e.says(step.server, step.says)
		got, want := latest(), step.want
		var a, b any
		if json.Unmarshal([]byte(got), &a) != nil || json.Unmarshal([]byte(want), &b) != nil || fmt.Sprint(a) != fmt.Sprint(b) {
			t.Errorf("step %d: %s\nwant %s", i, got, want)
		}
	}
	e.request("textDocument/codeAction", `{"textDocument":{"uri":"`+codeURI+`"},"context":{"diagnostics":[`+
		diagnostic("go", "d")+","+diagnostic("ploke", "p")+`]}}`)
	for server, want := range map[string]int{inner: 1, ours: 2} {
		if list := e.got(server, "textDocument/codeAction"); strings.Count(list[0].raw, `"message"`) != want {
			t.Errorf("%s is asked for actions with %s", server, list[0].raw)
		}
	}
	e.notify("textDocument/didClose", `{"textDocument":{"uri":"`+codeURI+`"}}`)
	e.notify("textDocument/didOpen", `{"textDocument":{"uri":"`+codeURI+`","languageId":"go","version":1,"text":""}}`)
	e.got(ours, "") // by then both know
	e.says(inner, published("1", diagnostic("go", "new")))
	if !strings.Contains(latest(), `"new"`) {
		t.Errorf("a document that is opened again has %s", latest())
	}
}

// TestDocuments looks at what each server gets of documents.
func TestDocuments(t *testing.T) {
	t.Parallel()
	e := open(t, plainServers(), nil)
	for _, name := range []string{"a.go", ".ploke/chat.md"} {
		document := fmt.Sprintf(`"textDocument":{"uri":"file:///w/%s","languageId":"go","version":1,"text":"é"}`, name)
		for _, what := range []string{"didOpen", "didChange", "didSave", "didClose"} {
			e.notify("textDocument/"+what, "{"+document+"}")
		}
	}
	e.notify("workspace/didChangeConfiguration", `{"settings":{"gopls":{}}}`)
	for server, want := range map[string]int{inner: 1, ours: 2} {
		for _, what := range []string{"didOpen", "didChange", "didSave", "didClose"} {
			if got := e.got(server, "textDocument/"+what); len(got) != want {
				t.Errorf("%s gets %d times %s, want %d", server, len(got), what, want)
			}
		}
		if got := e.got(server, "workspace/didChangeConfiguration"); len(got) != 1 {
			t.Errorf("%s gets the settings %d times", server, len(got))
		}
	}
	// a change that is too long to be read is no change for the inner server, which would have another text from then on
	e.notify("textDocument/didOpen", `{"textDocument":{"uri":"file:///w/b.go","languageId":"go","version":1,"text":""}}`)
	e.notify("textDocument/didChange", `{"textDocument":{"uri":"file:///w/b.go","version":2},`+
		`"contentChanges":[{"text":"`+strings.Repeat("x", 65<<20)+`"}]}`)
	e.notify("textDocument/didChange", `{"textDocument":{"uri":"file:///w/b.go","version":3},"contentChanges":[]}`)
	if closed := e.got(inner, "textDocument/didClose"); len(closed) != 2 || !strings.Contains(closed[1].raw, "b.go") {
		t.Errorf("the inner server closes %v", closed)
	}
	if changed := e.got(inner, "textDocument/didChange"); len(changed) != 1 {
		t.Errorf("the inner server has changed %d times", len(changed))
	}
}

// TestWatchedFiles tells the inner server only of the files that it watches.
func TestWatchedFiles(t *testing.T) {
	t.Parallel()
	e := open(t, plainServers(), nil)
	change := func(list ...string) {
		e.notify("workspace/didChangeWatchedFiles", `{"changes":[`+strings.Join(list, ",")+`]}`)
	}
	file := func(name string, kind int) string { return fmt.Sprintf(`{"uri":"file:///w/%s","type":%d}`, name, kind) }
	change(file("a.go", 2))
	e.says(inner, `{"jsonrpc":"2.0","id":1,"method":"client/registerCapability","params":{"registrations":[{"id":"w",
		"method":"workspace/didChangeWatchedFiles","registerOptions":{"watchers":[{"globPattern":"**/*.{go,mod}"},{"globPattern":{"baseUri":"file:///w/x","pattern":"*.txt"},"kind":4}]}}]}}`)
	change(file("a.go", 2), file("b.py", 2), file("c/d.mod", 1), file("x/a.txt", 3), file("x/b.txt", 1), file("x/y/c.txt", 3),
		file("é.go", 2), file(".ploke/x.go", 1))
	want := `{"changes":[` + strings.Join([]string{file("a.go", 2), file("c/d.mod", 1), file("x/a.txt", 3), file("é.go", 2)}, ",") + `]}`
	if got := e.got(inner, "workspace/didChangeWatchedFiles"); len(got) != 1 || compact(got[0].Params) != want {
		t.Errorf("the inner server gets %v, want %s", got, want)
	}
	if got := e.got(ours, "workspace/didChangeWatchedFiles"); len(got) != 2 {
		t.Errorf("ours gets %d", len(got))
	}
	registered := e.await("the registration", method("client/registerCapability"))
	e.write(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`, registered.ID)
	change(file("a.go", 2))
	if got := e.got(inner, "workspace/didChangeWatchedFiles"); len(got) != 1 {
		t.Errorf("what the editor has refused is watched: %d", len(got))
	}
}

// TestCrash ends the inner server while all kinds of things wait for it.
func TestCrash(t *testing.T) {
	t.Parallel()
	s := plainServers()
	s.inner.Answers = map[string]json.RawMessage{"textDocument/definition": json.RawMessage(`"nothing"`),
		"textDocument/hover": json.RawMessage(`"nothing"`)}
	s.ours.Answers = map[string]json.RawMessage{"textDocument/hover": json.RawMessage(`{"contents":"mine"}`)}
	e := open(t, s, func(o *mux.Options) { o.Patience = time.Minute })
	e.says(inner, `{"jsonrpc":"2.0","id":1,"method":"window/workDoneProgress/create","params":{"token":7}}`,
		`{"jsonrpc":"2.0","method":"$/progress","params":{"token":7,"value":{"kind":"begin","title":"Loading"}}}`,
		`{"jsonrpc":"2.0","id":2,"method":"client/registerCapability","params":{"registrations":[{"id":"r","method":"m"}]}}`,
		`{"jsonrpc":"2.0","id":3,"method":"workspace/applyEdit","params":{}}`, published("", diagnostic("go", "a")))
	e.says(ours, published("", diagnostic("ploke", "p")))
	waiting := []string{e.ask("textDocument/definition", "{"+codeDocument+"}"), e.ask("textDocument/hover", "{"+codeDocument+"}")}
	e.ask(inner+"end", "null")
	if m := e.answer(waiting[0]); m.Error == nil || m.Error.Code != -32803 ||
		!strings.Contains(m.Error.Message, "inner has ended: exit status 2: panic: no memory") {
		t.Errorf("a request that waits: %s", m.raw)
	}
	if m := e.answer(waiting[1]); compact(m.Result) != `{"contents":"mine"}` {
		t.Errorf("a request that both answer: %s", m.raw)
	}
	if m := e.request("textDocument/references", "{"+codeDocument+"}"); m.Error == nil || m.Error.Code != -32803 {
		t.Errorf("a request after that: %s", m.raw)
	}
	if m := e.request("textDocument/hover", "{"+codeDocument+"}"); compact(m.Result) != `{"contents":"mine"}` {
		t.Errorf("what both answered: %s", m.raw)
	}
	e.await("the end of its progress", func(m message) bool { return m.Method == "$/progress" && strings.Contains(m.raw, `"end"`) })
	e.await("its registrations are taken back", method("client/unregisterCapability"))
	e.await("its question is cancelled", method("$/cancelRequest"))
	e.await("its diagnostics are cleared", func(m message) bool {
		return m.Method == "textDocument/publishDiagnostics" && !strings.Contains(m.raw, `"go"`) && strings.Contains(m.raw, `"ploke"`)
	})
	if n := e.count(method("window/showMessage")); n != 1 {
		t.Errorf("%d messages: %s", n, e.shown())
	}
	if end := e.request("shutdown", "null"); end.Error != nil {
		t.Errorf("shutdown: %s", end.raw)
	}
}

// TestStarts has an inner server that does not start as it should. Ours serves in each case.
func TestStarts(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change func(*servers, *mux.Options)
		says   string
	}{
		"not there": {func(_ *servers, o *mux.Options) { o.Command = []string{"/no/such/server"} }, "it can't be started"},
		"refuses":   {func(s *servers, _ *mux.Options) { s.inner.Refuses = true }, "it refuses to start: .*no license"},
		"is silent": {func(s *servers, _ *mux.Options) { s.inner.Silent = true }, "has not started within"},
		"another encoding": {func(s *servers, _ *mux.Options) {
			s.inner.Capabilities = json.RawMessage(`{"positionEncoding":"utf-8"}`)
		}, `it counts positions in`},
		"leaves":             {func(s *servers, _ *mux.Options) { s.inner.Leaves = true }, "has ended"},
		"is no server":       {func(s *servers, _ *mux.Options) { s.inner.Echoes = true }, "has not started within"},
		"talks of no matter": {func(s *servers, _ *mux.Options) { s.inner.Capabilities = json.RawMessage(`[]`) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := plainServers()
			var o mux.Options
			tt.change(&s, &o)
			e := dial(t, s, func(all *mux.Options) {
				if o.Command != nil {
					all.Command = o.Command
				}
				all.StartTime = 2 * time.Second
			})
			if m := e.request("initialize", plainInitialize); !strings.Contains(m.raw, "ploke.ask") {
				t.Fatalf("initialize: %s", m.raw)
			}
			e.notify("initialized", "{}")
			if m := e.request("textDocument/hover", "{"+codeDocument+"}"); compact(m.Result) != `{"from":"ours"}` && tt.says != "" {
				t.Errorf("ours answers %s", m.raw)
			}
			if tt.says == "" {
				return
			}
			m := e.await("a message", method("window/showMessage"))
			if !regexp.MustCompile(tt.says).MatchString(m.raw) || e.count(method("window/showMessage")) != 1 {
				t.Errorf("the messages are %s", e.shown())
			}
		})
	}
}

// TestLateStart has an inner server that answers initialize after the editor was answered. It gets what it has missed.
func TestLateStart(t *testing.T) {
	t.Parallel()
	s := plainServers()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.inner.Late = listener.Addr().String()
	e := open(t, s, func(o *mux.Options) { o.StartTime = time.Millisecond })
	e.await("a message", method("window/showMessage"))
	e.notify("textDocument/didOpen", `{"textDocument":{"uri":"`+codeURI+`","languageId":"go","version":1,"text":""}}`)
	late := e.ask(inner+"any", "null")
	listener.Close()
	e.answer(late)
	for what, want := range map[string]int{"initialized": 1, "textDocument/didOpen": 1} {
		if got := e.got(inner, what); len(got) != want {
			t.Errorf("the inner server has got %s %d times", what, len(got))
		}
	}
	e.says(inner, published("1", diagnostic("go", "a")))
	e.await("what it knows", method("textDocument/publishDiagnostics"))
}

// TestLateAnswers has one server that does not answer what both are asked.
func TestLateAnswers(t *testing.T) {
	t.Parallel()
	for _, late := range []string{inner, ours} {
		t.Run(late, func(t *testing.T) {
			t.Parallel()
			s := plainServers()
			silent := map[string]json.RawMessage{"textDocument/codeAction": json.RawMessage(`"nothing"`)}
			if s.ours.Answers = silent; late == inner {
				s.ours.Answers, s.inner.Answers = nil, silent
			}
			e := open(t, s, func(o *mux.Options) { o.Patience = 50 * time.Millisecond })
			e.request("textDocument/codeAction", "{"+codeDocument+"}")
			asked, cancelled := e.got(late, "textDocument/codeAction"), e.got(late, "$/cancelRequest")
			if len(cancelled) != 1 || compact(cancelled[0].Params) != `{"id":`+string(asked[0].ID)+`}` {
				t.Errorf("cancelled: %v", cancelled)
			}
			e.says(late, `{"jsonrpc":"2.0","id":`+string(asked[0].ID)+`,"result":[]}`) // which is too late
			if n := e.count(func(m message) bool { return m.Method == "" && m.Error != nil }); n != 0 {
				t.Errorf("errors: %s", e.shown())
			}
		})
	}
}

// TestWrongMessages has the inner server send what is no message, answers that nobody waits for, and one that is too
// long.
func TestWrongMessages(t *testing.T) {
	t.Parallel()
	e := open(t, plainServers(), nil)
	for _, wrong := range wiretest.WrongFrames() {
		if strings.Contains(wrong.Name, "the limit") || strings.Contains(wrong.Name, "memory") || strings.Contains(wrong.Name, "int32") ||
			strings.Contains(wrong.Name, "64 bits") || strings.Contains(wrong.Name, "without end") {
			continue // the rest of what is announced would be the answers
		}
		text, _ := json.Marshal(wrong.Bytes + "\r\n\r\n")
		e.ask(inner+"bytes", string(text))
		if m := e.request("textDocument/definition", "{"+codeDocument+"}"); compact(m.Result) != `{"from":"inner"}` {
			t.Fatalf("after %s: %s", wrong.Name, m.raw)
		}
	}
	e.says(inner, `{"jsonrpc":"2.0","id":1,"result":"again"}`, `{"jsonrpc":"2.0","id":4711,"result":null}`,
		`{"jsonrpc":"2.0","id":"x","result":null}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"?"}}`,
		`{"jsonrpc":"2.0","method":"$/progress","params":[]}`,
		`{"jsonrpc":"2.0","method":"$/cancelRequest","params":7}`, `{"jsonrpc":"2.0","method":"window/logMessage"}`,
		`{"jsonrpc":"2.0","id":5,"method":"client/registerCapability","params":"no"}`,
		`{"jsonrpc":"2.0","id":6,"method":"client/unregisterCapability"}`,
		`{"jsonrpc":"2.0","id":7,"method":"window/workDoneProgress/create"}`,
		`{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{}}`)
	if m := e.request(inner+"large", "null"); m.Error == nil || !strings.Contains(m.Error.Message, "over the limit") {
		t.Errorf("a large answer: %.300s", m.raw)
	}
	if n := e.count(func(m message) bool { return strings.Contains(m.raw, `"again"`) }); n != 0 {
		t.Errorf("a second answer is passed on")
	}
}

// TestInnerThatDoesNotRead ends an inner server that leaves what it is sent.
func TestInnerThatDoesNotRead(t *testing.T) {
	t.Parallel()
	e := open(t, plainServers(), nil)
	e.ask(inner+"stall", "null")
	text := strings.Repeat("x", 8<<20)
	for range 11 {
		e.notify("textDocument/didChange", `{"textDocument":{"uri":"`+codeURI+`"},"contentChanges":[{"text":"`+text+`"}]}`)
	}
	e.await("a message", func(m message) bool {
		return m.Method == "window/showMessage" && strings.Contains(m.raw, "does not read")
	})
	if m := e.request("textDocument/hover", "{"+codeDocument+"}"); compact(m.Result) != `{"from":"ours"}` {
		t.Errorf("ours answers %s", m.raw)
	}
}

// TestQuestionsOfOurs has ours ask the inner server.
func TestQuestionsOfOurs(t *testing.T) {
	t.Parallel()
	s := plainServers()
	s.inner.Answers = map[string]json.RawMessage{"textDocument/references": json.RawMessage(`"nothing"`)}
	e := open(t, s, func(o *mux.Options) { o.CallTime = time.Second })
	n := 0
	asks := func(method, params string) string {
		t.Helper()
		n++
		e.says(ours, fmt.Sprintf(`{"jsonrpc":"2.0","id":"q%d","method":%q,"params":%s}`, n, method, params))
		return fmt.Sprintf(`"q%d"`, n)
	}
	hears := func(id string) (text string) {
		t.Helper()
		testbed.Eventually(t, func() bool {
			for _, m := range e.got(ours, "") {
				if string(m.ID) == id {
					text = m.raw
				}
			}
			return text != ""
		}, func() string { return "ours has no answer to " + id })
		return text
	}
	wants := func(id string, parts ...string) {
		t.Helper()
		for text, i := hears(id), 0; i < len(parts); i++ {
			if !strings.Contains(text, parts[i]) {
				t.Errorf("ours hears %s, want %s", text, parts[i])
			}
		}
	}
	file := filepath.Join(t.TempDir(), "b.go")
	if err := os.WriteFile(file, []byte("package b\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	of := func(u, version, method string) string {
		if version != "" {
			version = `,"version":` + version
		}
		return fmt.Sprintf(`{"request":"1","server":"inner","uri":%q%s,"method":%q,`+
			`"params":{"textDocument":{"uri":%q},"data":{"x":1.0}}}`, u, version, method, u)
	}
	wants(asks("ploke/client/lspServers", `{"uri":"`+codeURI+`"}`), `{"servers":[]}`) // nothing like it was open
	e.notify("textDocument/didOpen", `{"textDocument":{"uri":"`+codeURI+`","languageId":"go","version":1,"text":""}}`)
	e.says(inner, `{"jsonrpc":"2.0","method":"$/progress","params":{"token":1,"value":{"kind":"begin","title":"Loading"}}}`)
	wants(asks("ploke/client/lspServers", `{"uri":"`+codeURI+`"}`), `"id":"inner"`, `"encoding":"utf-16"`, `"running":["Loading"]`,
		`"methods":["textDocument/codeAction","textDocument/definition","textDocument/references","textDocument/rename"]`)
	wants(asks("ploke/client/lspServers", `{"uri":"file:///w/a.py"}`), `{"servers":[]}`)
	wants(asks("ploke/client/lspServers", `{"uri":"file:///w/.ploke/a.go"}`), `{"servers":[]}`)
	wants(asks("ploke/client/lsp", of(codeURI, "1", "textDocument/definition")), `"result":{"from":"inner"}`,
		`"version":1`, `"server":{"id":"inner"`)
	wants(asks("ploke/client/lsp", of(codeURI, "2", "textDocument/definition")), `"changed":true`)
	wants(asks("ploke/client/lsp", of(codeURI, "", "textDocument/definition")), `"changed":true`)
	wants(asks("ploke/client/lsp", of(codeURI, "1", "workspace/executeCommand")), `workspace/executeCommand is not asked for others`)
	wants(asks("ploke/client/lsp", of("file:///w/a.py", "", "textDocument/definition")), `does not serve`)
	wants(asks("ploke/client/lsp", of("file:///w/missing.go", "", "textDocument/definition")), `"failure":`)
	wants(asks("ploke/client/lsp", of(codeURI, "1", "textDocument/references")), `has not answered within`)
	lent := string(uri.File(file))
	wants(asks("ploke/client/lsp", of(lent, "", "textDocument/definition")), `"result":{"from":"inner"}`)
	opened, closed := e.got(inner, "textDocument/didOpen"), e.got(inner, "textDocument/didClose")
	if len(opened) != 2 || !strings.Contains(opened[1].raw, `"languageId":"go","text":"package b\n"`) || len(closed) != 1 {
		t.Errorf("the inner server opens %v and closes %v", opened, closed)
	}
	// the editor opens what is lent
	id := asks("ploke/client/lsp", of(lent, "", "textDocument/references"))
	testbed.Eventually(t, func() bool { return len(e.got(inner, "textDocument/didOpen")) == 3 }, func() string { return "it is not lent" })
	e.notify("textDocument/didOpen", `{"textDocument":{"uri":"`+lent+`","languageId":"go","version":1,"text":""}}`)
	wants(id, `"failure":`)
	opened, closed = e.got(inner, "textDocument/didOpen"), e.got(inner, "textDocument/didClose")
	if len(opened) != 4 || len(closed) != 2 {
		t.Errorf("the inner server opens %d times and closes %d times", len(opened), len(closed))
	}
	// typed while it answers
	id = asks("ploke/client/lsp", of(codeURI, "1", "textDocument/references"))
	e.notify("textDocument/didChange", `{"textDocument":{"uri":"`+codeURI+`","version":2},"contentChanges":[]}`)
	wants(id, `"changed":true`)
}

// TestEnds has an inner server that neither answers shutdown nor leaves. It does not keep the editor.
func TestEnds(t *testing.T) {
	t.Parallel()
	e := open(t, plainServers(), func(o *mux.Options) { o.StopTime = 50 * time.Millisecond })
	e.ask(inner+"stall", "null")
	if end := e.request("shutdown", "null"); end.Error != nil || compact(end.Result) != "null" {
		t.Errorf("shutdown: %s", end.raw)
	}
	e.notify("exit", "null")
	e.await("the end of the connection", func(message) bool { return e.ended() })
}
