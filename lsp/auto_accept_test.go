package lsp_test

import (
	"slices"
	"testing"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// TestAutoAccept sets edits.autoAccept: proposals without syntax errors are applied after
// the turn, and those with syntax errors stay staged.
func TestAutoAccept(t *testing.T) {
	for name, tt := range map[string]struct {
		auto   bool
		model  llmtest.Turn
		status string
	}{
		"on":  {true, createFileTurn("c", "good.go"), "verified"},
		"off": {false, createFileTurn("c", "good.go"), "staged"},
		"syntax error": {true, llmtest.Turn{Calls: []llmtest.Call{{ID: "c", Name: "create_file",
			Arguments: `{"file":"bad.go","content":"package bad\n\nfunc {\n"}`}}}, "staged"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			f.useModel(tt.model, llmtest.Turn{Text: []string{"Done."}}, createFileTurn("d", "later.go"), llmtest.Turn{Text: []string{"Done again."}})
			e := f.start(lsptest.Options{InitializationOptions: map[string]any{"edits": map[string]any{"autoAccept": tt.auto}}})
			e.AwaitIndex()
			id := newConversation(e)
			e.Send(t.Context(), ploke.ChatSendParams{ConversationID: id, Text: "write"})
			second := e.Send(t.Context(), ploke.ChatSendParams{ConversationID: id, Text: "and another"}).Proposals[0]
			if tt.auto { // then the first proposal has been handled, too
				e.Await("the second proposal to be applied", func() bool {
					return slices.ContainsFunc(e.Events(), func(ev ploke.Event) bool { return ev.ID == second && ev.Status == "verified" })
				})
			}
			var list ploke.ProposalListResult
			e.Call(ploke.MethodProposalList, ploke.ProposalListParams{}, &list)
			if got := list.Proposals[len(list.Proposals)-1]; got.Status != tt.status {
				t.Errorf("the proposal is %s; want %s", got.Status, tt.status)
			}
			if got := list.Proposals[0]; got.Status == "verified" != tt.auto {
				t.Errorf("the second proposal is %s; want it applied: %v", got.Status, tt.auto)
			}
		})
	}
}
