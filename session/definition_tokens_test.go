package session

import (
	"encoding/json"
	"testing"

	"ploke-lsp/internal/o200k"
	"ploke-lsp/tools"
)

// The system text and the definitions of the tools are sent with every request, so they have a
// bound together, in tokens of OpenAI's o200k vocabulary. The folders and rules of a workspace
// come on top.
func TestSystemTextAndDefinitionsCostFewTokens(t *testing.T) {
	const limit = 2200
	total := o200k.Count(systemText)
	t.Logf("%4d system text", total)
	for _, tool := range tools.New(tools.Deps{}).All() {
		if tool.Name == tools.ProjectFacts { // no request describes it
			continue
		}
		definition, err := json.Marshal(map[string]any{"type": "function", "function": map[string]any{
			"name": tool.Name, "description": tool.Description, "parameters": tool.Schema()}})
		if err != nil {
			t.Fatal(err)
		}
		n := o200k.Count(string(definition))
		t.Logf("%4d %s", n, tool.Name)
		total += n
	}
	if total > limit {
		t.Errorf("the system text and the tools take %d tokens, the limit is %d", total, limit)
	} else {
		t.Logf("%4d in all", total)
	}
}
