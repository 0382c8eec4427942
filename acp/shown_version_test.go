package acp_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"ploke-lsp/acp/acptest"
	"ploke-lsp/acp/protocol"
	"ploke-lsp/internal/testbed"
)

// TestAPermissionIsForWhatItShows has a second prompt amend the proposal about which the person is asked, who answers then. The second
// prompt asks about the amended one.
func TestAPermissionIsForWhatItShows(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{"accept", "accept-all", "reject"} {
		t.Run(answer, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.useModel(replace("c1", "shapes/circle.go", "return x * x", "return x*x"), say("one"),
				replace("c2", "shapes/circle.go", "return x*x", "return evil(x)"), say("two"))
			var questions atomic.Int32
			asked, goOn := make(chan bool, 1), make(chan bool)
			c := f.start(acptest.Options{Capabilities: files, OnPermission: func(context.Context, protocol.RequestPermissionRequest) string {
				if questions.Add(1) > 1 {
					return "" // about the amended one
				}
				asked <- true
				<-goOn
				return answer
			}})
			id := c.New(f.root)
			first := c.PromptAsync(id, "Edit it.")
			testbed.Receive(t, asked, "the question")
			second := c.PromptAsync(id, "And more.")
			testbed.Eventually(t, func() bool { return f.agent.Proposes("return evil(x)") }, func() string { return "it is not amended" })
			close(goOn)
			testbed.Receive(t, first, "the end of the first prompt")
			testbed.Receive(t, second, "the end of the second prompt")
			if text := read(t, f.path("shapes/circle.go")); !strings.Contains(text, "return x * x") {
				t.Errorf("the file reads %s", text)
			}
			if shown := proposals(c, id); len(shown) != 1 || shown[0].Status != protocol.StatusPending {
				t.Errorf("shown: %+v", shown)
			}
			if said := c.Said(id, protocol.AgentThoughtChunk); !strings.Contains(said, "the proposal has changed; look again") {
				t.Errorf("said: %s", said)
			}
			if all := c.Asked(); len(all) != 2 || !strings.Contains(*all[1].ToolCall.Content[0].NewText, "evil") {
				t.Errorf("asked: %+v", all)
			}
		})
	}
}
