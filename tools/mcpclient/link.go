package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// handshakeVersion is the protocol that servers are asked for first: the newest one that begins with a
	// handshake. Many servers end when the first message is another one.
	handshakeVersion = "2025-11-25"
	exitPatience     = time.Second // for the end of a program whose connection has ended
)

// link is a connection to a server that works, or did until it ended.
type link struct {
	server  Server
	session *mcp.ClientSession
	program *program // nil: over HTTP
	ctx     context.Context
	cancel  context.CancelFunc
	list    *toolList
}

// dial connects to a server and asks for its tools, until ctx ends. The link itself lasts until it is
// closed.
func dial(ctx context.Context, o Options, s Server) (*link, error) {
	l, err := dialVersion(ctx, o, s, handshakeVersion)
	if refusal(err) != nil { // it may know only newer versions
		return dialVersion(ctx, o, s, "")
	}
	return l, err
}

// dialVersion connects with a version of the protocol; "" is the newest one.
func dialVersion(ctx context.Context, o Options, s Server, version string) (*link, error) {
	l := &link{server: s}
	l.ctx, l.cancel = context.WithCancel(context.WithoutCancel(ctx))
	transport := mcp.Transport(&mcp.StreamableClientTransport{Endpoint: s.URL,
		HTTPClient: httpClient(o.HTTPClient, s.Headers, o.floodBytes), MaxRetries: -1, DisableStandaloneSSE: true})
	if s.Command != "" {
		var err error
		if l.program, err = startProgram(s, o.floodBytes); err != nil {
			l.cancel()
			return nil, err
		}
		transport = &mcp.IOTransport{Reader: l.program.stdout, Writer: l.program.Stdin, MaxLineLength: int(o.floodBytes / 4)}
	}
	defer context.AfterFunc(ctx, l.abort)() // what hangs ends when its other side does
	// No capabilities: a server can't ask for models, for folders or for answers of the person.
	client := mcp.NewClient(&mcp.Implementation{Name: "ploke-lsp", Version: o.Version},
		&mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}})
	session, err := client.Connect(l.ctx, transport, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err == nil {
		l.session = session
		l.list, err = listTools(l.ctx, session, s.Name)
	}
	if err != nil {
		err = l.explain(err)
		l.kill()
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return nil, err
	}
	return l, nil
}

// ended waits until the link has ended, and returns why.
func (l *link) ended() error { return l.explain(l.session.Wait()) }

// explain returns what a person should read of an error of the connection.
func (l *link) explain(err error) error {
	switch {
	case refusal(err) != nil:
		return err
	case l.program == nil && err == nil:
		return errors.New("the connection has ended")
	case l.program == nil:
		return withoutQuery(err, l.server.URL)
	case l.program.stdout.flooded.Load():
		return errFlood
	case err != nil && !closedBy(err):
		return noMCP(err)
	}
	if err := l.broken(); err != nil {
		return noMCP(err)
	}
	wait := time.NewTimer(exitPatience)
	defer wait.Stop()
	select {
	case <-l.program.Exited:
	case <-wait.C:
		return errors.New("it closed its output")
	}
	if words := l.program.lastWords(); words != "" {
		return fmt.Errorf("%s, and its last words were: %s", l.program.how(), words)
	}
	return errors.New(l.program.how())
}

func noMCP(err error) error { return fmt.Errorf("what it sends is not MCP: %w", err) }

// broken returns the error that has ended the session, unless its program has ended it. Others only see that
// the connection is closed.
func (l *link) broken() error {
	if l.session == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), exitPatience)
	defer cancel()
	_, err := within(ctx, func() (any, error) { return nil, l.session.Wait() })
	if ctx.Err() != nil || closedBy(err) {
		return nil
	}
	return err
}

// ownErrors are those that the library makes itself in the form of an answer: the message did not reach the
// server, or the connection has ended.
var ownErrors = map[int64]string{-32005: "rejected by transport", -32004: "server is closing", -32003: "client is closing"}

// refusal returns the error that a server answered with; nil if err is another one.
func refusal(err error) *jsonrpc.Error {
	var answer *jsonrpc.Error
	if !errors.As(err, &answer) {
		return nil
	}
	if message, known := ownErrors[answer.Code]; known && message == answer.Message {
		return nil
	}
	return answer
}

// withoutQuery returns err without what follows the question mark of an address, which may be a key.
func withoutQuery(err error, address string) error {
	_, query, ok := strings.Cut(address, "?")
	if !ok || query == "" {
		return err
	}
	text := strings.ReplaceAll(err.Error(), "?"+query, "?…")
	if len(query) >= 8 { // else it may be a part of a word
		text = strings.ReplaceAll(text, query, "…")
	}
	return errors.New(text)
}

// closedBy reports whether an error says that the program has closed its end of the connection.
func closedBy(err error) bool {
	for _, end := range []error{io.EOF, io.ErrUnexpectedEOF, io.ErrClosedPipe, os.ErrClosed, syscall.EPIPE,
		mcp.ErrConnectionClosed} {
		if errors.Is(err, end) {
			return true
		}
	}
	return false
}

// close ends the link, and waits until a program has ended.
func (l *link) close() {
	if l.program != nil {
		l.program.stop()
	}
	l.cancel()
	l.closeSession()
}

// kill ends the link at once.
func (l *link) kill() {
	l.abort()
	l.closeSession()
}

// abort ends what the session works with.
func (l *link) abort() {
	if l.program != nil {
		l.program.Kill()
	}
	l.cancel()
}

// closeSession tells a server over HTTP that the session has ended, and frees what the session has.
func (l *link) closeSession() {
	if l.session == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopGrace)
	defer cancel()
	_, _ = within(ctx, func() (any, error) { return nil, l.session.Close() }) // no caller can do anything about an error
}
