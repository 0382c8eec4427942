package lsp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/uri"

	"ploke-lsp/internal/wire/wiretest"
	"ploke-lsp/lsp"
)

// patience is how long a bareEditor waits for a message.
const patience = 20 * time.Second

// A bareEditor sends and receives messages one by one, so that a test decides on their
// order. It reads ahead, and answers nothing by itself.
type bareEditor struct {
	t        *testing.T
	conn     net.Conn
	received chan message
}

// message is any message of the server.
type message struct {
	ID     json.RawMessage
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  *struct{ Code int }
}

// startBare starts a server for an editor with some capabilities, as JSON.
func (f *fixture) startBare(t *testing.T, capabilities string) *bareEditor {
	t.Helper()
	ours, theirs := net.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- lsp.NewServer(f.Options).Serve(context.Background(), theirs) }()
	e := &bareEditor{t, ours, make(chan message, 1000)}
	go e.read()
	t.Cleanup(func() { ours.Close(); <-ended })
	e.send(`{"jsonrpc":"2.0","id":"initialize","method":"initialize","params":{"capabilities":%s,"workspaceFolders":[{"uri":%q,"name":"w"}]}}`,
		capabilities, uri.File(f.root))
	e.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	return e
}

func (e *bareEditor) send(format string, args ...any) {
	e.t.Helper()
	if _, err := io.WriteString(e.conn, wiretest.Frame(fmt.Sprintf(format, args...))); err != nil {
		e.t.Fatal(err)
	}
}

func (e *bareEditor) read() {
	defer close(e.received)
	for in := textproto.NewReader(bufio.NewReader(e.conn)); ; {
		header, err := in.ReadMIMEHeader()
		if err != nil {
			return
		}
		length, err := strconv.Atoi(header.Get("Content-Length"))
		if err != nil {
			e.t.Error(err)
			return
		}
		body := make([]byte, length)
		if _, err := io.ReadFull(in.R, body); err != nil {
			return
		}
		var m message
		if err := json.Unmarshal(body, &m); err != nil {
			e.t.Error(err)
		}
		e.received <- m
	}
}

// await returns the next message that is wanted and drops those before it.
func (e *bareEditor) await(what string, wanted func(message) bool) message {
	e.t.Helper()
	for limit := time.After(patience); ; {
		select {
		case m, ok := <-e.received:
			if !ok {
				e.t.Fatalf("the server left before %s", what)
			}
			if wanted(m) {
				return m
			}
		case <-limit:
			e.t.Fatalf("%s did not come", what)
		}
	}
}

func method(name string) func(message) bool {
	return func(m message) bool { return m.Method == name }
}

func replyTo(id string) func(message) bool {
	return func(m message) bool { return m.Method == "" && string(m.ID) == id }
}

// progressOf returns whether a message is a progress with a token and of a kind, as JSON.
func progressOf(token, kind string) func(message) bool {
	return func(m message) bool {
		return m.Method == "$/progress" && strings.Contains(string(m.Params), `"token":`+token) &&
			strings.Contains(string(m.Params), `"kind":`+kind)
	}
}
