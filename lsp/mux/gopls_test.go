package mux_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/internal/config"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/lsp"
	"ploke-lsp/lsp/lsptest"
	"ploke-lsp/lsp/mux"
)

const shapes = `package shapes

// Shape has an area.
type Shape interface{ Area() int }

type Circle struct{ r int }

func (c Circle) Area() int { return 3 * c.r * c.r }

// Land has an area, too, but is no shape.
type Land struct{}

func (l *Land) Area(unit string) int { return len(unit) }

// Sum adds areas.
func Sum(all []Shape) (sum int) {
	for _, s := range all {
		sum += s.Area()
	}
	return sum
}
`

const use = `package shapes

func use() int { return Circle{1}.Area() + (&Land{}).Area("m") }

var _ Shape = Circle{}
`

// fixture is a folder with an editor that has a mux for its only server.
type fixture struct {
	*lsptest.Editor
	t    *testing.T
	root string
}

// files writes files to a new folder.
func files(t *testing.T, texts map[string]string) *fixture {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{t: t, root: root}
	for name, text := range texts {
		f.write(name, text)
	}
	return f
}

func (f *fixture) path(name string) string { return filepath.Join(f.root, filepath.FromSlash(name)) }

func (f *fixture) write(name, text string) {
	f.t.Helper()
	if err := os.MkdirAll(filepath.Dir(f.path(name)), 0o700); err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(f.path(name), []byte(text), 0o600); err != nil {
		f.t.Fatal(err)
	}
}

// options are those of a mux with the real server of ours, which does not build what is proposed.
func options(t *testing.T, command ...string) mux.Options {
	state := t.TempDir()
	log := slog.New(slog.NewTextHandler(testLog{t}, nil))
	server := lsp.NewServer(lsp.Options{StateDir: state, Version: "test", Logger: log, Alone: true,
		Getenv: func(string) string { return "" },
		Config: []config.Layer{config.FromJSON("the test", []byte(`{"proof":{"compile":false}}`))}})
	return mux.Options{Command: []string{os.Args[0]}, Messages: testLog{t}, Serve: checked(t, server.Serve),
		Environment: append(os.Environ(), "GOPROXY=off", relayVariable+"="+strings.Join(command, " ")),
		Own:         func(u string) bool { return lsp.IsOwnDocument(state, u) }, Log: log}
}

type testLog struct{ t *testing.T }

func (l testLog) Write(p []byte) (int, error) {
	if strings.Contains(string(p), violation) {
		l.t.Errorf("%s", p)
	}
	l.t.Logf("log: %s", strings.TrimRight(string(p), "\n"))
	return len(p), nil
}

// start starts an editor in the folder.
func (f *fixture) start(o mux.Options, editor lsptest.Options) {
	f.t.Helper()
	editor.Roots = []string{f.root}
	if editor.Capabilities == nil {
		editor.Capabilities = lsptest.Capabilities()
	}
	yes := true
	publish := editor.Capabilities.TextDocument.PublishDiagnostics
	publish.VersionSupport, publish.CodeDescriptionSupport = &yes, &yes
	f.Editor = lsptest.Start(f.t, mux.New(o).Serve, editor)
}

// at returns a position in a file of the folder.
func (f *fixture) at(name, text string) protocol.TextDocumentPositionParams {
	f.t.Helper()
	data, err := os.ReadFile(f.path(name))
	if err != nil {
		f.t.Fatal(err)
	}
	before, _, found := strings.Cut(string(data), text)
	if !found {
		f.t.Fatalf("%s has no %q", name, text)
	}
	line := before[strings.LastIndexByte(before, '\n')+1:]
	return protocol.TextDocumentPositionParams{TextDocument: protocol.TextDocumentIdentifier{URI: uri.File(f.path(name))},
		Position: protocol.Position{Line: uint32(strings.Count(before, "\n")), Character: uint32(len(line))}}
}

// actions returns the titles of the code actions at a place.
func (f *fixture) actions(name, text string) (titles []string) {
	f.t.Helper()
	at := f.at(name, text)
	var list []struct {
		Title string `json:"title"`
	}
	f.Call(protocol.MethodTextDocumentCodeAction, &protocol.CodeActionParams{TextDocument: at.TextDocument,
		Range: protocol.Range{Start: at.Position, End: at.Position}, Context: protocol.CodeActionContext{
			Diagnostics: f.Published(f.path(name))}}, &list)
	for _, a := range list {
		titles = append(titles, a.Title)
	}
	return titles
}

// ask asks a question and returns what was streamed of the answer.
func (f *fixture) ask(question string) string {
	f.t.Helper()
	f.Ask(question)
	var text strings.Builder
	for _, part := range f.Parts() {
		text.WriteString(part.Text)
	}
	return text.String()
}

func gopls(t *testing.T) string {
	return testbed.File(t, "gopls", filepath.Join(os.Getenv("PLOKE_TEST_SERVERS"), "bin", "gopls"))
}

// TestGopls is a session with the real server: each answers what it knows, and ours asks it what the code means.
func TestGopls(t *testing.T) {
	t.Parallel()
	f := files(t, map[string]string{"go.mod": "module shapes\n\ngo 1.24\n", "shapes.go": shapes, "use.go": use,
		"more/more.go": "package more\n\nfunc Twice(n int) int { return 2 * n }\n\nvar four = Twice(2)\n"})
	f.start(options(t, gopls(t)), lsptest.Options{})
	if name := f.Initialized.ServerInfo.Name; !strings.HasPrefix(name, "ploke-lsp with gopls v0.") {
		t.Errorf("the server is %q", name)
	}
	f.AwaitIndex()
	f.Open(f.path("shapes.go"))
	f.Open(f.path("use.go"))
	var places []protocol.Location
	f.Call(protocol.MethodTextDocumentDefinition, f.at("use.go", "Circle{1}"), &places)
	if len(places) != 1 || places[0].URI != uri.File(f.path("shapes.go")) || places[0].Range.Start.Line != 5 {
		t.Errorf("the definition is in %v", places)
	}
	titles := f.actions("shapes.go", "Area() int { return")
	hasPrefix := func(prefix string) bool {
		return slices.ContainsFunc(titles, func(title string) bool { return strings.HasPrefix(title, prefix) })
	}
	if !hasPrefix("ploke: explain") || !hasPrefix("Browse ") && !hasPrefix("Show ") && !hasPrefix("Inline") {
		t.Errorf("the actions are %q", titles)
	}
	answer := ""
	testbed.EventuallyWithin(t, time.Minute, func() bool {
		answer = f.ask("who calls Shape.Area?")
		return strings.Contains(answer, "The places are those of gopls v0.")
	}, func() string { return answer })
	if !strings.Contains(answer, "2 places") {
		t.Errorf("the callers are %s", answer)
	}
	if answer = f.ask("who calls Twice?"); !strings.Contains(answer, "those of gopls") || !strings.Contains(answer, "more.go:5") {
		t.Errorf("the callers in a file that is not open are %s", answer)
	}
	answer = f.ask("rename Shape.Area and its implementers to Size")
	if !strings.Contains(answer, "those of gopls") || !strings.Contains(answer, "4 places in 2 files") {
		t.Errorf("the rename is %s", answer)
	}
	f.Type(f.path("use.go"), len(use), len(use), "\nfunc broken() int { return \"\" }\n")
	f.Await("gopls tells of the mistake", func() bool { return len(f.Published(f.path("use.go"))) > 0 })
}
