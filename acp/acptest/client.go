// Package acptest provides a client of the Agent Client Protocol for tests. It is on the real wire: in
// the process of the test, or behind the protocol's TypeScript SDK with the agent as a process of its own.
//
// Its promises:
//
//   - The test fails if a message of either side violates the schema of the protocol's npm package.
//   - A wait fails the test after a minute.
package acptest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"

	"ploke-lsp/acp/protocol"
	"ploke-lsp/internal/testbed"
)

// timeout limits every wait.
const timeout = 60 * time.Second

// Options configures a client. The zero value has no files and cancels every question.
type Options struct {
	Capabilities protocol.ClientCapabilities
	// OnPermission returns the id of the option that the person chooses; "" cancels. ctx ends when the
	// agent takes the question back, and with the test.
	OnPermission func(ctx context.Context, asked protocol.RequestPermissionRequest) string
	// NamesCancelled makes a client cancel each question, and name the option that OnPermission returns all the same.
	NamesCancelled bool
	// OnForm fills in a form; nil closes each.
	OnForm func(asked protocol.ElicitationRequest) map[string]any
	// Texts are texts that the client has not saved, by path. With capabilities for files, all others
	// are read from disk.
	Texts map[string]string
	// Unchecked makes the client quick: it compares no message with the schema, and keeps none. It is for
	// benchmarks.
	Unchecked bool
	// OnRead, if not nil, is called before the client answers with the text of a file. With an error,
	// the client refuses to.
	OnRead func(path string) error
	// AnswersTwice makes a client in the process of the test send each answer a second time.
	AnswersTwice bool
	// OnWrite is called before the client writes a file, with its text. With an error, the client refuses to.
	OnWrite func(path, text string) error
	// Forgets makes a client say that it has written a file, and write nothing.
	Forgets func(path string) bool
}

// An Update is an update of a session.
type Update struct {
	SessionID string
	Kind      string
	protocol.ToolCall
	Text string // of a message
	Raw  json.RawMessage
}

// A Client is a client of an agent.
type Client struct {
	PID int // of the agent, if it is a process of its own

	t       testing.TB
	ctx     context.Context // ends before the connection
	leave   context.CancelFunc
	options Options
	conn    jsonrpc2.Conn
	checker *checker

	mu      sync.Mutex
	changed chan struct{} // closed and replaced by each change
	updates []Update
	texts   map[string]string
	asked   []protocol.RequestPermissionRequest
	wire    []string                      // the lines of both sides
	cancels map[string]context.CancelFunc // of questions, by their session and call
	revoked int                           // questions that the agent has taken back
	ended   bool
}

// Start runs an agent's Serve and connects a client. It ends with the test.
func Start(t testing.TB, serve func(context.Context, io.ReadWriteCloser) error, options Options) *Client {
	t.Helper()
	ours, theirs := net.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- serve(context.Background(), theirs) }()
	c := newClient(t, options)
	c.connect(&recorded{ReadWriteCloser: ours, check: c.check})
	t.Cleanup(func() {
		c.leave()
		ours.Close() // else the library waits for the answers that are owed
		c.conn.Close()
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("the agent ended with: %v", err)
			}
		case <-time.After(timeout):
			t.Error("the agent does not end")
		}
	})
	return c
}

func newClient(t testing.TB, options Options) *Client {
	c := &Client{t: t, options: options, changed: make(chan struct{}), texts: map[string]string{},
		cancels: map[string]context.CancelFunc{}}
	c.ctx, c.leave = context.WithCancel(context.Background())
	if !options.Unchecked {
		c.checker = newChecker(t)
	}
	for path, text := range options.Texts {
		c.texts[path] = text
	}
	return c
}

func (c *Client) connect(conn io.ReadWriteCloser) {
	stream := jsonrpc2.NewNDJSONStream(conn)
	if c.options.AnswersTwice {
		stream = testbed.AnswerTwice(stream)
	}
	c.conn = jsonrpc2.NewConn(stream)
	c.conn.Go(context.Background(), c.handle)
}

func (c *Client) check(from, line string) {
	if c.options.Unchecked {
		return
	}
	_ = c.change(func() error { c.wire = append(c.wire, from+" "+line); return nil })
	if err := c.checker.check(from, line); err != nil {
		c.t.Error(err)
	}
}

// recorded passes bytes on, and each whole line to check.
type recorded struct {
	io.ReadWriteCloser
	check     func(from, line string)
	in, out   []byte
	inM, outM sync.Mutex
}

func (r *recorded) Read(p []byte) (int, error) {
	n, err := r.ReadWriteCloser.Read(p)
	r.inM.Lock()
	defer r.inM.Unlock()
	r.in = r.lines("agent", append(r.in, p[:n]...))
	return n, err
}

func (r *recorded) Write(p []byte) (int, error) {
	r.outM.Lock()
	r.out = r.lines("client", append(r.out, p...))
	r.outM.Unlock()
	return r.ReadWriteCloser.Write(p)
}

func (r *recorded) lines(from string, data []byte) (rest []byte) {
	for {
		line, after, ok := bytes.Cut(data, []byte("\n"))
		if !ok {
			return data
		}
		r.check(from, string(line))
		data = after
	}
}

// handle answers what the agent asks, and notes what it tells.
func (c *Client) handle(ctx context.Context, req *jsonrpc2.Request) (any, error) {
	params := bytes.Clone(req.Params())
	switch req.Method() {
	case protocol.MethodSessionUpdate:
		return nil, c.noteUpdate(params)
	case protocol.MethodRequestPermission:
		id := fmt.Sprint(req.ID())
		jsonrpc2.Async(ctx)
		return c.answer(id, params)
	case protocol.MethodElicitationCreate:
		jsonrpc2.Async(ctx)
		return c.fill(params)
	case protocol.MethodCancelRequest:
		return nil, c.revoke(params)
	case protocol.MethodReadTextFile:
		jsonrpc2.Async(ctx)
		return c.read(params)
	case protocol.MethodWriteTextFile:
		jsonrpc2.Async(ctx)
		return c.write(params)
	case "test/wire":
		var wire struct{ Direction, Line string }
		if err := json.Unmarshal(params, &wire); err != nil {
			return nil, err
		}
		c.check(wire.Direction, wire.Line)
	case "test/started":
		return nil, c.change(func() error {
			return json.Unmarshal(params, &struct{ PID *int }{&c.PID})
		})
	case "test/exited":
		return nil, c.change(func() error { c.ended = true; return nil })
	}
	return nil, nil
}

// change changes the client's state and wakes the callers that wait for it.
func (c *Client) change(do func() error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	close(c.changed)
	c.changed = make(chan struct{})
	return do()
}

func (c *Client) noteUpdate(params []byte) error {
	var n struct {
		SessionID string
		Update    json.RawMessage
	}
	var kind struct{ SessionUpdate string }
	var chunk struct{ Content struct{ Text string } }
	u := Update{}
	err := json.Unmarshal(params, &n)
	if err == nil {
		err = json.Unmarshal(n.Update, &kind)
	}
	u.SessionID, u.Kind, u.Raw = n.SessionID, kind.SessionUpdate, n.Update
	if err == nil && (u.Kind == protocol.NewToolCall || u.Kind == protocol.ToolCallUpdate) {
		err = json.Unmarshal(n.Update, &u.ToolCall)
	} else if err == nil && strings.HasSuffix(u.Kind, "_chunk") {
		err = json.Unmarshal(n.Update, &chunk)
		u.Text = chunk.Content.Text
	}
	return errors.Join(err, c.change(func() error { c.updates = append(c.updates, u); return nil }))
}

// revoke ends a question that the agent has taken back.
func (c *Client) revoke(params []byte) error {
	var p struct{ RequestID json.RawMessage }
	if err := json.Unmarshal(params, &p); err != nil {
		return err
	}
	return c.change(func() error {
		if cancel := c.cancels[string(p.RequestID)]; cancel != nil {
			c.revoked++
			cancel()
		}
		return nil
	})
}

func (c *Client) answer(id string, params []byte) (any, error) {
	var asked protocol.RequestPermissionRequest
	if err := json.Unmarshal(params, &asked); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(c.ctx)
	defer cancel()
	_ = c.change(func() error { c.asked, c.cancels[id] = append(c.asked, asked), cancel; return nil })
	if c.options.OnPermission != nil {
		if chosen := c.options.OnPermission(ctx, asked); chosen != "" {
			outcome := "selected"
			if c.options.NamesCancelled {
				outcome = "cancelled"
			}
			return map[string]any{"outcome": map[string]string{"outcome": outcome, "optionId": chosen}}, nil
		}
	}
	return map[string]any{"outcome": map[string]string{"outcome": "cancelled"}}, nil
}

// fill fills in a form.
func (c *Client) fill(params []byte) (any, error) {
	var asked protocol.ElicitationRequest
	if err := json.Unmarshal(params, &asked); err != nil {
		return nil, err
	}
	if c.options.OnForm == nil {
		return map[string]any{"action": "cancel"}, nil
	}
	return map[string]any{"action": "accept", "content": c.options.OnForm(asked)}, nil
}

func (c *Client) read(params []byte) (any, error) {
	var p protocol.ReadTextFileRequest
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, err
	}
	if c.options.OnRead != nil {
		if err := c.options.OnRead(p.Path); err != nil {
			return nil, jsonrpc2.NewError(protocol.CodeInternalError, err.Error())
		}
	}
	c.mu.Lock()
	text, unsaved := c.texts[p.Path]
	c.mu.Unlock()
	if unsaved {
		return protocol.ReadTextFileResponse{Content: text}, nil
	}
	disk, err := os.ReadFile(p.Path)
	if err != nil {
		return nil, jsonrpc2.NewError(protocol.CodeResourceNotFound, err.Error())
	}
	return protocol.ReadTextFileResponse{Content: string(disk)}, nil
}

func (c *Client) write(params []byte) (any, error) {
	var p protocol.WriteTextFileRequest
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, err
	}
	if c.options.OnWrite != nil {
		if err := c.options.OnWrite(p.Path, p.Content); err != nil {
			return nil, jsonrpc2.NewError(protocol.CodeInternalError, err.Error())
		}
	}
	if c.options.Forgets != nil && c.options.Forgets(p.Path) {
		return struct{}{}, nil
	}
	c.mu.Lock()
	delete(c.texts, p.Path) // it is saved with what is written
	c.mu.Unlock()
	if err := errors.Join(os.MkdirAll(filepath.Dir(p.Path), 0o700),
		os.WriteFile(p.Path, []byte(p.Content), 0o600)); err != nil {
		return nil, err
	}
	return struct{}{}, nil
}
