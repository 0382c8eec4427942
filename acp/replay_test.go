package acp_test

import (
	"slices"
	"strings"
	"testing"

	"ploke-lsp/acp/acptest"
	"ploke-lsp/acp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// TestLoadingReplaysEverything compares what was shown with what is replayed after a restart.
func TestLoadingReplaysEverything(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.useModel(llmtest.Turn{Reasoning: []string{"Let me see."}, Text: []string{"I look. "}, Calls: []llmtest.Call{{ID: "c1", Name: "read_file", Arguments: `{"file":"shapes/rect.go"}`}}},
		replace("c2", "shapes/circle.go", "return x * x", "return x*x"), say("Done."))
	c := f.start(acptest.Options{Capabilities: files, OnPermission: choose("accept")})
	id := c.New(f.root)
	link := protocol.ContentBlock{Type: "resource_link", Name: "rect.go", URI: "file://" + f.path("shapes/rect.go")}
	c.Call(protocol.MethodSessionPrompt, protocol.PromptRequest{SessionID: id, Prompt: []protocol.ContentBlock{{Type: "text", Text: "Look at "}, link}}, nil)
	shown := map[string]string{}
	for _, kind := range []string{protocol.AgentMessageChunk, protocol.AgentThoughtChunk} {
		shown[kind] = c.Said(id, kind)
	}
	calls := c.ToolCalls(id)
	c.Forget()
	c.Call(protocol.MethodSessionLoad, acptest.Params(id, f.root), nil)
	for kind, said := range shown {
		if got := c.Said(id, kind); got != said || said == "" {
			t.Errorf("%s: replayed is %q, and %q was shown", kind, got, said)
		}
	}
	if got := c.Said(id, protocol.UserMessageChunk); got != "Look at @shapes/rect.go" {
		t.Errorf("the message is %q", got)
	}
	again := c.ToolCalls(id)
	if len(again) != len(calls) {
		t.Fatalf("replayed are %d calls, and %d were shown", len(again), len(calls))
	}
	for _, was := range calls {
		i := slices.IndexFunc(again, func(call protocol.ToolCall) bool { return call.ID == was.ID })
		if i < 0 || again[i].Status != was.Status || again[i].Title != was.Title || string(again[i].RawInput) != string(was.RawInput) ||
			string(again[i].RawOutput) != string(was.RawOutput) {
			t.Errorf("%+v became %+v", was, again[max(i, 0)])
		}
	}
	if !slices.ContainsFunc(c.Updates(id), func(u acptest.Update) bool {
		return u.Kind == "usage_update" && strings.Contains(string(u.Raw), `"currency":"USD"`)
	}) {
		t.Errorf("no usage was replayed")
	}
}
