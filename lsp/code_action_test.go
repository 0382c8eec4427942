package lsp_test

import (
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// codeAction requests the code actions at the first occurrence of a text in a file. It
// returns the action whose title has the given prefix.
func codeAction(t *testing.T, e *lsptest.Editor, path, at, title string) *protocol.CodeAction {
	t.Helper()
	offset := strings.Index(e.Text(path), at)
	var actions []protocol.CodeAction
	e.Call(protocol.MethodTextDocumentCodeAction, &protocol.CodeActionParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: fileURI(path)},
		Range:        e.Range(path, offset, offset),
	}, &actions)
	for _, a := range actions {
		if strings.HasPrefix(a.Title, title) {
			return &a
		}
	}
	t.Fatalf("no code action %q among %+v", title, actions)
	return nil
}

// execute runs an action's command and returns the started turn.
func execute(t *testing.T, e *lsptest.Editor, a *protocol.CodeAction) ploke.TurnStarted {
	t.Helper()
	var started ploke.TurnStarted
	e.Call(protocol.MethodWorkspaceExecuteCommand, &protocol.ExecuteCommandParams{
		Command: a.Command.Command, Arguments: a.Command.Arguments,
	}, &started)
	return started
}

// awaitTurn waits for the end of a turn whose parts the editor gets as events.
func awaitTurn(t *testing.T, e *lsptest.Editor, turnID string) (result *ploke.ChatSendResult, title string) {
	t.Helper()
	e.Await("the end of the turn", func() bool {
		for _, ev := range e.Events() {
			switch {
			case ev.TurnID != turnID:
			case ev.Type == ploke.PartTurnStarted:
				title = ev.Title
			case ev.Type == ploke.PartTurnFinished:
				result = ev.Result
			}
		}
		return result != nil
	})
	return result, title
}

func TestExplainAction(t *testing.T) {
	f := newFixture(t)
	e := f.startIndexed()
	path := f.path("shapes/circle.go")
	e.Open(path)
	result, title := awaitTurn(t, e, execute(t, e, codeAction(t, e, path, "Area() float64", "ploke: explain")).TurnID)
	if title != "Explain Area" {
		t.Errorf("the turn's title is %q", title)
	}
	if !strings.Contains(result.Text, "Area returns the area of the circle.") || len(result.Citations) == 0 {
		t.Errorf("the explanation is\n%s", result.Text)
	}
	e.Await("the progress that shows the turn", func() bool {
		values := e.ServerProgress("ploke: explain Area")
		return len(values) > 1 && values[len(values)-1].Kind == "end"
	})
}

// TestActionsThatNeedAModel requests, with the embedded model, actions that only a language
// model can do. They say in one line what they need: as disabled actions, or when they run.
func TestActionsThatNeedAModel(t *testing.T) {
	f := newFixture(t)
	needed := `needs a language model: run "ploke-lsp setup"`
	context := protocol.CodeActionContext{Diagnostics: []protocol.Diagnostic{problem("undefined: square", "compiler", "")}}
	titles := []string{"ploke: fix: undefined: square", "ploke: document square", "ploke: write tests for square", "ploke: write tests for circle.go"}
	for _, supported := range []bool{true, false} {
		e := f.start(lsptest.Options{Capabilities: plain(func(c *protocol.ClientCapabilities) {
			c.TextDocument.CodeAction.DisabledSupport = &supported
		})})
		path := f.path("shapes/circle.go")
		e.Open(path)
		for _, title := range titles {
			a := actionAt(t, e, path, "func square", title, context)
			if supported {
				if !strings.Contains(a.Disabled.Reason, needed) || a.Command.Command != "" {
					t.Errorf("%s is disabled because %q, and runs %q", title, a.Disabled.Reason, a.Command.Command)
				}
				continue
			}
			err := e.Error(protocol.MethodWorkspaceExecuteCommand,
				&protocol.ExecuteCommandParams{Command: a.Command.Command, Arguments: a.Command.Arguments})
			if !strings.Contains(err.Message, needed) || strings.Contains(err.Message, "\n") {
				t.Errorf("%s fails with %q", title, err.Message)
			}
		}
		e.Shutdown()
	}
}

// problem returns a diagnostic of another server on the first line.
func problem(message, source, code string) protocol.Diagnostic {
	d := protocol.Diagnostic{Message: protocol.String(message), Severity: protocol.DiagnosticSeverityError,
		Source: protocol.NewOptional(source)}
	if code != "" {
		d.Code = protocol.String(code)
	}
	return d
}

// actionAt returns the code action with a title at the first occurrence of a text.
func actionAt(t *testing.T, e *lsptest.Editor, path, at, title string, c protocol.CodeActionContext) *protocol.CodeAction {
	t.Helper()
	offset := strings.Index(e.Text(path), at)
	var actions []protocol.CodeAction
	e.Call(protocol.MethodTextDocumentCodeAction, &protocol.CodeActionParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: fileURI(path)}, Range: e.Range(path, offset, offset), Context: c,
	}, &actions)
	for _, a := range actions {
		if a.Title == title {
			return &a
		}
	}
	t.Fatalf("no code action %q among %+v", title, actions)
	return nil
}

// TestFixOfAProblemThatTheClientKeeps: Neovim asks for actions with the diagnostics of this server alone. The server asks
// for the others, on the lines of the request.
func TestFixOfAProblemThatTheClientKeeps(t *testing.T) {
	for name, asked := range map[string]bool{"neovim-0.7": false, "neovim-0.10": true, "neovim-0.12": true, "vscode": false} {
		f := newFixture(t)
		f.useModel()
		options := clientOptions(t, name)
		options.Capabilities = lsptest.WithDiagnostics(options.Capabilities)
		path := f.path("shapes/circle.go")
		first, later := problem("undefined: square", "compiler", ""), problem("of another line", "compiler", "")
		later.Range = protocol.Range{Start: protocol.Position{Line: 3}, End: protocol.Position{Line: 3, Character: 1}}
		options.Diagnostics = []ploke.DocumentDiagnostics{
			{URI: fileURI(path), Diagnostics: []protocol.Diagnostic{first, later, problem("what ploke says", "ploke", "")}},
		}
		e := f.start(options)
		e.Open(path)
		var actions []protocol.CodeAction
		e.Call(protocol.MethodTextDocumentCodeAction,
			&protocol.CodeActionParams{TextDocument: protocol.TextDocumentIdentifier{URI: fileURI(path)}}, &actions)
		var fixes []string
		for _, a := range actions {
			if strings.HasPrefix(a.Title, "ploke: fix") {
				fixes = append(fixes, a.Title)
			}
		}
		want := []string{"ploke: fix: undefined: square"}
		if !asked {
			want = nil
		}
		if !slices.Equal(fixes, want) {
			t.Errorf("%s is offered %q, want %q", name, fixes, want)
		}
		e.Shutdown()
	}
}

// TestWorkOfAModel runs the actions that start a turn, and looks at what the model is told.
func TestWorkOfAModel(t *testing.T) {
	f := newFixture(t)
	for title, want := range map[string]string{
		"ploke: fix: undefined: squar":     "Fix the problem at shapes/circle.go:1:\n\n    undefined: squar\n    did you mean square? (compiler E12)",
		"ploke: document square":           "Document `square` in shapes/circle.go",
		"ploke: write tests for square":    "Write tests for `square` in shapes/circle.go",
		"ploke: write tests for circle.go": "Write tests for the file shapes/circle.go",
		"ploke: explain circle.go":         "Explain the file shapes/circle.go",
	} {
		server := f.useModel(llmtest.Turn{Text: []string{"Done."}})
		e := f.start(lsptest.Options{})
		path := f.path("shapes/circle.go")
		e.Open(path)
		own := problem("what ploke says", "ploke", "")
		a := actionAt(t, e, path, "func square", title, protocol.CodeActionContext{
			Diagnostics: []protocol.Diagnostic{own, problem("undefined: squar\ndid you mean square?", "compiler", "E12")},
		})
		awaitTurn(t, e, execute(t, e, a).TurnID)
		if got := server.Requests()[0].Last().Content; !strings.Contains(got, want) {
			t.Errorf("%s: the model is told %q, want %q", title, got, want)
		}
		if strings.Contains(title, "fix") != (a.Diagnostics != nil) || len(a.Diagnostics) > 1 {
			t.Errorf("%s resolves %+v", title, a.Diagnostics)
		}
		e.Shutdown()
	}
}

func TestDocumentActionWithAModel(t *testing.T) {
	f := newFixture(t)
	server := f.useModel(
		llmtest.Turn{Calls: []llmtest.Call{{ID: "call_1", Name: "apply_code_edit", Arguments: `{"reason":"document square","edits":[
			{"mode":"canonical","file":"shapes/circle.go","canon":"square","kind":"function","at":"before","code":"// square returns x times x."}]}`}}},
		llmtest.Turn{Text: []string{"I propose a comment."}},
	)
	e := f.startIndexed()
	path := f.path("shapes/circle.go")
	e.Open(path)
	result, _ := awaitTurn(t, e, execute(t, e, codeAction(t, e, path, "func square", "ploke: document")).TurnID)
	if len(result.Proposals) != 1 {
		t.Fatalf("no proposal: %+v\n%s", result, server.Requests()[1].Last().Content)
	}
	if message := server.Requests()[0].Last().Content; !strings.Contains(message, "Document `square` in shapes/circle.go") {
		t.Errorf("the last message to the model is %q", message)
	}
	var decision ploke.ProposalDecision
	e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: result.Proposals[0]}, &decision)
	if decision.Status != "verified" || !strings.Contains(e.Text(path), "// square returns x times x.") {
		t.Errorf("%s:\n%s", decision.Status, e.Text(path))
	}
}

func TestActionsUseUnsavedText(t *testing.T) {
	f := newFixture(t)
	e := f.startIndexed()
	path := f.path("shapes/circle.go")
	e.OpenText(path, "package shapes\n\nfunc brandNew() {}\n")
	if got := codeAction(t, e, path, "brandNew", "ploke: explain").Title; got != "ploke: explain brandNew" {
		t.Errorf("the title is %q", got)
	}
}

// TestFilteredActions requests actions as menus and save hooks do.
func TestFilteredActions(t *testing.T) {
	f := newFixture(t)
	e := f.startIndexed()
	path := f.path("shapes/circle.go")
	e.Open(path)
	automatic := protocol.CodeActionTriggerKindAutomatic
	for name, tt := range map[string]struct {
		context protocol.CodeActionContext
		offered bool
	}{
		"no filter":         {protocol.CodeActionContext{}, true},
		"light bulb":        {protocol.CodeActionContext{TriggerKind: automatic}, true},
		"refactorings":      {protocol.CodeActionContext{Only: []protocol.CodeActionKind{"refactor"}}, true},
		"our kind":          {protocol.CodeActionContext{Only: []protocol.CodeActionKind{"refactor.rewrite.ploke"}}, true},
		"another extension": {protocol.CodeActionContext{Only: []protocol.CodeActionKind{"refactor.rewrite.plok"}}, false},
		"organize imports":  {protocol.CodeActionContext{Only: []protocol.CodeActionKind{"source.organizeImports"}}, false},
		"fix all":           {protocol.CodeActionContext{Only: []protocol.CodeActionKind{"source.fixAll"}}, false},
		"refactor on save":  {protocol.CodeActionContext{Only: []protocol.CodeActionKind{"refactor"}, TriggerKind: automatic}, false},
	} {
		if got := len(actionsAt(t, e, path, "Area() float64", tt.context)) > 0; got != tt.offered {
			t.Errorf("%s: actions are offered: %v", name, got)
		}
	}
}

// TestKindsOfActions checks that no action is called a rewrite that changes no code.
func TestKindsOfActions(t *testing.T) {
	f := newFixture(t)
	f.useModel()
	e := f.startIndexed()
	path := f.path("shapes/circle.go")
	e.Open(path)
	kinds := map[string]string{}
	for _, a := range actionsAt(t, e, path, "Area() float64", protocol.CodeActionContext{}) {
		kinds[strings.Trim(string(a["title"]), `"`)] = strings.Trim(string(a["kind"]), `"`)
	}
	for title, want := range map[string]string{
		"ploke: explain Area":         "ploke.ask",
		"ploke: write tests for Area": "ploke.write",
		"ploke: document Area":        "refactor.rewrite.ploke",
	} {
		if kinds[title] != want {
			t.Errorf("the kind of %q is %q, want %s; all: %v", title, kinds[title], want, kinds)
		}
	}
}

// TestPlainCommands requests actions as a client that knows no literals.
func TestPlainCommands(t *testing.T) {
	f := newFixture(t)
	capabilities := lsptest.Capabilities()
	capabilities.TextDocument.CodeAction = nil
	e := f.start(lsptest.Options{Capabilities: capabilities})
	e.AwaitIndex()
	path := f.path("shapes/circle.go")
	e.Open(path)
	actions := actionsAt(t, e, path, "Area() float64", protocol.CodeActionContext{})
	if len(actions) == 0 {
		t.Fatal("there are no actions")
	}
	for _, a := range actions {
		if a["kind"] != nil || len(a["command"]) == 0 || a["command"][0] != '"' {
			t.Errorf("%s is no plain command", a)
		}
	}
}
