package lsp_test

import (
	"context"
	"testing"

	"ploke-lsp/internal/config"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// TestACheckThatFailsIsAFailedCall has a check pass and fail: clients show what a call was for, not that it ran.
func TestACheckThatFailsIsAFailedCall(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]ploke.ToolCallState{
		"good":     ploke.ToolCallFinished,
		"bad":      ploke.ToolCallFailed,
		"nonesuch": ploke.ToolCallFailed,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.useModel(
				llmtest.Turn{Calls: []llmtest.Call{{ID: "it", Name: "run_check", Arguments: `{"name":"` + name + `"}`}}},
				llmtest.Turn{Text: []string{"All pass."}})
			f.Config = append(f.Config, config.FromJSON("the test",
				[]byte(`{"checks": {"good": {"command": ["go", "version"]}, "bad": {"command": ["go", "nonesuch"]}}}`)))
			e := f.start(lsptest.Options{
				OnPermission: func(context.Context, string) string { return string(ploke.PermissionAllowOnce) }})
			sent := e.Ask("check it")
			live := e.Parts()
			var history ploke.ChatHistoryResult
			e.Call(ploke.MethodChatHistory, ploke.ChatHistoryParams{ConversationID: sent.ConversationID}, &history)
			stored := history.Messages[len(history.Messages)-1].Parts
			for where, parts := range map[string][]ploke.Part{"live": live, "stored": stored} {
				if got := lastState(parts); got != want {
					t.Errorf("%s, the call is %s, want %s", where, got, want)
				}
			}
		})
	}
}

// lastState returns the last state of a tool call in these parts.
func lastState(parts []ploke.Part) (state ploke.ToolCallState) {
	for _, p := range parts {
		if p.Type == ploke.PartToolCall {
			state = p.State
		}
	}
	return state
}
