// Package lsptest provides a fake editor for tests. It connects to a server over the
// real wire format, keeps open documents and applies edits.
//
// Its promises:
//
//   - The test fails if a message of the server violates LSP, or needs what the editor has
//     not declared; package lspcheck has the rules.
//   - It fails if the server sends an edit with the wrong document version, or one that can't
//     be applied.
//   - It fails if a ploke/* message does not have the form that the schema says.
//   - It frames messages with the JSON-RPC library's stream, so it also tests the
//     server's own framing.
package lsptest

import (
	"context"
	"io"
	"net"
	"slices"
	"sync"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	ploke "ploke-lsp/lsp/protocol"
)

// timeout limits every wait of the editor that has no other one.
const timeout = 60 * time.Second

// An Editor is a client of a server. Its methods fail the test on unexpected errors.
type Editor struct {
	t            testing.TB
	conn         jsonrpc2.Conn
	options      Options
	capabilities *protocol.ClientCapabilities
	encoding     ploke.Encoding

	// Initialized is the server's answer to initialize.
	Initialized protocol.InitializeResult

	mu            sync.Mutex
	changed       chan struct{}
	documents     map[uri.URI]*Document
	notified      chan struct{}                      // closed when the latest notification of notifyInOrder is sent
	progress      map[string][]Progress              // by token, as JSON
	tokens        []string                           // created by the server, in order
	watched       map[string]string                  // registered watchers, by id: a folder, or "**/*"
	pending       map[jsonrpc2.ID]context.CancelFunc // requests that the server may cancel
	published     map[uri.URI][]protocol.Diagnostic  // by document
	events        []ploke.Event
	messages      []protocol.ShowMessageParams
	shown         []protocol.ShowDocumentParams
	registered    map[string]bool // methods
	calls         int64           // requests made
	sent          int             // chat messages sent
	editedVersion bool            // an edit named the version of a document
	ending        bool            // the person has closed the editor
	dawdling      sync.WaitGroup  // requests of the server for which BeforeAnswer runs
}

// A Document is an open document.
type Document struct {
	Version int32
	Text    string
}

// Start connects an editor to a server that serve runs in this process, and initializes
// it. At the end of the test it shuts the server down and fails the test if serve
// returned an error.
func Start(t testing.TB, serve func(context.Context, io.ReadWriteCloser) error, options Options) *Editor {
	t.Helper()
	e, ended := StartUntilExit(t, serve, options)
	t.Cleanup(func() {
		e.Shutdown()
		if err := <-ended; err != nil {
			t.Errorf("the server ended with: %v", err)
		}
	})
	return e
}

// StartUntilExit is like Start for a test that shuts the server down itself. The channel
// gets what serve returned.
func StartUntilExit(t testing.TB, serve func(context.Context, io.ReadWriteCloser) error,
	options Options) (*Editor, <-chan error) {
	t.Helper()
	ours, theirs := net.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- serve(context.Background(), theirs) }()
	return Connect(t, ours, options), ended
}

// Connect initializes an editor on a connection to a server.
func Connect(t testing.TB, conn io.ReadWriteCloser, options Options) *Editor {
	t.Helper()
	e := Dial(t, conn, options)
	e.Initialize()
	return e
}

// Dial connects an editor without initializing it.
func Dial(t testing.TB, conn io.ReadWriteCloser, options Options) *Editor {
	e := &Editor{
		t: t, options: options, capabilities: options.Capabilities,
		changed:   make(chan struct{}),
		documents: map[uri.URI]*Document{},
		progress:  map[string][]Progress{},
		watched:   map[string]string{}, registered: map[string]bool{},
		published: map[uri.URI][]protocol.Diagnostic{},
		pending:   map[jsonrpc2.ID]context.CancelFunc{},
	}
	if e.capabilities == nil {
		e.capabilities = Capabilities()
	}
	e.conn = jsonrpc2.NewConn(e.recorded(e.checked(e.doubling(jsonrpc2.NewStream(e.check(conn))))),
		jsonrpc2.WithCodec(ploke.Codec{}))
	e.conn.Go(context.Background(), e.handle)
	return e
}

// Initialize sends initialize and initialized.
func (e *Editor) Initialize() {
	e.t.Helper()
	params := &protocol.InitializeParams{Capabilities: *e.capabilities, ClientInfo: protocol.ClientInfo{Name: "lsptest"}}
	var folders []protocol.WorkspaceFolder
	for _, root := range e.options.Roots {
		folders = append(folders, protocol.WorkspaceFolder{URI: uri.File(root), Name: root})
	}
	params.WorkspaceFolders = protocol.NewNullable(folders)
	if e.options.InitializationOptions != nil {
		params.InitializationOptions = marshal(e.options.InitializationOptions)
	}
	if e.options.OnInitialize != nil {
		e.options.OnInitialize(params)
	}
	e.Call(protocol.MethodInitialize, params, &e.Initialized)
	e.encoding = e.Initialized.Capabilities.PositionEncoding
	if e.options.CountsCodePoints {
		e.encoding = protocol.PositionEncodingKindUTF32
	}
	e.Notify(protocol.MethodInitialized, &protocol.InitializedParams{})
}

// Shutdown sends shutdown and exit and closes the connection, once no BeforeAnswer runs any more. A
// second call does nothing.
func (e *Editor) Shutdown() {
	select {
	case <-e.conn.Done():
		return
	default:
	}
	e.endDawdling()
	e.flush()
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	if _, err := e.conn.Call(ctx, protocol.MethodShutdown, nil, nil); err != nil {
		e.t.Errorf("shutdown: %v", err)
	}
	_ = e.conn.Notify(ctx, protocol.MethodExit, nil)
	e.conn.Close()
}

// Events returns all ploke/event notifications so far.
func (e *Editor) Events() []ploke.Event {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.events)
}

// Messages returns all window/showMessage notifications so far.
func (e *Editor) Messages() []protocol.ShowMessageParams {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.messages)
}

// Shown returns all window/showDocument requests so far.
func (e *Editor) Shown() []protocol.ShowDocumentParams {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.shown)
}
