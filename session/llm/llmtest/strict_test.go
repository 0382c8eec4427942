package llmtest

import (
	"strings"
	"testing"
)

const (
	askedCall = `{"role":"user","content":"go"},{"role":"assistant","tool_calls":[{"id":"abcdefgh1","type":"function",` +
		`"function":{"name":"f","arguments":"{}"}}]}`
	answered = askedCall + `,{"role":"tool","tool_call_id":"abcdefgh1","content":"ok"}`
)

// TestStrictRefusals requires an error of each kind for a request that a strict server refuses.
func TestStrictRefusals(t *testing.T) {
	call := func(id, name, arguments string) string {
		return `{"role":"user","content":"go"},{"role":"assistant","tool_calls":[{"id":"` + id +
			`","type":"function","function":{"name":"` + name +
			`","arguments":"` + arguments + `"}}]},{"role":"tool","tool_call_id":"` + id + `","content":"ok"}`
	}
	parameters := func(schema string) string {
		return `{"role":"user","content":"go"}],"tools":[{"type":"function","function":{"name":"f","description":"d","parameters":` +
			schema + `}}`
	}
	given := map[string]givenCall{"mine": {}, "thought": {reasoning: "hm"}}
	for name, tt := range map[string]struct{ messages, want string }{
		"a user's message":            {`{"role":"user","content":"go"}`, ""},
		"a call and its result":       {answered, ""},
		"the script's own id":         {call("mine", "f", "{}"), ""},
		"a schema":                    {parameters(`{"type":"object","properties":{"a":{"type":"array","items":{"type":"string","enum":["x"]}}},"required":["a"]}`), ""},
		"system later":                {answered + `,{"role":"system","content":"n"}`, "must be at the beginning"},
		"two of user":                 {`{"role":"user","content":"a"},{"role":"user","content":"b"}`, "must alternate"},
		"two of assistant":            {answered + `,{"role":"assistant","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}`, "must alternate"},
		"assistant first":             {`{"role":"assistant","content":"a"},{"role":"user","content":"b"}`, "must alternate"},
		"user behind tool":            {answered + `,{"role":"user","content":"b"}`, "after role 'tool'"},
		"assistant last":              {answered + `,{"role":"assistant","content":"b"}`, "Expected last role"},
		"no result":                   {askedCall + `,{"role":"user","content":"b"}`, "have no result"},
		"another result":              {strings.Replace(answered, `"tool_call_id":"abcdefgh1"`, `"tool_call_id":"abcdefgh2"`, 1), "expected one of"},
		"a result of nothing":         {`{"role":"user","content":"go"},{"role":"tool","tool_call_id":"x","content":"ok"}`, "expected one of"},
		"a foreign id":                {call("call_1", "f", "{}"), "length of 9"},
		"a name":                      {call("mine", "functions.f", "{}"), "not a name of a function"},
		"a long name":                 {call("mine", strings.Repeat("f", 65), "{}"), "not a name of a function"},
		"arguments":                   {call("mine", "f", "{"), "must be a JSON object"},
		"arguments of another type":   {call("mine", "f", "null"), "must be a JSON object"},
		"reasoning is missing":        {call("thought", "f", "{}"), "must be passed back"},
		"unknown keys":                {`{"role":"user","content":"go","name":"x"}`, "name: Extra inputs"},
		"nothing to say":              {`{"role":"user","content":"go"},{"role":"assistant"},{"role":"user","content":"go"}`, "either content or calls"},
		"nothing but white space":     {`{"role":"user","content":"go"},{"role":"assistant","content":"\n"},{"role":"user","content":"go"}`, "either content or calls"},
		"an unknown role":             {`{"role":"developer","content":"go"}`, "unknown role"},
		"a list of types":             {parameters(`{"type":["string","null"]}`), "cannot unmarshal"},
		"a reference":                 {parameters(`{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}}}`), "$ref: Extra inputs"},
		"an array of nothing":         {parameters(`{"type":"array"}`), "items: missing"},
		"an empty word":               {parameters(`{"type":"string","enum":[""]}`), "enum: cannot be empty"},
		"an unknown required one":     {parameters(`{"type":"object","properties":{},"required":["a"]}`), "not defined: a"},
		"closed":                      {parameters(`{"type":"object","additionalProperties":false}`), "additionalProperties: Extra inputs"},
		"a name that no server knows": {strings.Replace(parameters(`{"type":"object"}`), `"name":"f"`, `"name":"f.g"`, 1), "the name"},
	} {
		body := `{"model":"m","messages":[` + tt.messages + `]}`
		err := check([]byte(body), given)
		switch {
		case tt.want == "" && err != nil, tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
	if err := check([]byte(`{"model":"m","messages":[{"role":"user","content":"a"}],"temperature":0}`), nil); err == nil {
		t.Error("an unknown key of a request is taken")
	}
}
