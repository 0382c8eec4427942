package lsp_test

import (
	"fmt"
	"strings"
	"testing"

	"ploke-lsp/internal/config"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// TestOmittedResultIsRecalled runs a turn that exceeds the context window, so the first tool
// result is replaced with one line. The model gets the full result back with the id in that
// line, in the same turn and in a later one.
func TestOmittedResultIsRecalled(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for i := range 3 {
		f.write(fmt.Sprintf("%d.txt", i), strings.Repeat(fmt.Sprintf("line of file %d\n", i), 1600)) // 24 KB, 7,500 tokens
	}
	var whole, line, recalled string
	read := func(i int) llmtest.Turn {
		return llmtest.Turn{Calls: []llmtest.Call{{ID: fmt.Sprint("read", i), Name: "read_file", Arguments: fmt.Sprintf(`{"file":"%d.txt"}`, i)}}}
	}
	checked := func(turn llmtest.Turn, check func(r *llmtest.Request)) llmtest.Turn {
		turn.Check = func(r *llmtest.Request) error { check(r); return nil }
		return turn
	}
	recall := llmtest.Turn{Calls: []llmtest.Call{{ID: "recall", Name: "recall_tool_result", Arguments: `{"call_id":"read0"}`}}}
	later := llmtest.Turn{Calls: []llmtest.Call{{ID: "later", Name: "recall_tool_result", Arguments: `{"call_id":"read0"}`}}}
	takeRecalled := func(r *llmtest.Request) { recalled = r.Last().Content }
	server := llmtest.NewServer(t, read(0),
		checked(read(1), func(r *llmtest.Request) { whole = toolResult(r, "read0") }), read(2),
		checked(recall, func(r *llmtest.Request) { line = toolResult(r, "read0") }),
		checked(llmtest.Turn{Text: []string{"Read."}}, takeRecalled),
		later, checked(llmtest.Turn{Text: []string{"Again."}}, takeRecalled))
	f.Config = []config.Layer{config.FromJSON("the test", fmt.Appendf(nil, `{"model": "scripted/model", "providers":
		{"scripted": {"type": "openai", "baseUrl": %q, "models": {"model": {"contextTokens": 44000}}}}}`, server.URL))}
	e := f.startIndexed()
	check := func() {
		t.Helper()
		if want := "read_file {\"file\":\"0.txt\"}\n" + whole; recalled != want || len(whole) < 24_000 {
			t.Errorf("recalled %d bytes %.200q, not %d bytes %.200q", len(recalled), recalled, len(want), want)
		}
		recalled = ""
	}
	first := e.Ask("read")
	if !strings.Contains(line, "call_id read0") || !strings.Contains(line, "recall_tool_result") || len(line) > 1200 {
		t.Errorf("the line is %.400q", line)
	}
	check()
	e.Send(t.Context(), ploke.ChatSendParams{ConversationID: first.ConversationID, Text: "again"})
	check()
}

// toolJSON returns the result of a tool call as programs read it.
func toolJSON(e *lsptest.Editor, conversationID, callID string) string {
	var page ploke.ToolResult
	e.Call(ploke.MethodToolResult,
		ploke.ToolResultParams{ConversationID: conversationID, CallID: callID, Limit: ploke.ToolResultMaxLimit}, &page)
	return page.Text
}

// toolResult returns the result of a tool call as the model reads it.
func toolResult(r *llmtest.Request, callID string) string {
	for _, m := range r.Messages {
		if m.ToolCallID == callID {
			return m.Content
		}
	}
	return ""
}
