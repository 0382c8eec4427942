package lsp_test

import (
	"fmt"
	"log/slog"
	"testing"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// BenchmarkHistory measures over the wire how long the history of a conversation takes whose answers have thoughts,
// two calls, a proposal and a quotation each.
func BenchmarkHistory(b *testing.B) {
	for _, messages := range []int{100, 1000} {
		b.Run(fmt.Sprint(messages), func(b *testing.B) {
			f := newFixture(b)
			f.Logger = slog.New(slog.DiscardHandler)
			var script []llmtest.Turn
			for i := range messages / 2 {
				script = append(script, llmtest.Turn{Reasoning: []string{"Let me look at it, and think about it a little."}, Calls: []llmtest.Call{
					{Name: "read_file", Arguments: `{"file":"shapes/rect.go"}`}, {Name: "create_file", Arguments: fmt.Sprintf(`{"file":"f%d.txt","content":"one\ntwo\n"}`, i)}}},
					llmtest.Turn{Text: []string{"It is here:\n<code=\"" + f.path("shapes/rect.go") +
						"\" #4:4>\ntype Rect struct{ Width, Height float64 }\n</code>\nand so on."}})
			}
			f.useModel(script...)
			e := f.start(lsptest.Options{})
			e.AwaitIndex()
			id := newConversation(e)
			for range messages / 2 {
				result := e.Send(b.Context(), ploke.ChatSendParams{ConversationID: id, Text: "go on"})
				e.Call(ploke.MethodProposalReject, ploke.ProposalRejectParams{ID: result.Proposals[0]}, nil)
			}
			for b.Loop() {
				var h ploke.ChatHistoryResult
				e.Call(ploke.MethodChatHistory, ploke.ChatHistoryParams{ConversationID: id}, &h)
				if len(h.Messages) != messages {
					b.Fatalf("%d messages", len(h.Messages))
				}
			}
		})
	}
}
