package tools_test

import (
	"encoding/json"
	"testing"

	"ploke-lsp/internal/o200k"
	"ploke-lsp/tools"
)

// The descriptions of the tools are sent with every request, so they have a bound in tokens of
// OpenAI's o200k vocabulary.
func TestToolsCostFewTokens(t *testing.T) {
	type function struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	}
	type entry struct {
		Type     string   `json:"type"`
		Function function `json:"function"`
	}
	count := func(v any) int {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return o200k.Count(string(text))
	}
	var list []entry
	for _, tool := range tools.New(tools.Deps{}).All() {
		e := entry{"function", function{tool.Name, tool.Description, tool.Schema}}
		t.Logf("%4d %s", count(e), tool.Name)
		list = append(list, e)
	}
	const limit = 3500
	if n := count(list); n >= limit {
		t.Errorf("the tools take %d tokens, the limit is %d", n, limit)
	} else {
		t.Logf("%4d in all", n)
	}
}
