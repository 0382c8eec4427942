package lsp_test

import (
	"fmt"
	"testing"

	"go.lsp.dev/protocol"

	"ploke-lsp/internal/config"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// TestTheChosenModelAnswersCommands chooses a model other than that of the settings, and takes the choice back.
func TestTheChosenModelAnswersCommands(t *testing.T) {
	f := newFixture(t)
	server := llmtest.NewServer(t, llmtest.Turn{Text: []string{"A comma."}})
	f.Config = []config.Layer{config.FromJSON("the test", fmt.Appendf(nil,
		`{"model": "embedded", "providers": {"scripted": {"type": "openai", "baseUrl": %q}}}`, server.URL))}
	e := f.start(lsptest.Options{})
	path := f.path("shapes/circle.go")
	e.Open(path)
	context := protocol.CodeActionContext{Diagnostics: []protocol.Diagnostic{problem("undefined: square", "compiler", "")}}
	fix := func() *protocol.CodeAction {
		return actionAt(t, e, path, "func square", "ploke: fix: undefined: square", context)
	}
	for _, tt := range []struct {
		model   string
		enabled bool
	}{{"", false}, {"scripted/model", true}, {"embedded", false}, {"", false}, {"scripted/model", true}} {
		e.Call(ploke.MethodModelChoose, ploke.ModelChooseParams{Model: tt.model}, nil)
		if enabled := fix().Command.Command != ""; enabled != tt.enabled {
			t.Errorf("with the model %q a fix is offered: %t", tt.model, enabled)
		}
	}
	a := fix()
	e.Call(protocol.MethodWorkspaceExecuteCommand,
		&protocol.ExecuteCommandParams{Command: a.Command.Command, Arguments: a.Command.Arguments}, nil)
	e.Await("the request to the chosen model", func() bool { return len(server.Requests()) == 1 })
}
