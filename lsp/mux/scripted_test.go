package mux_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/lsp/mux"
)

// scriptVariable has the script of the inner server, if this program is to be one.
const scriptVariable = "PLOKE_TEST_MUX_SCRIPT"

func TestMain(m *testing.M) {
	if relayed() {
		os.Exit(0)
	}
	text := os.Getenv(scriptVariable)
	if text == "" {
		os.Exit(m.Run())
	}
	s := &scripted{name: "inner", out: os.Stdout, in: os.Stdin}
	if err := json.Unmarshal([]byte(text), &s.script); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	switch {
	case s.Leaves:
	case s.Echoes:
		fmt.Println("no server")
		_, _ = io.Copy(os.Stdout, os.Stdin)
	default:
		s.serve()
	}
	os.Exit(0)
}

// A script is what a scripted server does by itself.
type script struct {
	Capabilities json.RawMessage            // of its answer to initialize
	Info         json.RawMessage            `json:",omitempty"` // serverInfo
	Silent       bool                       // it does not answer initialize
	Late         string                     // it answers initialize once this address closes a connection
	Leaves       bool                       // it ends at once
	Echoes       bool                       // it is no server
	Refuses      bool                       // it answers initialize with an error
	Answers      map[string]json.RawMessage // by method
}

// message is a message of JSON-RPC as it is on the wire.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
	raw string
}

func readMessage(r *bufio.Reader) (m message, err error) {
	header, err := textproto.NewReader(r).ReadMIMEHeader()
	if err != nil {
		return m, err
	}
	n, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil {
		return m, err
	}
	body := make([]byte, n)
	if _, err = io.ReadFull(r, body); err != nil {
		return m, err
	}
	m.raw = string(body)
	return m, json.Unmarshal(body, &m)
}

func frame(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }

// scripted is a server that says what the test tells it to, by requests whose methods begin with script/, or with
// ploke/script/ for ours.
type scripted struct {
	script
	name     string
	in       io.Reader
	out      io.Writer
	received []json.RawMessage
}

func (s *scripted) send(format string, args ...any) {
	_, _ = io.WriteString(s.out, frame(fmt.Sprintf(format, args...))) // the test notices
}

func (s *scripted) initialized(id json.RawMessage) {
	if s.Refuses {
		s.send(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":"no license"}}`, id)
		return
	}
	info := s.Info
	if info == nil {
		info = json.RawMessage(fmt.Sprintf(`{"name":%q}`, s.name))
	}
	s.send(`{"jsonrpc":"2.0","id":%s,"result":{"capabilities":%s,"serverInfo":%s}}`, id, s.Capabilities, info)
}

func (s *scripted) serve() {
	in := bufio.NewReader(s.in)
	for {
		m, err := readMessage(in)
		if err != nil {
			return
		}
		method, own := strings.CutPrefix(strings.TrimPrefix(m.Method, "ploke/"), "script/")
		if !own {
			s.received = append(s.received, json.RawMessage(m.raw))
		}
		switch {
		case m.Method == "exit":
			return
		case m.Method == "initialize" && s.Silent:
		case m.Method == "initialize" && s.Late != "":
			conn, err := net.Dial("tcp", s.Late)
			if err == nil {
				_, _ = conn.Read(make([]byte, 1))
			}
			s.initialized(m.ID)
		case m.Method == "initialize":
			s.initialized(m.ID)
		case own:
			s.do(method, m)
		case m.ID == nil || m.Method == "":
		default:
			result, ok := s.Answers[m.Method]
			if !ok {
				result = json.RawMessage(fmt.Sprintf(`{"from":%q}`, s.name))
			}
			if string(result) != `"nothing"` {
				s.send(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
			}
		}
	}
}

func (s *scripted) do(what string, m message) {
	result := json.RawMessage("null")
	switch what {
	case "send": // messages as they are
		var list []json.RawMessage
		_ = json.Unmarshal(m.Params, &list)
		for _, body := range list {
			s.send("%s", body)
		}
	case "bytes": // frames as they are
		var text string
		_ = json.Unmarshal(m.Params, &text)
		_, _ = io.WriteString(s.out, text)
	case "large":
		s.send(`{"jsonrpc":"2.0","id":%s,"result":"%s"}`, m.ID, strings.Repeat("x", 65<<20))
		return
	case "received":
		result = plainJSON(s.received)
	case "stall":
		select {}
	case "end":
		fmt.Fprintln(os.Stderr, "panic: no memory")
		os.Exit(2)
	case "silence":
		return
	}
	if m.ID != nil {
		s.send(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
	}
}

// A session is an editor that speaks raw messages, with two scripted servers behind a mux.
type session struct {
	t    *testing.T
	conn net.Conn

	mu   sync.Mutex
	all  []message
	last int
	gone bool
}

// servers are the scripts of both servers.
type servers struct{ inner, ours script }

// plainServers both offer what they are asked here.
func plainServers() servers {
	return servers{
		inner: script{Capabilities: json.RawMessage(`{"textDocumentSync":2,"codeActionProvider":{"resolveProvider":true},
			"hoverProvider":true,"codeLensProvider":{"resolveProvider":true},"definitionProvider":true,"referencesProvider":true,
			"completionProvider":{"triggerCharacters":["."],"resolveProvider":true},"renameProvider":true,
			"executeCommandProvider":{"commands":["theirs.run","ploke.ask"]}}`)},
		ours: script{Capabilities: json.RawMessage(`{"positionEncoding":"utf-16","textDocumentSync":{"openClose":true,"change":2,"save":true},
			"codeActionProvider":{"codeActionKinds":["quickfix"]},"hoverProvider":true,"codeLensProvider":{},"definitionProvider":true,
			"completionProvider":{},"foldingRangeProvider":true,
			"executeCommandProvider":{"commands":["ploke.ask"]},"experimental":{"ploke":{"version":1,"methods":[]}}}`)},
	}
}

// dial connects an editor, and does not initialize it.
func dial(t *testing.T, s servers, change func(*mux.Options)) *session {
	t.Helper()
	text := plainJSON(s.inner)
	o := mux.Options{Command: []string{os.Args[0]}, Environment: append(os.Environ(), scriptVariable+"="+string(text)),
		Messages: io.Discard, Own: func(u string) bool { return strings.Contains(u, "/.ploke/") },
		Serve: func(_ context.Context, conn io.ReadWriteCloser) error {
			defer conn.Close()
			(&scripted{script: s.ours, name: "ours", in: conn, out: conn}).serve()
			return nil
		}}
	if change != nil {
		change(&o)
	}
	ours, theirs := net.Pipe()
	e := &session{t: t, conn: ours}
	ended := make(chan error, 1)
	go func() { ended <- mux.New(o).Serve(context.Background(), theirs) }()
	go e.read()
	t.Cleanup(func() {
		e.conn.Close()
		if err := testbed.Receive(t, ended, "the end of the mux"); err != nil {
			t.Errorf("the mux ended with: %v", err)
		}
	})
	return e
}

func (e *session) read() {
	in := bufio.NewReader(e.conn)
	for {
		m, err := readMessage(in)
		e.mu.Lock()
		if err != nil {
			e.gone = true
		} else {
			e.all = append(e.all, m)
		}
		e.mu.Unlock()
		if err != nil {
			return
		}
	}
}

const plainInitialize = `{"processId":null,"rootUri":null,"capabilities":{}}`

// open connects an editor and initializes it.
func open(t *testing.T, s servers, change func(*mux.Options)) *session {
	t.Helper()
	e := dial(t, s, change)
	e.request("initialize", plainInitialize)
	e.notify("initialized", "{}")
	return e
}

func (e *session) write(format string, args ...any) {
	e.t.Helper()
	if _, err := io.WriteString(e.conn, frame(fmt.Sprintf(format, args...))); err != nil {
		e.t.Fatal(err)
	}
}

func (e *session) notify(method, params string) {
	e.t.Helper()
	e.write(`{"jsonrpc":"2.0","method":%q,"params":%s}`, method, params)
}

// ask sends a request and returns its id.
func (e *session) ask(method, params string) (id string) {
	e.t.Helper()
	e.mu.Lock()
	e.last++
	id = strconv.Itoa(e.last)
	e.mu.Unlock()
	e.write(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, method, params)
	return id
}

// request sends a request and returns the answer.
func (e *session) request(method, params string) message {
	e.t.Helper()
	return e.answer(e.ask(method, params))
}

// answer waits for the answer to a request.
func (e *session) answer(id string) message {
	e.t.Helper()
	return e.await("the answer to "+id, func(m message) bool { return m.Method == "" && string(m.ID) == id })
}

// await waits for a message.
func (e *session) await(what string, is func(message) bool) (found message) {
	e.t.Helper()
	testbed.EventuallyWithin(e.t, 20*time.Second, func() bool {
		for _, m := range e.seen() {
			if is(m) {
				found = m
				return true
			}
		}
		return false
	}, func() string { return what + " does not come: " + e.shown() })
	return found
}

func (e *session) ended() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.gone
}

func (e *session) seen() []message {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.all)
}

// count returns how many messages a test has seen of a kind.
func (e *session) count(is func(message) bool) (n int) {
	for _, m := range e.seen() {
		if is(m) {
			n++
		}
	}
	return n
}

func (e *session) shown() string {
	var b strings.Builder
	for _, m := range e.seen() {
		fmt.Fprintf(&b, "\n%.300s", m.raw)
	}
	return b.String()
}

const inner, ours = "script/", "ploke/script/"

// says makes a server send messages, and waits until it has.
func (e *session) says(server string, messages ...string) {
	e.t.Helper()
	e.request(server+"send", "["+strings.Join(messages, ",")+"]")
}

// got returns the messages that a server has got with a method.
func (e *session) got(server, method string) (list []message) {
	e.t.Helper()
	var all []json.RawMessage
	if err := json.Unmarshal(e.request(server+"received", "null").Result, &all); err != nil {
		e.t.Fatal(err)
	}
	for _, raw := range all {
		var m message
		if err := json.Unmarshal(raw, &m); err != nil {
			e.t.Fatal(err)
		}
		if m.raw = string(raw); m.Method == method {
			list = append(list, m)
		}
	}
	return list
}

// plainJSON encodes a value without escapes for HTML.
func plainJSON(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimSpace(b.Bytes())
}

func compact(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return string(raw)
	}
	return b.String()
}
