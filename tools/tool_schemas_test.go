package tools

import (
	"encoding/json"
	"testing"
)

// TestSchemas checks that the tools have their schemas, and make them only when these are asked for.
func TestSchemas(t *testing.T) {
	if n := testing.AllocsPerRun(3, func() { New(Deps{}) }); n > 1000 {
		t.Errorf("making the tools allocates %v times", n)
	}
	for _, tool := range New(Deps{}).All() {
		for what, source := range map[string]json.RawMessage{"arguments": tool.Schema(), "content": tool.Output()} {
			var schema struct{ Type string }
			if err := json.Unmarshal(source, &schema); err != nil || schema.Type != "object" {
				t.Errorf("%s: the schema of its %s is %.60s, %v", tool.Name, what, source, err)
			}
		}
	}
}
