package acp_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/acp/acptest"
	"ploke-lsp/acp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

func TestConfigOptions(t *testing.T) {
	t.Parallel()
	for _, booleans := range []bool{false, true} {
		f := newFixture(t)
		f.useModel()
		options := acptest.Options{}
		if booleans {
			options.Capabilities.Session.ConfigOptions = &struct {
				Boolean *struct{} `json:"boolean"`
			}{&struct{}{}}
		}
		c := f.start(options)
		var r protocol.SessionResponse
		c.Call(protocol.MethodSessionNew, acptest.Params("", f.root), &r)
		if r.ConfigOptions[0].CurrentValue != "test/m" || len(r.ConfigOptions[0].Options) != 2 ||
			(r.ConfigOptions[1].Type == "boolean") != booleans {
			t.Errorf("%+v", r.ConfigOptions)
		}
		set := func(id string, value any) any {
			params := map[string]any{"sessionId": r.SessionID, "configId": id, "value": value}
			if _, ok := value.(bool); ok {
				params["type"] = "boolean"
			}
			return params
		}
		var changed protocol.SetConfigOptionResponse
		c.Call(protocol.MethodSessionSetConfigOption, set("model", "embedded"), nil)
		on := map[bool]any{false: "on", true: true}[booleans]
		c.Call(protocol.MethodSessionSetConfigOption, set("auto-accept", on), &changed)
		if changed.ConfigOptions[0].CurrentValue != "embedded" || changed.ConfigOptions[1].CurrentValue != on {
			t.Errorf("%+v", changed)
		}
		if reason := c.Prompt(r.SessionID, "What calls square?"); reason != protocol.StopEndTurn { // the scripted model has no answer
			t.Errorf("the turn ended with %q", reason)
		}
		for id, value := range map[string]any{"model": "none", "auto-accept": "perhaps", "other": "x"} {
			if err := c.Error(protocol.MethodSessionSetConfigOption, set(id, value)); err.Code != protocol.CodeInvalidParams {
				t.Errorf("%s: %v", id, err)
			}
		}
	}
}

// TestTheEffortOfAModel: a model that has words for how long it reasons has a setting of the session, which the requests have.
func TestTheEffortOfAModel(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	server := llmtest.NewServer(t, llmtest.Turn{Text: []string{"Thought long."}}, llmtest.Turn{Text: []string{"Thought."}})
	f.setting(fmt.Sprintf(`{"model":"test/m#low","providers":{"test":{"type":"openai","baseUrl":%q,"models":{
		"m":{"contextTokens":100000,"efforts":["low","high"]},"other":{"contextTokens":100000}}}}}`, server.URL+"/v1"))
	c := f.start(acptest.Options{})
	var r protocol.SessionResponse
	c.Call(protocol.MethodSessionNew, acptest.Params("", f.root), &r)
	c.Await("the setting", func() bool { return strings.Contains(strings.Join(c.Wire(), "\n"), `"thought_level"`) })
	set := func(id, value string) (current []any) {
		var changed protocol.SetConfigOptionResponse
		c.Call(protocol.MethodSessionSetConfigOption, map[string]any{"sessionId": r.SessionID, "configId": id, "value": value}, &changed)
		for _, option := range changed.ConfigOptions {
			if option.ID != "auto-accept" {
				current = append(current, option.CurrentValue)
			}
		}
		return current
	}
	ask := func() string {
		if reason := c.Prompt(r.SessionID, "well?"); reason != protocol.StopEndTurn {
			t.Fatal(reason)
		}
		requests := server.Requests()
		return requests[len(requests)-1].Effort
	}
	if got := set("effort", "high"); !slices.Equal(got, []any{"test/m", "high"}) {
		t.Errorf("the settings are %v", got)
	}
	if got := ask(); got != "high" {
		t.Errorf("the effort is %q", got)
	}
	if got := set("effort", "default"); !slices.Equal(got, []any{"test/m", "default"}) {
		t.Errorf("the settings are %v", got)
	}
	if got := ask(); got != "" {
		t.Errorf("the effort is %q", got)
	}
	if got := set("model", "test/other"); !slices.Equal(got, []any{"test/other"}) {
		t.Errorf("the settings are %v", got)
	}
	for id, value := range map[string]string{"effort": "low", "model": "test/m#max"} {
		params := map[string]any{"sessionId": r.SessionID, "configId": id, "value": value}
		if err := c.Error(protocol.MethodSessionSetConfigOption, params); err.Code != protocol.CodeInvalidParams {
			t.Errorf("%s: %v", id, err)
		}
	}
}

// TestOpeningASessionAsksForNoKey has two providers. The key of one comes from a command.
func TestOpeningASessionAsksForNoKey(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	asked := f.path("asked")
	f.useModel()
	f.setting(fmt.Sprintf(`{"providers":{"locked":{"type":"openai","baseUrl":"http://127.0.0.1:1","apiKeyCommand":["touch",%q],"models":{"named":{}}},"other":{"type":"openai","baseUrl":"http://127.0.0.1:1"}}}`, asked))
	c := f.start(acptest.Options{})
	var r protocol.SessionResponse
	c.Call(protocol.MethodSessionNew, acptest.Params("", f.root), &r)
	if !slices.ContainsFunc(r.ConfigOptions[0].Options, func(choice protocol.ConfigChoice) bool { return choice.Value == "locked/named" }) {
		t.Errorf("the models are %+v", r.ConfigOptions[0].Options)
	}
	f.agent.AwaitModels(f.root)
	if _, err := os.Stat(asked); err == nil {
		t.Error("the command for the key was run")
	}
}
