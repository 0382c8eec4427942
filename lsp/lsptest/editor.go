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
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"slices"
	"strings"
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

// Options configures an editor. The zero value is an editor with all capabilities of
// [Capabilities] and no folder.
type Options struct {
	Roots []string // workspace folders
	// OnInitialize, if not nil, may change the parameters of initialize.
	OnInitialize func(*protocol.InitializeParams)
	// Capabilities overrides the default, [Capabilities].
	Capabilities          *protocol.ClientCapabilities
	InitializationOptions any
	// Settings is the result of workspace/configuration; see [WithConfiguration].
	Settings any
	// RefuseEdits, if not empty, is the reason with which the editor refuses all edits.
	RefuseEdits string
	// OnApplyEdit, if not nil, handles workspace/applyEdit: it may call apply. The
	// editor replies when it returns. If it did not call apply, the edit is refused.
	OnApplyEdit func(apply func())
	// Lie, if not nil, makes the editor dishonest: of each edit it applies what Lie leaves,
	// and it answers what Lie returns.
	Lie func(edit *protocol.WorkspaceEdit) (applied bool)
	// CountsCodePoints makes the editor count code points, whatever initialize answers.
	CountsCodePoints bool
	// OneLineEnd makes the editor give all lines of a document the same line end, as VS Code does
	// on Windows: LF if a document has only this one, else CRLF.
	OneLineEnd bool
	// EndsLines makes one line end of the text of an empty file that an edit opens, and adds one to what is inserted
	// behind the last line end, as Neovim does.
	EndsLines bool
	// ForgetsDiagnostics makes the editor drop what is published of a document that it has not open, and all of one that
	// it closes, as Eglot of Emacs 28 does.
	ForgetsDiagnostics bool
	// Undeclared are capabilities that the editor has without declaring them, such as
	// "textDocument.hover".
	Undeclared []string
	// OddRequests says that the test sends ploke/* requests of any form.
	OddRequests bool
	// RefuseDocuments makes the editor answer that it could not show a document.
	RefuseDocuments bool
	// OnPermission answers the server's permission requests, with an answer of
	// [ploke.PermissionAskResult] or, if the editor did not declare that method, the
	// title of an action. ctx ends when the server cancels the request.
	OnPermission func(ctx context.Context, question string) string
	// Choice, if not nil, returns the answer to window/showMessageRequest, where chosen is the index of the action that
	// OnPermission chose, or -1. Editors with a list of their own answer with a new action that has nothing but a title.
	Choice func(actions []protocol.MessageActionItem, chosen int) any
	// BeforeAnswer, if not nil, is called when the editor has handled a request of the server. The editor answers when it
	// returns, and sends and reads other messages meanwhile.
	BeforeAnswer func(e *Editor, method string)
	// AnswersTwice makes the editor send each answer to a request of the server a second time.
	AnswersTwice bool
	// Diagnostics is the result of ploke/client/diagnostics; see [WithDiagnostics].
	Diagnostics []ploke.DocumentDiagnostics
	// State returns the result of ploke/client/state; see [WithEditorState]. ctx ends when
	// the server cancels the request.
	State func(ctx context.Context) *ploke.ClientState
	// Answer holds answers to more ploke/* requests of the server, by method; see [WithMethods]. An answer may take as
	// long as it wants: other messages are read meanwhile. ctx ends when the server cancels the request.
	Answer map[string]func(ctx context.Context, e *Editor, params []byte) (any, error)
	// Timeout limits every wait of the editor; 0 is a minute.
	Timeout time.Duration
	// OnRegisterWatcher, if not nil, is called before the editor registers a watcher.
	OnRegisterWatcher func()
	// Transcript, if not nil, gets all messages.
	Transcript *Transcript
}

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

// Call sends a request that must succeed.
func (e *Editor) Call(method string, params, result any) {
	e.t.Helper()
	if err := e.Try(e.untilShutdown(), method, params, result); err != nil {
		e.t.Fatalf("%s: %v", method, err)
	}
}

// untilShutdown returns a context that does not end with the test's, since the editor may owe an answer then.
func (e *Editor) untilShutdown() context.Context { return context.WithoutCancel(e.t.Context()) }

// Try sends a request and waits for the reply. If ctx ends first, it sends
// $/cancelRequest and still waits.
func (e *Editor) Try(ctx context.Context, method string, params, result any) error {
	waiting, cancel := context.WithTimeout(context.WithoutCancel(ctx), cmp.Or(e.options.Timeout, timeout))
	defer cancel()
	e.flush()
	return e.call(ctx, waiting, method, params, result)
}

// Error sends a request that must fail, and returns its error. The message must not
// contain the path of a workspace folder, unless it is about a path outside the workspace.
func (e *Editor) Error(method string, params any) *jsonrpc2.Error {
	e.t.Helper()
	err := e.Try(e.t.Context(), method, params, nil)
	var wire *jsonrpc2.Error
	if !errors.As(err, &wire) {
		e.t.Fatalf("%s: got %v, want an error from the server", method, err)
	}
	for _, root := range e.options.Roots {
		if strings.Contains(wire.Message, root) && !strings.Contains(wire.Message, "outside the workspace") {
			e.t.Errorf("%s: the error contains the path of the folder: %s", method, wire.Message)
		}
	}
	return wire
}

// Notify sends a notification.
func (e *Editor) Notify(method string, params any) {
	e.t.Helper()
	e.flush()
	if err := e.conn.Notify(e.untilShutdown(), method, params); err != nil {
		e.t.Fatalf("%s: %v", method, err)
	}
}

// Await waits until holds returns true. It calls holds again after every message from
// the server.
func (e *Editor) Await(what string, holds func() bool) {
	e.t.Helper()
	limit := time.NewTimer(cmp.Or(e.options.Timeout, timeout))
	defer limit.Stop()
	for {
		e.mu.Lock()
		changed := e.changed
		e.mu.Unlock()
		if holds() {
			return
		}
		select {
		case <-changed:
		case <-limit.C:
			e.t.Fatalf("timed out waiting for %s", what)
		case <-e.conn.Done():
			e.t.Fatalf("the connection ended while waiting for %s: %v", what, e.conn.Err())
		}
	}
}

// AwaitIndex waits until the server reports that the index is ready.
func (e *Editor) AwaitIndex() {
	e.t.Helper()
	e.AwaitState(ploke.IndexReady)
}

// AwaitState waits until the latest reported status of the index has this state, and
// returns that status.
func (e *Editor) AwaitState(state ploke.IndexState) (status *ploke.IndexStatus) {
	e.t.Helper()
	e.Await("the index to be "+string(state), func() bool {
		for _, ev := range slices.Backward(e.Events()) {
			if ev.Type == ploke.PartIndex {
				status = ev.Index
				return status.State == state
			}
		}
		return false
	})
	return status
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

// marshal encodes a value of a test; it panics if that fails.
func marshal(v any) protocol.LSPAny {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}
