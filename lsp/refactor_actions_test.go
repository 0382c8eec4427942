package lsp_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// selectionActions returns the code actions on the first occurrence of a text.
func selectionActions(e *lsptest.Editor, path, selected string) (actions []protocol.CodeAction) {
	start := strings.Index(e.Text(path), selected)
	e.Call(protocol.MethodTextDocumentCodeAction, &protocol.CodeActionParams{TextDocument: protocol.TextDocumentIdentifier{URI: fileURI(path)},
		Range: e.Range(path, start, start+len(selected))}, &actions)
	return actions
}

// TestRefactorOpensTheChat refactors a selection as the person says in the chat document.
func TestRefactorOpensTheChat(t *testing.T) {
	f := newFixture(t)
	server := f.useModel(llmtest.Turn{Text: []string{"Done."}})
	e := f.start(lsptest.Options{Capabilities: plain(nil)})
	code := f.path("shapes/circle.go")
	e.Open(code)
	actions := selectionActions(e, code, "func (c Circle) Area")
	i := slices.IndexFunc(actions, func(a protocol.CodeAction) bool { return a.Title == "ploke: refactor this…" })
	if i < 0 {
		t.Fatalf("the action is not among %+v", actions)
	}
	if kind := *actions[i].Kind; kind != "refactor.rewrite.ploke" {
		t.Errorf("its kind is %q", kind)
	}
	execute := &protocol.ExecuteCommandParams{Command: actions[i].Command.Command, Arguments: actions[i].Command.Arguments}
	e.Call(protocol.MethodWorkspaceExecuteCommand, execute, nil)
	e.Await("the chat document", func() bool { return len(e.Shown()) == 1 })
	path := e.Shown()[0].URI.FsPath()
	if got := read(t, path); !strings.HasSuffix(got, "\nRefactor @shapes/circle.go#L12: ") {
		t.Fatalf("%s ends in %q", path, got[max(0, len(got)-60):])
	}
	e.Open(path)
	write(e, path, "use a pointer\n")
	e.Call(protocol.MethodWorkspaceExecuteCommand, commandParams(ploke.CommandChatSend), nil)
	awaitChat(e, path, 1)
	if message := server.Requests()[0].Last().Content; !strings.Contains(message, "Refactor @shapes/circle.go#L12: use a pointer") ||
		!strings.Contains(message, "func (c Circle) Area() float64") {
		t.Errorf("the message is %q", message)
	}
}

// TestRefactorByWords runs the command with the instruction, as clients with a command line do.
func TestRefactorByWords(t *testing.T) {
	f := newFixture(t)
	server := f.useModel(llmtest.Turn{Text: []string{"Done."}})
	e := f.startIndexed()
	code := f.path("shapes/circle.go")
	e.Open(code)
	selectionActions(e, code, "func square") // the cursor is there
	var started ploke.TurnStarted
	e.Call(protocol.MethodWorkspaceExecuteCommand, commandParams(ploke.CommandRefactor, `"use"`, `"math.Pow"`), &started)
	if _, title := awaitTurn(t, e, started.TurnID); title != "Refactor: use math.Pow" {
		t.Errorf("the title is %q", title)
	}
	if message := server.Requests()[0].Last().Content; !strings.Contains(message, ": use math.Pow") ||
		!strings.Contains(message, "func square") {
		t.Errorf("the message is %q", message)
	}
}

// TestRefactorNamesThePart selects a part of a line, whole lines, and nothing. Whole lines are attached, so the message names the part.
func TestRefactorNamesThePart(t *testing.T) {
	t.Parallel()
	for selected, want := range map[string]string{
		"square(c.Radius)":                  `Refactor only "square(c.Radius)" in @shapes/circle.go#L13: use math.Pow`,
		"func square(x":                     `Refactor only "func square(x" in @shapes/circle.go#L16: use math.Pow`,
		"":                                  "Refactor @shapes/circle.go#L1: use math.Pow",
		"return math.Pi * square(c.Radius)": "Refactor @shapes/circle.go#L13: use math.Pow",
		"64 {\n\treturn math":               "Refactor @shapes/circle.go#L12-L13: use math.Pow",
	} {
		t.Run(selected, func(t *testing.T) {
			f := newFixture(t)
			server := f.useModel(llmtest.Turn{Text: []string{"Done."}})
			e := f.startIndexed()
			code := f.path("shapes/circle.go")
			e.Open(code)
			start := strings.Index(e.Text(code), selected)
			argument, err := json.Marshal(ploke.SymbolParams{URI: fileURI(code), Range: e.Range(code, start, start+len(selected))})
			if err != nil {
				t.Fatal(err)
			}
			var started ploke.TurnStarted
			e.Call(protocol.MethodWorkspaceExecuteCommand, commandParams(ploke.CommandRefactor, string(argument), `"use math.Pow"`), &started)
			awaitTurn(t, e, started.TurnID)
			if message := server.Requests()[0].Last().Content; !strings.HasSuffix(message, want) {
				t.Errorf("the message is %q, want %q at its end", message, want)
			}
		})
	}
}

// TestWhatRefactoringAndGeneratingNeed requests both actions with the embedded model.
func TestWhatRefactoringAndGeneratingNeed(t *testing.T) {
	f := newFixture(t)
	for _, supported := range []bool{true, false} {
		e := f.start(lsptest.Options{Capabilities: plain(func(c *protocol.ClientCapabilities) {
			c.TextDocument.CodeAction.DisabledSupport = &supported
		})})
		path := f.path("note.go")
		e.OpenText(path, "package note\n\n// It says nothing.\n")
		actions := selectionActions(e, path, "It says")
		for _, title := range []string{"ploke: refactor this…", generateTitle} {
			i := slices.IndexFunc(actions, func(a protocol.CodeAction) bool { return a.Title == title })
			if i < 0 {
				t.Fatalf("%q is not among %+v", title, actions)
			}
			reason := actions[i].Disabled.Reason
			if !supported {
				reason = e.Error(protocol.MethodWorkspaceExecuteCommand, &protocol.ExecuteCommandParams{
					Command: actions[i].Command.Command, Arguments: actions[i].Command.Arguments}).Message
			}
			if !strings.Contains(reason, `needs a language model: run "ploke-lsp setup"`) || strings.Contains(reason, "\n") {
				t.Errorf("%s is not possible because %q", title, reason)
			}
		}
		e.Shutdown()
	}
}
