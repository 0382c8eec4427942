// Package lsptest is a fake editor. It speaks with a server over the real
// wire, keeps documents as an editor does, applies edits and checks what it is
// sent: versions that are not the document's, edits that overlap or lie
// outside of the text, and requests that were never declared fail the test.
//
// It frames messages with the library's own stream, not with the server's.
package lsptest

import (
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

// timeout is how long the editor waits for what must come.
const timeout = 60 * time.Second

// Options is what the editor says of itself. The zero value is an editor that
// can do everything.
type Options struct {
	Roots []string // workspace folders; none opens no folder
	// Capabilities replaces the declaration, see [Capabilities].
	Capabilities          *protocol.ClientCapabilities
	InitializationOptions any
	// Settings is the answer to workspace/configuration, see [WithConfiguration].
	Settings any
	// Refuse is the reason for which the editor refuses every edit.
	RefuseEdits string
	// Edit, if any, is called with what applies an edit; the answer waits until it
	// returns. An edit that it does not apply is refused.
	OnApplyEdit func(apply func())
	// Permit answers the server's questions for leave: with an answer of
	// [ploke.PermissionAskResult], or, if the editor did not declare the method,
	// the title of an action. ctx ends when the server takes the question back.
	OnPermission func(ctx context.Context, question string) string
	// Diagnostics is what the editor says when it is asked for them, see [WithDiagnostics].
	Diagnostics []ploke.DocumentDiagnostics
	// State is what the editor says when it is asked where the person is, see [WithEditorState].
	// ctx ends when the server takes the question back.
	State func(ctx context.Context) *ploke.ClientState
	// Watching, if any, is called before the editor says that it watches.
	OnRegisterWatcher func()
}

// Capabilities declares everything that the editor can do.
func Capabilities() *protocol.ClientCapabilities {
	yes := true
	return &protocol.ClientCapabilities{
		General: &protocol.GeneralClientCapabilities{PositionEncodings: []protocol.PositionEncodingKind{protocol.PositionEncodingKindUTF16}},
		Workspace: &protocol.WorkspaceClientCapabilities{
			ApplyEdit: &yes,
			WorkspaceEdit: &protocol.WorkspaceEditClientCapabilities{
				DocumentChanges: &yes,
				ResourceOperations: []protocol.ResourceOperationKind{
					protocol.ResourceOperationKindCreate, protocol.ResourceOperationKindRename, protocol.ResourceOperationKindDelete,
				},
			},
			WorkspaceFolders:      &yes,
			DidChangeWatchedFiles: &protocol.DidChangeWatchedFilesClientCapabilities{DynamicRegistration: &yes, RelativePatternSupport: &yes},
			FileOperations:        &protocol.FileOperationClientCapabilities{DidCreate: &yes, DidRename: &yes, DidDelete: &yes},
		},
		Window: &protocol.WindowClientCapabilities{
			WorkDoneProgress: &yes,
			ShowDocument:     &protocol.ShowDocumentClientCapabilities{Support: true},
		},
		Experimental: marshal(ploke.Experimental{Ploke: ploke.Capabilities{Version: ploke.Version, Methods: []string{ploke.MethodEvent, ploke.MethodPermissionAsk}}}),
	}
}

// An Editor is one client of one server. Its methods fail the test where
// something goes wrong that should not.
type Editor struct {
	t            testing.TB
	conn         jsonrpc2.Conn
	options      Options
	capabilities *protocol.ClientCapabilities
	encoding     ploke.Encoding

	// Initialized is the server's answer to initialize.
	Initialized protocol.InitializeResult

	mu                      sync.Mutex
	changed                 chan struct{}
	documents               map[uri.URI]*Document
	notified                chan struct{}                      // closed when the last of the notifications that go out in turn has gone
	progress                map[string][]Progress              // by token, as JSON
	tokens                  []string                           // made by the server, in order
	watched                 map[string]string                  // what the server registered to watch, by id: a folder, or "**/*"
	pending                 map[jsonrpc2.ID]context.CancelFunc // questions that the server may take back
	events                  []ploke.Event
	messages                []protocol.ShowMessageParams
	shown                   []protocol.ShowDocumentParams
	calls                   int64 // requests made
	configurationRegistered bool  // the server asked to be told of changed settings
	sent                    int   // chat messages sent
}

// A Document is what the editor has open.
type Document struct {
	Version int32
	Text    string
}

// Progress is one value of a $/progress; Kind is empty for a partial result.
type Progress struct {
	Kind        string  `json:"kind"`
	Title       string  `json:"title"`
	Message     string  `json:"message"`
	Percentage  *uint32 `json:"percentage"`
	Cancellable bool    `json:"cancellable"`
	Part        ploke.Part
}

// Start connects an editor to a server that serve runs in this process, and
// initializes it. At the end of the test the editor leaves in order, unless it
// did before.
func Start(t testing.TB, serve func(context.Context, io.ReadWriteCloser) error, options Options) *Editor {
	t.Helper()
	ours, theirs := net.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- serve(context.Background(), theirs) }()
	e := Connect(t, ours, options)
	t.Cleanup(func() {
		e.Shutdown()
		if err := <-ended; err != nil {
			t.Errorf("the server ended with: %v", err)
		}
	})
	return e
}

// Connect initializes an editor on a connection to a server.
func Connect(t testing.TB, conn io.ReadWriteCloser, options Options) *Editor {
	t.Helper()
	e := Dial(t, conn, options)
	e.Initialize()
	return e
}

// Dial connects without saying anything, for tests of what comes first.
func Dial(t testing.TB, conn io.ReadWriteCloser, options Options) *Editor {
	e := &Editor{
		t: t, options: options, capabilities: options.Capabilities,
		changed:   make(chan struct{}),
		documents: map[uri.URI]*Document{},
		progress:  map[string][]Progress{},
		watched:   map[string]string{},
		pending:   map[jsonrpc2.ID]context.CancelFunc{},
	}
	if e.capabilities == nil {
		e.capabilities = Capabilities()
	}
	e.conn = jsonrpc2.NewConn(jsonrpc2.NewStream(conn), jsonrpc2.WithCodec(ploke.Codec{}))
	e.conn.Go(context.Background(), e.handle)
	return e
}

// Initialize sends initialize and initialized.
func (e *Editor) Initialize() {
	e.t.Helper()
	params := &protocol.InitializeParams{
		Capabilities: *e.capabilities,
		ClientInfo:   protocol.ClientInfo{Name: "lsptest"},
	}
	var folders []protocol.WorkspaceFolder
	for _, root := range e.options.Roots {
		folders = append(folders, protocol.WorkspaceFolder{URI: uri.File(root), Name: root})
	}
	params.WorkspaceFolders = protocol.NewNullable(folders)
	if e.options.InitializationOptions != nil {
		params.InitializationOptions = marshal(e.options.InitializationOptions)
	}
	e.Call(protocol.MethodInitialize, params, &e.Initialized)
	e.encoding = e.Initialized.Capabilities.PositionEncoding
	e.Notify(protocol.MethodInitialized, &protocol.InitializedParams{})
}

// Leave shuts the server down in order. A second call does nothing.
func (e *Editor) Shutdown() {
	select {
	case <-e.conn.Done():
		return
	default:
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	if _, err := e.conn.Call(ctx, protocol.MethodShutdown, nil, nil); err != nil {
		e.t.Errorf("shutdown: %v", err)
	}
	_ = e.conn.Notify(ctx, protocol.MethodExit, nil)
	e.conn.Close()
}

// Call makes a request that must succeed.
func (e *Editor) Call(method string, params, result any) {
	e.t.Helper()
	if err := e.Try(e.t.Context(), method, params, result); err != nil {
		e.t.Fatalf("%s: %v", method, err)
	}
}

// Try makes a request. When ctx ends first, the request is cancelled on the
// wire, and the answer still waited for.
func (e *Editor) Try(ctx context.Context, method string, params, result any) error {
	waiting, cancel := context.WithTimeout(context.WithoutCancel(ctx), timeout)
	defer cancel()
	return e.call(ctx, waiting, method, params, result)
}

// Error makes a request that must fail, and returns its error. What it says must not
// name the folder, which the person knows, unless it is about what lies outside of it.
func (e *Editor) Error(method string, params any) *jsonrpc2.Error {
	e.t.Helper()
	err := e.Try(e.t.Context(), method, params, nil)
	var wire *jsonrpc2.Error
	if !errors.As(err, &wire) {
		e.t.Fatalf("%s: got %v, want an error of the server", method, err)
	}
	for _, root := range e.options.Roots {
		if strings.Contains(wire.Message, root) && !strings.Contains(wire.Message, "outside the workspace") {
			e.t.Errorf("%s: the error names the folder: %s", method, wire.Message)
		}
	}
	return wire
}

// Notify sends a notification.
func (e *Editor) Notify(method string, params any) {
	e.t.Helper()
	if err := e.conn.Notify(e.t.Context(), method, params); err != nil {
		e.t.Fatalf("%s: %v", method, err)
	}
}

// Await waits until holds is true, asking again after everything that the
// server sends.
func (e *Editor) Await(what string, holds func() bool) {
	e.t.Helper()
	limit := time.NewTimer(timeout)
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
			e.t.Fatalf("waited for %s in vain", what)
		case <-e.conn.Done():
			e.t.Fatalf("the connection ended while waiting for %s: %v", what, e.conn.Err())
		}
	}
}

// AwaitIndex waits until the server says that the index is ready.
func (e *Editor) AwaitIndex() {
	e.t.Helper()
	e.AwaitState(ploke.IndexReady)
}

// AwaitState waits until the latest that the server said of the index is that it
// is in this state, and returns what it said.
func (e *Editor) AwaitState(state string) (status *ploke.IndexStatus) {
	e.t.Helper()
	e.Await("the index to be "+state, func() bool {
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

// Events returns what came as ploke/event.
func (e *Editor) Events() []ploke.Event {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.events)
}

// Messages returns what came as window/showMessage.
func (e *Editor) Messages() []protocol.ShowMessageParams {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.messages)
}

// Shown returns what the server asked to show.
func (e *Editor) Shown() []protocol.ShowDocumentParams {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.shown)
}

// Progress returns the values that came under a token that the editor gave.
func (e *Editor) Progress(token string) []Progress {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.progress[string(marshal(token))])
}

// ServerProgress returns the values of the latest progress that the server began
// with this title.
func (e *Editor) ServerProgress(title string) []Progress {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.progress[e.latestToken(title)])
}

// CancelProgress cancels the latest progress that the server began with this
// title, as a person does.
func (e *Editor) CancelProgress(title string) {
	e.t.Helper()
	e.mu.Lock()
	token := e.latestToken(title)
	e.mu.Unlock()
	e.Notify(protocol.MethodWindowWorkDoneProgressCancel, &ploke.ProgressCancel{Token: ploke.Token(token)})
}

// latest is the token of the latest progress with a title. The lock is held.
func (e *Editor) latestToken(title string) string {
	for _, token := range slices.Backward(e.tokens) {
		if values := e.progress[token]; len(values) > 0 && values[0].Title == title {
			return token
		}
	}
	return ""
}

// marshal encodes a value of the test, which can't fail.
func marshal(v any) protocol.LSPAny {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}
