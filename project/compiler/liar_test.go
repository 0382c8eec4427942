package compiler

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"
)

// secretVariable is an environment variable that no server may get.
const secretVariable = "PLOKE_TEST_SECRET"

// TestMain runs a server that lies instead of the tests, if an argument says in which way.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		if lie, ok := strings.CutPrefix(os.Args[1], "-lie="); ok {
			(&liar{lie: lie, in: bufio.NewReader(os.Stdin), out: os.Stdout}).serve()
			return
		}
	}
	if err := os.Setenv(secretVariable, "secret"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// liar is a language server that misbehaves in one way, and answers each question with one place otherwise.
type liar struct {
	lie    string
	in     *bufio.Reader
	out    io.Writer
	opened map[string]int // documents that are open, with their versions
	asked  int            // for references

	changed int // what asked was when the first change was reported
}

type received struct {
	ID     json.RawMessage
	Method string
	Params struct {
		TextDocument struct {
			URI     string
			Version int
		}
	}
	Result json.RawMessage
	Error  *struct{ Code int }
}

func (l *liar) serve() {
	if os.Getenv(secretVariable) != "" {
		fmt.Fprintln(os.Stderr, "there is a secret")
		os.Exit(4)
	}
	switch l.lie {
	case "ends at once":
		fmt.Fprintln(os.Stderr, "no license\x1b[2J found")
		os.Exit(3)
	case "announces two gigabytes":
		fmt.Fprint(l.out, "Content-Length: 2147483648\r\n\r\n{}")
	case "says garbage first":
		fmt.Fprint(l.out, "Welcome to the server!\nContent-Length: x\r\n\r\n\x00\xff{{{{\nContent-Length: 5\r\n\r\n[[[[[")
	}
	l.opened = map[string]int{}
	for {
		m, ok := l.read()
		if !ok {
			return
		}
		l.take(m)
	}
}

func (l *liar) take(m received) {
	switch m.Method {
	case "initialize":
		if l.lie == "never answers initialize" {
			return
		}
		encoding := `"utf-8"`
		if l.lie == "counts in its own way" {
			encoding = `"utf-32"`
		}
		l.send(`{"jsonrpc":"2.0","id":%s,"result":{"capabilities":{"positionEncoding":%s,"referencesProvider":true,`+
			`"definitionProvider":{},"implementationProvider":false,"renameProvider":true},`+
			`"serverInfo":{"name":"liar\u001b[31m","version":"1.0"}}}`, m.ID, encoding)
	case "initialized":
		if l.lie == "lists files" {
			l.log("Found 1 source file")
			return
		}
		l.progress("begin")
		if l.lie != "loads for ever" {
			l.progress("end")
		}
	case "textDocument/didOpen", "textDocument/didChange":
		if _, open := l.opened[m.Params.TextDocument.URI]; open != (m.Method == "textDocument/didChange") ||
			m.Params.TextDocument.Version <= l.opened[m.Params.TextDocument.URI] {
			os.Exit(9)
		}
		l.opened[m.Params.TextDocument.URI] = m.Params.TextDocument.Version
		l.publish(m.Params.TextDocument.URI, m.Params.TextDocument.Version)
	case "textDocument/didClose":
		delete(l.opened, m.Params.TextDocument.URI)
	case "workspace/didChangeWatchedFiles":
		l.changed = cmp.Or(l.changed, l.asked)
	case "textDocument/references":
		if l.asked++; l.lie == "lists files" && l.changed > 0 && l.asked == l.changed+2 {
			l.log("Found 2 source files")
		}
		l.answer(m)
	case "textDocument/diagnostic":
		l.diagnose(m)
	case "textDocument/rename":
		l.send(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, l.edit(m.Params.TextDocument.URI))
	case "shutdown":
		if l.lie != "does not shut down" {
			l.send(`{"jsonrpc":"2.0","id":%s,"result":null}`, m.ID)
		}
	case "exit":
		if l.lie != "does not exit" {
			os.Exit(0)
		}
	}
}

// edit is the answer to a rename of a document.
func (l *liar) edit(uri string) string {
	at := func(line, start, end int, text string) string {
		return fmt.Sprintf(`{"range":{"start":{"line":%d,"character":%d},"end":{"line":%d,"character":%d}},%s}`, line, start, line, end, text)
	}
	one := at(2, 5, 11, `"newText":"sq"`)
	document := func(uri, version, list string) string {
		return fmt.Sprintf(`{"textDocument":{"uri":%q,"version":%s},"edits":[%s]}`, uri, version, list)
	}
	changes := func(list ...string) string { return `{"documentChanges":[` + strings.Join(list, ",") + `]}` }
	version := fmt.Sprint(l.opened[uri])
	switch l.lie {
	case "the old form":
		return fmt.Sprintf(`{"changes":{%q:[%s]}}`, uri, one)
	case "no edit":
		return "null"
	case "twice":
		return changes(document(uri, "null", one+","+one), document(uri, version, one))
	case "another version":
		return changes(document(uri, "77", one))
	case "a new file":
		return changes(document(uri, version, one), `{"kind":"create","uri":"file:///etc/x"}`)
	case "a file elsewhere":
		return changes(document(uri, version, one), document("file:///etc/passwd", "null", one))
	case "no file":
		return changes(document("untitled:a", "null", one))
	case "a snippet":
		return changes(document(uri, version, at(2, 5, 11, `"snippet":{"kind":"snippet","value":"$0"}`)))
	case "overlapping edits":
		return changes(document(uri, version, one+","+at(2, 8, 9, `"newText":""`)))
	case "a range that ends before it starts":
		return changes(document(uri, version, at(2, 11, 5, `"newText":"sq"`)))
	case "much text":
		return changes(document(uri, version, at(2, 5, 11, `"newText":"`+strings.Repeat("x", 10_000)+`"`)))
	case "a word":
		return `"renamed"`
	}
	return changes(document(uri, version, one))
}

const diagnostic = `{"range":{"start":{"line":2,"character":5},"end":{"line":2,"character":11}},` +
	`"severity":1,"code":7,"message":"no\u001b[2J"}`

// publish reports a problem of each document.
func (l *liar) publish(uri string, version int) {
	send := func(version, items string) {
		l.send(`{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{"uri":%q%s,"diagnostics":%s}}`, uri, version, items)
	}
	switch l.lie {
	case "publishes":
		send(fmt.Sprintf(`,"version":%d`, version-1), "[]")
		send(fmt.Sprintf(`,"version":%d`, version), "["+diagnostic+"]")
	case "publishes without a version":
		send("", "[]")
	case "publishes for other versions":
		send(fmt.Sprintf(`,"version":%d`, version+1), "[]")
		send(`,"version":-1`, "[]")
	case "publishes much":
		send(fmt.Sprintf(`,"version":%d`, version), "["+strings.Repeat(diagnostic+",", 9_999)+diagnostic+"]")
	case "publishes words":
		send(fmt.Sprintf(`,"version":%d`, version), `"many"`)
	}
}

// diagnose answers a question for problems, if it does so.
func (l *liar) diagnose(m received) {
	if l.lie != "answers" {
		l.send(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}`, m.ID)
		return
	}
	l.send(`{"jsonrpc":"2.0","id":%s,"result":{"kind":"full","items":[%s]}}`, m.ID, diagnostic)
}

func (l *liar) answer(m received) {
	place := func(uri, from string) string {
		return fmt.Sprintf(`{"uri":%q,"range":{"start":{"line":%s,"character":5},"end":{"line":2,"character":11}}}`, uri, from)
	}
	true1 := place(m.Params.TextDocument.URI, "2")
	result := "[" + true1 + "]"
	switch l.lie {
	case "ends in the middle":
		os.Exit(7)
	case "never answers":
		return
	case "refuses":
		l.send(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32001,"message":"no\nidea \u001b[2J"}}`, m.ID)
		return
	case "answers with nothing":
		result = "null"
	case "answers with a word":
		result = `"everywhere"`
	case "answers with a negative line":
		result = "[" + place(m.Params.TextDocument.URI, "-4") + "]"
	case "answers twice, and to others":
		l.send(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
		l.send(`{"jsonrpc":"2.0","id":99999,"result":%s}`, result)
		l.send(`{"jsonrpc":"2.0","id":"x","result":%s}`, result)
	case "names other places":
		result = "[" + strings.Join([]string{place("file:///etc/passwd", "0"), place("untitled:a", "0"), place("file://host/a.go", "0"),
			place("file:///../../../etc/passwd", "0"), place("", "0"), place("%zz", "0"), place(m.Params.TextDocument.URI, "4000000000"), true1}, ",") + "]"
	case "finds too much":
		result = "[" + strings.Repeat(true1+",", 30_000) + true1 + "]"
	case "asks for much":
		l.asksForMuch()
	case "says much":
		for range 10_000 {
			l.send(`{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{"uri":"file:///a","diagnostics":[{"message":"x"}]}}`)
		}
		for i := range 10_000 {
			l.send(`{"jsonrpc":"2.0","method":"$/progress","params":{"token":%d,"value":{"kind":"begin","title":"work %d"}}}`, i, i)
		}
	case "sends garbage between":
		fmt.Fprint(l.out, "Content-Length: 40\r\n\r\n{\"jsonrpc\":\"2.0\",\nContent-Length: 9\r\n\r\nnonsense!")
	}
	l.send(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
}

func (l *liar) log(message string) {
	l.send(`{"jsonrpc":"2.0","method":"window/logMessage","params":{"type":3,"message":%q}}`, message)
}

// asksForMuch sends requests, and ends unless each is answered in the right way.
func (l *liar) asksForMuch() {
	for _, ask := range []struct{ id, method, params, want string }{
		{`"a"`, "workspace/configuration", `{"items":[{},{"section":"x"}]}`, "[null,null]"},
		{`-5`, "workspace/configuration", `7`, "-32602"},
		{`"\u0000{}"`, "window/workDoneProgress/create", `{"token":{"a":[]}}`, "null"},
		{`1`, "client/registerCapability", `{"registrations":[{"id":"x","method":"y"}]}`, "null"},
		{`1`, "client/unregisterCapability", `{}`, "null"},
		{`123456789012`, "window/showMessageRequest", `{"actions":[{"title":"delete all"}]}`, "null"},
		{`2`, "workspace/applyEdit", `{"edit":{"changes":{"file:///etc/passwd":[]}}}`, `{"applied":false,"failureReason":"this client only reads"}`},
		{`3`, "window/showDocument", `{"uri":"https://x"}`, `{"success":false}`},
		{`4`, "workspace/executeCommand", `{"command":"rm"}`, "-32601"},
		{`5`, "$/unknown", `null`, "-32601"},
	} {
		l.send(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, ask.id, ask.method, ask.params)
		m, ok := l.read()
		for ok && m.Method != "" {
			m, ok = l.read()
		}
		var result any
		_ = json.Unmarshal(m.Result, &result)
		sorted, _ := json.Marshal(result)
		got := string(sorted)
		if m.Error != nil {
			got = strconv.Itoa(m.Error.Code)
		}
		if !ok || got != ask.want {
			fmt.Fprintf(os.Stderr, "%s was answered with %s", ask.method, got)
			os.Exit(8)
		}
	}
}

func (l *liar) progress(kind string) {
	l.send(`{"jsonrpc":"2.0","method":"$/progress","params":{"token":"t","value":{"kind":%q,"title":"Loading packages"}}}`, kind)
}

func (l *liar) send(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	fmt.Fprintf(l.out, "Content-Length: %d\r\n\r\n%s", len(text), text)
}

func (l *liar) read() (m received, ok bool) {
	length := 0
	for {
		line, err := l.in.ReadString('\n')
		if err != nil {
			return m, false
		}
		line = strings.TrimSpace(line)
		if line == "" {
			break
		}
		if value, found := strings.CutPrefix(line, "Content-Length: "); found {
			length, _ = strconv.Atoi(value)
		}
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(l.in, body); err != nil {
		return m, false
	}
	_ = json.Unmarshal(body, &m)
	return m, true
}
