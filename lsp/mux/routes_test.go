package mux_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"ploke-lsp/lsp/mux"
)

const (
	codeDocument = `"textDocument":{"uri":"file:///w/a.go"}`
	chatDocument = `"textDocument":{"uri":"file:///w/.ploke/chat.md"}`
)

// TestRoutes asks for everything once, where both servers answer with their names.
func TestRoutes(t *testing.T) {
	t.Parallel()
	s := plainServers()
	for method, of := range map[string][2]string{
		"textDocument/codeAction": {`[{"title":"theirs","data":{"n":12345678901234567890,"é":"\u00e9 <&>"}}]`,
			`[{"title":"mine","command":{"title":"mine","command":"ploke.ask"}}]`},
		"textDocument/hover": {`{"contents":"theirs","range":{"start":{"line":1,"character":0},"end":{"line":1,"character":2}}}`,
			`{"contents":{"kind":"markdown","value":"mine"}}`},
		"textDocument/codeLens": {`[{"range":1}]`, `null`},
	} {
		for i, script := range []*script{&s.inner, &s.ours} {
			if script.Answers == nil {
				script.Answers = map[string]json.RawMessage{}
			}
			script.Answers[method] = json.RawMessage(of[i])
		}
	}
	e := open(t, s, nil)
	const fromInner, fromOurs = `{"from":"inner"}`, `{"from":"ours"}`
	for _, tt := range []struct{ method, params, want string }{
		{"textDocument/definition", codeDocument, fromInner},
		{"textDocument/definition", chatDocument, fromOurs},
		{"textDocument/completion", codeDocument, fromInner},
		{"textDocument/completion", chatDocument, fromOurs},
		{"textDocument/foldingRange", codeDocument, fromOurs}, // only ours offers it
		{"textDocument/rename", codeDocument, fromInner},
		{"textDocument/rename", chatDocument, `null`},
		{"textDocument/semanticTokens/full", chatDocument, `null`},
		{"textDocument/diagnostic", chatDocument, `{"kind":"full","items":[]}`},
		{"textDocument/diagnostic", codeDocument, fromInner},
		{"workspace/diagnostic", `"x":1`, fromInner},
		{"workspace/willRenameFiles", `"files":[]`, fromInner},
		{"never/heardOf", `"x":1`, fromInner},
		{"ploke/chat/list", `"x":1`, fromOurs},
		{"workspace/executeCommand", `"command":"theirs.run"`, fromInner},
		{"workspace/executeCommand", `"command":"ploke.ask"`, fromOurs}, // which both name
		{"workspace/executeCommand", `"command":"unknown"`, fromInner},
		{"textDocument/codeAction", chatDocument, `[{"title":"mine","command":{"title":"mine","command":"ploke.ask"}}]`},
		{"textDocument/codeAction", codeDocument, `[{"title":"theirs","data":{"n":12345678901234567890,"é":"\u00e9 <&>"}},` +
			`{"title":"mine","command":{"title":"mine","command":"ploke.ask"}}]`},
		{"textDocument/codeLens", codeDocument, `[{"range":1}]`},
		{"textDocument/hover", chatDocument, `{"contents":{"kind":"markdown","value":"mine"}}`},
		{"textDocument/hover", codeDocument, `{"contents":{"kind":"markdown","value":"theirs\n\n---\n\nmine"},` +
			`"range":{"start":{"line":1,"character":0},"end":{"line":1,"character":2}}}`},
		// an item goes to the server whose it is, with its members in any order
		{"codeAction/resolve", `"data":{"n":12345678901234567890,"é":"\u00e9 <&>"},"title":"theirs"`, fromInner},
		{"codeAction/resolve", `"command":{"command":"ploke.ask","title":"mine"},"title":"mine"`,
			`{"command":{"command":"ploke.ask","title":"mine"},"title":"mine"}`},
		{"codeLens/resolve", `"range":1`, fromInner},
		{"completionItem/resolve", `"label":"x"`, fromInner},
	} {
		if got := e.request(tt.method, "{"+tt.params+"}"); compact(got.Result) != tt.want {
			t.Errorf("%s {%s}: %s, want %s", tt.method, tt.params, got.raw, tt.want)
		}
	}
	resolved := e.got(inner, "codeAction/resolve")
	if len(resolved) != 1 || !strings.Contains(resolved[0].raw, `{"n":12345678901234567890,"é":"\u00e9 <&>"}`) {
		t.Errorf("the inner server is to resolve %v", resolved)
	}
}

// TestInitialize looks at what each server is told, and at what the editor gets.
func TestInitialize(t *testing.T) {
	t.Parallel()
	s := plainServers()
	s.inner.Info = json.RawMessage(`{"name":"theirs\u001b[2J","version":"1.2"}`)
	s.inner.Capabilities = json.RawMessage(`{"textDocumentSync":1,"hoverProvider":false,"codeActionProvider":true,
		"monikerProvider":{"x":[1]},
		"workspace":{"workspaceFolders":{"supported":true},"fileOperations":{"willRename":{"filters":[1]},"didCreate":{"filters":[1]}}},
		"experimental":{"theirs":1}}`)
	s.ours.Capabilities = json.RawMessage(`{"textDocumentSync":{"openClose":true,"change":2,"save":true},"hoverProvider":true,
		"codeActionProvider":{"codeActionKinds":["quickfix"]},"workspace":{"workspaceFolders":{"supported":true,"changeNotifications":true},
		"fileOperations":{"didCreate":{"filters":[2]}}},"experimental":{"ploke":{"version":1,"methods":[]}}}`)
	e := dial(t, s, nil)
	got := e.request("initialize", `{"processId":7,"workDoneToken":"w","capabilities":{"general":{"positionEncodings":["utf-8","utf-16"]},
		"experimental":{"other":1,"ploke":{"version":1,"methods":["ploke/event"]}},"x":{"y":[1.0]}},
		"initializationOptions":{"staticcheck":true,"ploke":{"models":{}}},"trace":"off"}`)
	want := `{"capabilities":{"codeActionProvider":true,"experimental":{"ploke":{"version":1,"methods":[]},"theirs":1},` +
		`"hoverProvider":true,` +
		`"monikerProvider":{"x":[1]},"textDocumentSync":{"change":1,"openClose":true,"save":true},` +
		`"workspace":{"fileOperations":{"didCreate":{"filters":[1,2]},"willRename":{"filters":[1]}},` +
		`"workspaceFolders":{"supported":true,"changeNotifications":true}}},"serverInfo":{"name":"ploke-lsp with theirs\\x1b[2J 1.2"}}`
	if compact(got.Result) != want {
		t.Errorf("initialize: %s\nwant %s", got.raw, want)
	}
	for server, want := range map[string]string{
		inner: `{"capabilities":{"experimental":{"other":1,"ploke":{"version":1,"methods":["ploke/event"]}},` +
			`"general":{"positionEncodings":["utf-16"]},"x":{"y":[1.0]}},"initializationOptions":{"staticcheck":true},` +
			`"processId":7,"trace":"off","workDoneToken":"w"}`,
		ours: `{"capabilities":{"experimental":{"other":1,"ploke":{"methods":["ploke/event","ploke/client/lspServers",` +
			`"ploke/client/lsp"],"version":1}},` +
			`"general":{"positionEncodings":["utf-16"]},"x":{"y":[1.0]}},"initializationOptions":{"models":{}},"processId":7,"trace":"off"}`,
	} {
		if list := e.got(server, "initialize"); len(list) != 1 || compact(list[0].Params) != want {
			t.Errorf("%s gets %s\nwant %s", server, list[0].raw, want)
		}
	}
	if again := e.request("initialize", plainInitialize); again.Error == nil || again.Error.Code != -32600 {
		t.Errorf("a second initialize: %s", again.raw)
	}
}

func TestBeforeAndAfter(t *testing.T) {
	t.Parallel()
	e := dial(t, plainServers(), nil)
	if early := e.request("textDocument/hover", "{}"); early.Error == nil || early.Error.Code != -32002 {
		t.Errorf("before initialize: %s", early.raw)
	}
	e.request("initialize", plainInitialize)
	e.notify("initialized", "{}")
	if end := e.request("shutdown", "null"); end.Error != nil {
		t.Errorf("shutdown: %s", end.raw)
	}
	if late := e.request("textDocument/hover", "{}"); late.Error == nil || late.Error.Code != -32600 {
		t.Errorf("after shutdown: %s", late.raw)
	}
	e.notify("exit", "null")
	e.await("the end of the connection", func(message) bool { return e.ended() })
}

// TestHostileIDs sends requests with ids of all kinds, also twice at a time.
func TestHostileIDs(t *testing.T) {
	t.Parallel()
	e := open(t, plainServers(), nil)
	for _, id := range []string{`"a"`, `"1"`, `""`, `-3`, `9007199254740993`, `99999999999999999999`, `1.0`, `1e2`, `"ü\u0000"`} {
		e.write(`{"jsonrpc":"2.0","id":%s,"method":"textDocument/definition","params":{%s}}`, id, codeDocument)
		want := id
		switch id {
		case "1.0":
			want = "1"
		case "1e2":
			want = "100"
		}
		e.await("the answer to "+id, func(m message) bool { return m.Method == "" && sameJSON(m.ID, want) && m.Result != nil })
	}
	for _, id := range []string{`null`, `1.5`, `[]`, `{}`, `true`} {
		before := e.count(func(m message) bool { return string(m.ID) == "null" })
		e.write(`{"jsonrpc":"2.0","id":%s,"method":"textDocument/definition","params":{}}`, id)
		e.await("the refusal of "+id, func(message) bool {
			return e.count(func(m message) bool { return string(m.ID) == "null" }) > before
		})
	}
	e.write(`{"jsonrpc":"2.0","id":"twice","method":"textDocument/definition","params":{%s}}`, codeDocument)
	e.write(`{"jsonrpc":"2.0","id":"twice","method":"ploke/x","params":{}}`)
	e.await("both answers", func(message) bool {
		return e.count(func(m message) bool { return string(m.ID) == `"twice"` && m.Result != nil }) == 2
	})
}

func sameJSON(raw json.RawMessage, want string) bool {
	var a, b any
	return json.Unmarshal(raw, &a) == nil && json.Unmarshal([]byte(want), &b) == nil && fmt.Sprint(a) == fmt.Sprint(b)
}

// TestCancel cancels what waits at one server, and at both.
func TestCancel(t *testing.T) {
	t.Parallel()
	s := plainServers()
	s.inner.Answers = map[string]json.RawMessage{"textDocument/definition": json.RawMessage(`"nothing"`),
		"textDocument/hover": json.RawMessage(`"nothing"`)}
	s.ours.Answers = map[string]json.RawMessage{"textDocument/hover": json.RawMessage(`"nothing"`)}
	e := open(t, s, func(o *mux.Options) { o.Patience = time.Minute })
	e.write(`{"jsonrpc":"2.0","id":"one","method":"textDocument/definition","params":{%s}}`, codeDocument)
	e.write(`{"jsonrpc":"2.0","id":"both","method":"textDocument/hover","params":{%s}}`, codeDocument)
	e.notify("$/cancelRequest", `{"id":"one"}`)
	e.notify("$/cancelRequest", `{"id":"both"}`)
	e.notify("$/cancelRequest", `{"id":"nobody's"}`)
	e.notify("$/cancelRequest", `{"id":{}}`)
	id := func(server, method string) string { return string(e.got(server, method)[0].ID) }
	cancelled := func(server string) (ids []string) {
		for _, m := range e.got(server, "$/cancelRequest") {
			ids = append(ids, compact(m.Params))
		}
		return ids
	}
	want := []string{`{"id":` + id(inner, "textDocument/definition") + `}`, `{"id":` + id(inner, "textDocument/hover") + `}`}
	if got := cancelled(inner); strings.Join(got, "") != strings.Join(want, "") {
		t.Errorf("the inner server is told to cancel %q, want %q", got, want)
	}
	if got := cancelled(ours); len(got) != 1 || got[0] != `{"id":`+id(ours, "textDocument/hover")+`}` {
		t.Errorf("ours is told to cancel %q", got)
	}
}
