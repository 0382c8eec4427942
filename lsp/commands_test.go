package lsp_test

import (
	"encoding/json"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
)

// commandParams are the parameters of a command with arguments, as JSON.
func commandParams(name string, arguments ...string) *protocol.ExecuteCommandParams {
	p := &protocol.ExecuteCommandParams{Command: name}
	for _, a := range arguments {
		p.Arguments = append(p.Arguments, protocol.LSPAny(a))
	}
	return p
}

func TestInvalidCommandsFail(t *testing.T) {
	f := newFixture(t)
	e := f.startIndexed()
	for _, tt := range []struct {
		name string
		p    *protocol.ExecuteCommandParams
		want string
	}{
		{"unknown", commandParams("ploke.dance"), "ploke.dance"},
		{"no cursor yet", commandParams(ploke.CommandExplain), "where the cursor is"},
		{"wrong type", commandParams(ploke.CommandExplain, `{"uri":5}`), "ploke.explain"},
	} {
		if err := e.Error(protocol.MethodWorkspaceExecuteCommand, tt.p); !strings.Contains(err.Message, tt.want) {
			t.Errorf("%s: the error is %q", tt.name, err.Message)
		}
	}
}

// TestEveryOfferedCommandIsKnown runs each command without arguments.
func TestEveryOfferedCommandIsKnown(t *testing.T) {
	e := newFixture(t).startIndexed()
	for _, name := range e.Initialized.Capabilities.ExecuteCommandProvider.Commands {
		err := e.Try(t.Context(), protocol.MethodWorkspaceExecuteCommand, commandParams(name), nil)
		if err != nil && strings.Contains(err.Error(), "not one of ploke-lsp's") {
			t.Error(err)
		}
	}
}

// TestArgumentsOfAnyForm asks a question in the forms in which clients pass it.
func TestArgumentsOfAnyForm(t *testing.T) {
	f := newFixture(t)
	e := f.startIndexed()
	for _, arguments := range [][]string{
		{`{"text":"what is Circle"}`},
		{`"what is Circle"`},
		{`"what"`, `"is"`, `"Circle"`}, // coc.nvim splits the words
		{`["what is", "Circle"]`},
		{`null`, `{}`, `"what is Circle"`},
	} {
		var started ploke.TurnStarted
		e.Call(protocol.MethodWorkspaceExecuteCommand, commandParams(ploke.CommandAsk, arguments...), &started)
		if _, title := awaitTurn(t, e, started.TurnID); title != "What is Circle" {
			t.Errorf("%s: the question is %q", arguments, title)
		}
	}
}

// TestExplainUsesTheLastCursor runs the command without arguments, as people type it.
func TestExplainUsesTheLastCursor(t *testing.T) {
	f := newFixture(t)
	e := f.startIndexed()
	path := f.path("shapes/circle.go")
	e.Open(path)
	codeAction(t, e, path, "Area() float64", "ploke: explain")
	var started ploke.TurnStarted
	e.Call(protocol.MethodWorkspaceExecuteCommand, commandParams(ploke.CommandExplain), &started)
	if _, title := awaitTurn(t, e, started.TurnID); title != "Explain Area" {
		t.Errorf("the turn's title is %q", title)
	}
}

// actionsAt requests the code actions at the first occurrence of a text in a file, and
// returns them as they come.
func actionsAt(t *testing.T, e *lsptest.Editor, path, at string, c protocol.CodeActionContext) (raw []map[string]json.RawMessage) {
	t.Helper()
	offset := strings.Index(e.Text(path), at)
	if offset < 0 {
		t.Fatalf("%q is not in %s", at, path)
	}
	e.Call(protocol.MethodTextDocumentCodeAction, &protocol.CodeActionParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: fileURI(path)}, Range: e.Range(path, offset, offset), Context: c,
	}, &raw)
	return raw
}
