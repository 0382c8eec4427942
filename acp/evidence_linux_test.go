package acp_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ploke-lsp/acp/acptest"
	"ploke-lsp/acp/protocol"
	"ploke-lsp/internal/sandbox"
	"ploke-lsp/internal/testbed"
)

// TestWhatChecksAProposalIsACall shows the command with what it prints, and says in the question about the proposal whether
// it builds.
func TestWhatChecksAProposalIsACall(t *testing.T) {
	t.Parallel()
	_, err := sandbox.New(nil)
	testbed.Need(t, "bubblewrap", err)
	testbed.UserNamespaces(t)
	f := newFixture(t)
	if err := os.WriteFile(filepath.Join(f.root, "go.mod"), []byte("module m\n\ngo 1.21\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f.setting(`{"proof":{"rounds":0}}`)
	f.useModel(call("c1", "create_file", `{"file":"more/more.go","content":"package more\n\nvar more int = \"text\"\n"}`), say("made"))
	var question string
	c := f.start(acptest.Options{OnPermission: func(_ context.Context, asked protocol.RequestPermissionRequest) string {
		if !strings.HasPrefix(asked.ToolCall.ID, "proposal-") {
			return "allowAlways"
		}
		content, _ := json.Marshal(asked.ToolCall.Content)
		question = string(content)
		return "reject"
	}})
	id := c.New(f.root)
	c.Prompt(id, "Make it.")
	if !strings.Contains(question, "go vet: 1 new problem") {
		t.Errorf("the question says %s", question)
	}
	for _, shown := range c.ToolCalls(id) {
		if !strings.HasPrefix(shown.ID, "check ") {
			continue
		}
		content, _ := json.Marshal(shown.Content)
		if shown.Status != protocol.StatusFailed || shown.ToolKind != protocol.KindExecute ||
			!strings.Contains(shown.Title, "go vet -json ./more") ||
			!strings.Contains(string(content), "more/more.go:3:16: cannot use") || !strings.Contains(string(content), "# m/more") {
			t.Errorf("%+v %s", shown, content)
		}
		return
	}
	t.Error("no call shows the check")
}
