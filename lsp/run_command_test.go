//go:build linux

package lsp_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"ploke-lsp/internal/sandbox"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// TestAFormatterIsRunAndWhatItWritesIsAccepted has a model run gofmt. The person allows it, sees what it prints, and
// accepts the proposal.
func TestAFormatterIsRunAndWhatItWritesIsAccepted(t *testing.T) {
	_, err := sandbox.New(nil)
	testbed.Need(t, "bubblewrap", err)
	testbed.UserNamespaces(t)
	f := newFixture(t)
	file := f.path("loose.go")
	f.write("loose.go", "package   shapes\n")
	f.useModel(llmtest.Turn{Calls: []llmtest.Call{{ID: "c", Name: "run_command", Arguments: `{"command":"gofmt -l -w loose.go"}`}}},
		llmtest.Turn{Text: []string{"Formatted."}})
	var asked []string
	e := f.start(lsptest.Options{OnPermission: func(_ context.Context, title string) string {
		asked = append(asked, title)
		return string(ploke.PermissionAllowExact)
	}})
	result := e.Ask("format")
	printed := ""
	for _, p := range e.Parts() {
		if p.Type == ploke.PartToolOutput && p.CallID == "c" {
			printed += p.Text
		}
	}
	if len(asked) != 1 || !strings.Contains(asked[0], "in a sandbox") || printed != "loose.go\n" || len(result.Proposals) != 1 {
		t.Fatalf("asked %q, printed %q, %+v", asked, printed, result)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "package   shapes\n" {
		t.Errorf("before: %q, %v", text, err)
	}
	e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: result.Proposals[0]}, nil)
	if text := e.Text(file); text != "package shapes\n" {
		t.Errorf("after: %q", text)
	}
}
