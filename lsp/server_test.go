package lsp_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"golang.org/x/tools/txtar"

	"ploke-lsp/lsp"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/tools"
)

// program is the workspace of most tests. It has names with one and with two definitions,
// text outside the Basic Multilingual Plane, and several languages.
const program = `
-- shapes/circle.go --
// Package shapes measures shapes.
package shapes

import "math"

// Circle is a round shape.
type Circle struct {
	Radius float64
}

// Area returns the area of the circle.
func (c Circle) Area() float64 {
	return math.Pi * square(c.Radius)
}

/* 😀é */ func square(x float64) float64 { return x * x }
-- shapes/rect.go --
package shapes

// Rect is a rectangle.
type Rect struct{ Width, Height float64 }

// Area returns the area of the rectangle.
func (r Rect) Area() float64 { return r.Width * r.Height }

func cube(x float64) float64 { return x * square(x) }
-- tools/report.py --
def report(shapes):
    """Print the total area of the shapes."""
    print(sum(s.area() for s in shapes))
`

// unpack writes the files of an archive to a new folder and returns its path.
func unpack(t testing.TB, archive string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		path := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// fixture holds the folders and the options of a server.
type fixture struct {
	t          testing.TB
	root       string
	state      string
	extraTools []*tools.Tool // in addition to the server's own
	server     *lsp.Server   // the one that start has started
	lsp.Options
}

// newFixture returns a server that meets no other processes, because a bubble of synctest never idles while a socket
// waits for them.
func newFixture(t testing.TB) *fixture {
	f := &fixture{t: t, root: unpack(t, program), state: t.TempDir()}
	f.Options = lsp.Options{StateDir: f.state, Version: "test", Logger: slog.New(slog.NewTextHandler(testLogWriter{t}, nil)), Alone: true,
		Getenv: func(string) string { return "" }}
	return f
}

// testLogWriter writes the server's log to the test's log.
type testLogWriter struct{ t testing.TB }

func (l testLogWriter) Write(p []byte) (int, error) {
	l.t.Logf("server: %s", strings.TrimRight(string(p), "\n"))
	return len(p), nil
}

func (f *fixture) path(name string) string { return filepath.Join(f.root, name) }

// start starts a server and an editor that opens the fixture's folder.
func (f *fixture) start(options lsptest.Options) *lsptest.Editor {
	f.t.Helper()
	if options.Roots == nil {
		options.Roots = []string{f.root}
	}
	server := lsp.NewServer(f.Options)
	server.AddTools(f.extraTools...)
	f.server = server
	return lsptest.Start(f.t, server.Serve, options)
}

// startIndexed starts a server and an editor and waits until the workspace is indexed.
func (f *fixture) startIndexed() *lsptest.Editor {
	f.t.Helper()
	e := f.start(lsptest.Options{})
	e.AwaitIndex()
	return e
}

func TestLifecycle(t *testing.T) {
	f := newFixture(t)
	ours, theirs := net.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- lsp.NewServer(f.Options).Serve(context.Background(), theirs) }()
	e := lsptest.Dial(t, ours, lsptest.Options{Roots: []string{f.root}})

	if err := e.Error(ploke.MethodChatList, nil); err.Code != -32002 {
		t.Errorf("before initialize: %v, want ServerNotInitialized", err)
	}
	e.Initialize()
	if got := e.Initialized.ServerInfo.Name; got != "ploke-lsp" {
		t.Errorf("the server's name is %q", got)
	}
	var offered ploke.Experimental
	if err := json.Unmarshal(e.Initialized.Capabilities.Experimental, &offered); err != nil || !offered.Ploke.Has(ploke.MethodChatSend) {
		t.Errorf("capabilities.experimental.ploke = %+v, %v", offered, err)
	}
	if err := e.Error("textDocument/neverHeardOf", nil); err.Code != jsonrpc2.MethodNotFound {
		t.Errorf("an unknown request: %v, want MethodNotFound", err)
	}
	if err := e.Error(ploke.MethodChatHistory, []int{1}); err.Code != jsonrpc2.InvalidParams {
		t.Errorf("parameters of the wrong form: %v, want InvalidParams", err)
	}
	if err := e.Error(protocol.MethodInitialize, &protocol.InitializeParams{}); err.Code != jsonrpc2.InvalidRequest {
		t.Errorf("a second initialize: %v, want InvalidRequest", err)
	}
	e.Notify("$/neverHeardOf", struct{}{})
	e.Call(ploke.MethodChatList, nil, nil) // the server is still running
	e.Call(protocol.MethodShutdown, struct{}{}, nil)
	if err := e.Error(ploke.MethodChatList, nil); err.Code != jsonrpc2.InvalidRequest {
		t.Errorf("after shutdown: %v, want InvalidRequest", err)
	}
	e.Notify(protocol.MethodExit, nil)
	if err := <-ended; err != nil {
		t.Errorf("Serve = %v after an orderly shutdown", err)
	}
}

func TestServeWithoutShutdown(t *testing.T) {
	f := newFixture(t)
	for _, tt := range []struct {
		name  string
		leave func(e *lsptest.Editor, conn net.Conn)
	}{
		{"exit", func(e *lsptest.Editor, _ net.Conn) { e.Notify(protocol.MethodExit, nil) }},
		{"end of the connection", func(_ *lsptest.Editor, conn net.Conn) { conn.Close() }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ours, theirs := net.Pipe()
			ended := make(chan error, 1)
			go func() { ended <- lsp.NewServer(f.Options).Serve(context.Background(), theirs) }()
			e := lsptest.Connect(t, ours, lsptest.Options{Roots: []string{f.root}})
			tt.leave(e, ours)
			if err := <-ended; err != lsp.ErrNoShutdown {
				t.Errorf("Serve = %v, want ErrNoShutdown", err)
			}
		})
	}
}

func TestIndexingShowsProgress(t *testing.T) {
	f := newFixture(t)
	e := f.startIndexed()
	values := e.AwaitProgressEnd(indexingTitle)
	last := -1
	for _, v := range values[:len(values)-1] {
		if v.Percentage == nil || int(*v.Percentage) < last || *v.Percentage > 100 {
			t.Fatalf("the percentage is missing or decreases: %+v", values)
		}
		last = int(*v.Percentage)
	}
	e.Await("the status", func() bool { // the folder may just be scanned again
		var status ploke.IndexStatus
		e.Call(ploke.MethodIndexStatus, nil, &status)
		return status.State == "ready" && status.Files == 3 && status.Symbols >= 8
	})
}

func TestSearchFindsUnsavedText(t *testing.T) {
	f := newFixture(t)
	e := f.startIndexed()
	e.OpenText(f.path("shapes/rect.go"), "package shapes\n\n// Diamond is on its corner.\ntype Diamond struct{}\n")
	e.Ask("where is Diamond") // a turn indexes unsaved text at once
	if !finds(e, "Diamond", "Diamond") {
		t.Error("the unsaved text is not the best result")
	}
}

func TestFoldersAreAddedAndRemoved(t *testing.T) {
	f := newFixture(t)
	e := f.startIndexed()
	other := unpack(t, "-- pump.go --\npackage pump\n\n// Pressure is what the pump builds up.\nfunc Pressure() {}\n")
	found := func() bool { return len(find(e, "Pressure").Results) > 0 }
	changeFolders(e, []string{other}, nil)
	e.Await("the index of the new folder", found)
	changeFolders(e, nil, []string{other})
	if found() {
		t.Error("a symbol of the removed folder is found")
	}
}

func TestNoFolderAtAll(t *testing.T) {
	f := newFixture(t)
	e := f.start(lsptest.Options{Roots: []string{}})
	e.Open(f.path("shapes/circle.go"))
	e.Await("the index of the file's folder", func() bool { return e.Finds("Rect") })
	if result := e.Ask("what is a Circle"); len(result.Citations) == 0 {
		t.Errorf("the answer has no citations: %q", result.Text)
	}
}

func TestStateFolderThatCannotBeUsed(t *testing.T) {
	f := newFixture(t)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	f.StateDir = filepath.Join(file, "state")
	e := f.start(lsptest.Options{})
	if err := e.Error(ploke.MethodChatList, nil); !strings.Contains(err.Message, "could not be opened") {
		t.Errorf("the error is %q", err.Message)
	}
	if len(e.Messages()) == 0 {
		t.Error("no message was shown")
	}
}
