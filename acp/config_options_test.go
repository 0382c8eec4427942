package acp_test

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"ploke-lsp/acp/acptest"
	"ploke-lsp/acp/protocol"
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
