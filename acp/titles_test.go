package acp_test

import (
	"fmt"
	"slices"
	"testing"

	"ploke-lsp/acp/acptest"
	"ploke-lsp/session/llm/llmtest"
)

// TestTitlesSayWhatACallIsAbout has a model name files in other forms, and nothing.
func TestTitlesSayWhatACallIsAbout(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	want := []string{"Read shapes/circle.go", "Find code about areas of circles", "Find code about the question", "List the project",
		"List shapes", "Look up Area", "Read the diagnostics of the project", "Edit shapes/circle.go",
		"Run go test ./a b", "Run go vet ./...", "Run a command"}
	var turns []llmtest.Turn
	for i, c := range [][2]string{
		{"read_file", fmt.Sprintf(`{"file":%q}`, f.path("shapes/circle.go"))},
		{"request_code_context", `{"hint":"areas of circles"}`}, {"request_code_context", `{}`}, {"list_dir", `{}`},
		{"list_dir", fmt.Sprintf(`{"dir":%q}`, "file://"+f.path("shapes"))}, {"code_item_lookup", `{"name":"Area","file":"shapes/circle.go"}`},
		{"get_diagnostics", `{}`},
		{"apply_code_edit", fmt.Sprintf(`{"reason":"r","edits":[{"mode":"replace","file":%q,"old":"x * x","new":"x*x"}]}`, f.path("shapes/circle.go"))},
		{"run_command", `{"command":["go","test","./a b"],"dir":"shapes"}`}, {"run_command", `{"command":["go vet ./..."]}`}, {"run_command", `{"command":7}`},
	} {
		turns = append(turns, call(fmt.Sprintf("c%d", i), c[0], c[1]))
	}
	f.useModel(append(turns, say("done"))...)
	c := f.start(acptest.Options{Capabilities: files, OnPermission: choose("reject")})
	id := c.New(f.root)
	c.Prompt(id, "Look.")
	var titles []string
	for _, call := range c.ToolCalls(id)[:len(want)] {
		titles = append(titles, call.Title)
	}
	if !slices.Equal(titles, want) {
		t.Errorf("the titles are %q, want %q", titles, want)
	}
}
