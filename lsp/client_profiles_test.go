package lsp_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// clientProfiles says what each client of testdata/clients gets.
var clientProfiles = map[string]struct {
	encoding    protocol.PositionEncodingKind
	answer      string // the way in which it shows an answer
	inWorkspace bool   // the answer is in .ploke
	commands    bool   // code actions are plain commands
	lenses      bool   // code lenses are offered
	version     bool   // edits of an open document name its version
}{
	"ale-3.3":     {encoding: "utf-16", answer: "hover", commands: true},
	"coc.nvim":    {encoding: "utf-16", answer: "showDocument", lenses: true, version: true},
	"eglot-28":    {encoding: "utf-16", answer: "hover", inWorkspace: true, version: true},
	"eglot-30":    {encoding: "utf-32", answer: "showDocument", inWorkspace: true, version: true},
	"helix-25.01": {encoding: "utf-8", answer: "applyEdit", inWorkspace: true, version: true},
	"kakoune":     {encoding: "utf-8", answer: "applyEdit", lenses: true, version: true},
	"lsp-mode-8":  {encoding: "utf-16", answer: "applyEdit", version: true},
	"neovim-0.7":  {encoding: "utf-16", answer: "applyEdit"},
	"neovim-0.10": {encoding: "utf-16", answer: "showDocument", version: true},
	"neovim-0.12": {encoding: "utf-8", answer: "showDocument", lenses: true, version: true},
	"vscode":      {encoding: "utf-16", answer: "events", lenses: true, version: true},
	"zed":         {encoding: "utf-16", answer: "applyEdit", version: true},
}

// undeclared are the capabilities that clients have without declaring them.
var undeclared = map[string][]string{
	"helix-25.01": {"textDocument.documentSymbol.hierarchicalDocumentSymbolSupport"},
}

// client reads what a client sends in initialize.
func client(t *testing.T, name string) *protocol.InitializeParams {
	t.Helper()
	var fixture struct {
		Source   string                    `json:"source"`
		Recorded bool                      `json:"recorded"`
		Params   protocol.InitializeParams `json:"params"`
	}
	if err := protocol.Unmarshal([]byte(read(t, filepath.Join("testdata/clients", name+".json"))), &fixture); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if fixture.Source == "" {
		t.Errorf("%s does not say where it is from", name)
	}
	return &fixture.Params
}

// startAs starts a server and an editor with the capabilities of a client.
func (f *fixture) startAs(t *testing.T, name string) *lsptest.Editor {
	return f.start(clientOptions(t, name))
}

// clientOptions returns the options of an editor with the capabilities of a client.
func clientOptions(t *testing.T, name string) lsptest.Options {
	params := client(t, name)
	return lsptest.Options{
		Capabilities:     &params.Capabilities,
		OnInitialize:     func(p *protocol.InitializeParams) { p.ClientInfo = params.ClientInfo },
		Settings:         map[string]any{},
		State:            func(context.Context) *ploke.ClientState { return &ploke.ClientState{} },
		OnPermission:     func(context.Context, string) string { return "" },
		CountsCodePoints: name == "lsp-mode-8",
		Undeclared:       undeclared[name],
	}
}

// TestEachClientGetsAnAnswerInFull explains a symbol to each known client.
func TestEachClientGetsAnAnswerInFull(t *testing.T) {
	t.Parallel()
	for name, want := range clientProfiles {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			gate := llmtest.NewGate()
			f.useModel(llmtest.Turn{Text: []string{"Area is a method.\n", "It squares."}, Hold: gate})
			e := f.startAs(t, name)
			if got := e.Initialized.Capabilities.PositionEncoding; got != want.encoding {
				t.Errorf("the encoding is %s, want %s", got, want.encoding)
			}
			if got := e.Initialized.Capabilities.CodeLensProvider != nil; got != want.lenses {
				t.Errorf("lenses are offered: %v", got)
			}
			path := f.path("shapes/circle.go")
			// Counted in another encoding, the place of Area is in Zero.
			e.OpenText(path, "package shapes\n\nfunc Zero() { /* 😀😀😀😀😀😀😀😀 */ }; func Area() {}\n")
			e.Call(protocol.MethodWorkspaceExecuteCommand, explainArea(t, e, path, want.commands), nil)
			if want.answer == "applyEdit" {
				e.Await("the first line", func() bool { return f.openAnswer(t, e) != "" })
			}
			gate.Open()
			answer, text := awaitAnswer(t, f, e, path)
			if answer != want.answer || !strings.Contains(text, "Area is a method.\nIt squares.") {
				t.Errorf("the answer came by %s, want %s:\n%s", answer, want.answer, text)
			}
			if _, err := os.Stat(f.path(".ploke")); (err == nil) != want.inWorkspace {
				t.Errorf(".ploke: %v", err)
			}
			if got := e.EditedVersion(); got != (want.version && answer == "applyEdit") {
				t.Errorf("an edit of an open document named its version: %v", got)
			}
		})
	}
}

// explainArea returns the command of the code action that explains the function.
func explainArea(t *testing.T, e *lsptest.Editor, path string, plainCommand bool) *protocol.ExecuteCommandParams {
	t.Helper()
	for _, a := range actionsAt(t, e, path, "Area()", protocol.CodeActionContext{}) {
		if !strings.Contains(string(a["title"]), "explain Area") {
			continue
		}
		if plain := a["command"][0] == '"'; plain != plainCommand || (a["kind"] == nil) != plainCommand {
			t.Errorf("the action is a plain command: %v", plain)
		}
		var c protocol.Command
		raw, err := json.Marshal(a)
		if !plainCommand {
			raw = a["command"]
		}
		if err := errors.Join(err, protocol.Unmarshal(raw, &c)); err != nil {
			t.Fatal(err)
		}
		return &protocol.ExecuteCommandParams{Command: c.Command, Arguments: c.Arguments}
	}
	t.Fatal("there is no action that explains Area")
	return nil
}

// awaitAnswer waits for the answer, and returns how it came.
func awaitAnswer(t *testing.T, f *fixture, e *lsptest.Editor, path string) (answer, text string) {
	t.Helper()
	e.Await("the answer", func() bool {
		finished := false
		for _, ev := range e.Events() {
			if ev.Result != nil {
				text, finished = ev.Result.Text, true
			}
		}
		return finished || len(messages(e, ".md: explain Area")) > 0
	})
	if text != "" {
		return "events", text
	}
	if shown := e.Shown(); len(shown) > 0 {
		return "showDocument", read(t, shown[0].URI.FsPath())
	}
	if document := f.openAnswer(t, e); document != "" {
		return "applyEdit", e.Text(document)
	}
	return "hover", hoverText(t, e, path, "Area()")
}

// openAnswer returns the path of the document with the answer; empty if it is not open.
func (f *fixture) openAnswer(t *testing.T, e *lsptest.Editor) string {
	t.Helper()
	awaitHandled(e)
	for _, pattern := range []string{f.path(".ploke/explain-Area.md"), filepath.Join(f.state, "*/documents/explain-Area.md")} {
		for _, document := range mustGlob(t, pattern) {
			if _, _, open := f.server.Document(fileURI(document)); open {
				return document
			}
		}
	}
	return ""
}

func mustGlob(t *testing.T, pattern string) []string {
	t.Helper()
	found, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestEachFixtureIsUsed fails if a client has no row in the table.
func TestEachFixtureIsUsed(t *testing.T) {
	for _, path := range mustGlob(t, "testdata/clients/*.json") {
		if _, ok := clientProfiles[strings.TrimSuffix(filepath.Base(path), ".json")]; !ok {
			t.Errorf("no test uses %s", path)
		}
	}
}

// awaitHandled waits until the server has handled what the editor has sent so far.
func awaitHandled(e *lsptest.Editor) { e.Call(ploke.MethodIndexStatus, nil, nil) }
