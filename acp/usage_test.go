package acp_test

import (
	"slices"
	"strings"
	"testing"

	"ploke-lsp/acp/acptest"
	"ploke-lsp/acp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// TestCostsAreShownWhileATurnRuns has two turns whose model reads a file, and looks at what the client knows when it
// is told of the file.
func TestCostsAreShownWhileATurnRuns(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	reads := func(id string) llmtest.Turn {
		turn := call(id, "read_file", `{"file":"shapes/rect.go"}`)
		turn.Usage = llmtest.Usage{Prompt: 2000, Completion: 200}
		return turn
	}
	f.useModel(reads("c1"), say("done"), reads("c2"), say("done"))
	c := f.start(acptest.Options{})
	id := c.New(f.root)
	for _, want := range []string{`"cost":{"amount":0.004,`, `"cost":{"amount":0.01`} { // 2,000 and 200 tokens; 5,000 and 500
		c.Forget()
		c.Prompt(id, "Read it.")
		updates := c.Updates(id)
		read := slices.IndexFunc(updates, func(u acptest.Update) bool { return u.Kind == protocol.ToolCallUpdate })
		told := slices.IndexFunc(updates, func(u acptest.Update) bool {
			return u.Kind == "usage_update" && strings.Contains(string(u.Raw), want)
		})
		if told < 0 || told > read {
			t.Errorf("%s is update %d, and the file %d of %+v", want, told, read, updates)
		}
	}
}
