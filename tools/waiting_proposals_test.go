package tools_test

import (
	"strings"
	"testing"

	"ploke-lsp/tools"
)

// TestWaitingProposals asks what waits, and how it is taken back.
func TestWaitingProposals(t *testing.T) {
	w := newWorld(t, map[string]string{"a.go": "package a\n"})
	if got := string(w.call(tools.ProjectFacts, `{"about":"proposals"}`).Content); strings.Contains(got, "title") {
		t.Errorf("nothing waits, but %s", got)
	}
	w.call("create_file", `{"file":"b.go","content":"package a\n","reason":"add b"}`)
	result := w.call(tools.ProjectFacts, `{"about":"proposals"}`)
	if got := string(result.Content); !strings.Contains(got, `"title":"add b","state":"waiting","back":"ploke-lsp proposals reject `) {
		t.Errorf("what waits is %s", got)
	}
	if text := w.set.Text(tools.ProjectFacts, result.Content); !strings.Contains(text, ": add b") {
		t.Errorf("a model reads %s", text)
	}
}
