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
	"io"
	"net"
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
