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
// it builds. What becomes stale later is an update of the call.
func TestWhatChecksAProposalIsACall(t *testing.T) {
	t.Parallel()
	_, err := sandbox.New(nil)
	testbed.Need(t, "bubblewrap", err)
	testbed.UserNamespaces(t)
	f := newFixture(t)
	f.WatchDisk = true
	if err := os.WriteFile(filepath.Join(f.root, "go.mod"), []byte("module m\n\ngo 1.21\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f.setting(`{"proof":{"rounds":0}}`)
	f.useModel(call("c1", "create_file", `{"file":"more/more.go","content":"package more\n\nvar more int = \"text\"\n"}`), say("made"))
	question, decision := make(chan string, 1), make(chan string)
	c := f.start(acptest.Options{OnPermission: func(_ context.Context, asked protocol.RequestPermissionRequest) string {
		if !strings.HasPrefix(asked.ToolCall.ID, "proposal-") {
			return "allowAlways"
		}
		content, _ := json.Marshal(asked.ToolCall.Content)
		question <- string(content)
		return <-decision
	}})
	id := c.New(f.root)
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		c.Prompt(id, "Make it.")
	}()
	shown := func() (call protocol.ToolCall, content string) {
		for _, call := range c.ToolCalls(id) {
			if strings.HasPrefix(call.ID, "check ") {
				text, _ := json.Marshal(call.Content)
				return call, string(text)
			}
		}
		return call, "no call shows the check"
	}
	says := func(want string) {
		t.Helper()
		testbed.Eventually(t, func() bool { _, content := shown(); return strings.Contains(content, want) },
			func() string { _, content := shown(); return "not " + want + ": " + content })
	}
	if got := <-question; !strings.Contains(got, "go vet: 1 new problem") {
		t.Errorf("the question says %s", got)
	}
	says("go vet: 1 new problem")
	call, content := shown()
	if call.Status != protocol.StatusFailed || call.ToolKind != protocol.KindExecute ||
		!strings.Contains(call.Title, "go vet -json ./more") ||
		!strings.Contains(content, "more/more.go:3:16: cannot use") || !strings.Contains(content, "# m/more") {
		t.Errorf("%+v %s", call, content)
	}
	if err := os.WriteFile(filepath.Join(f.root, "more.go"), []byte("package m\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	says("go vet: stale: the files have changed since") // while the question is open
	if call, _ := shown(); call.Status != protocol.StatusCompleted {
		t.Errorf("what is stale is %s", call.Status)
	}
	decision <- "reject"
	<-answered
}
