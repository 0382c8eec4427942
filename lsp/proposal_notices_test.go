package lsp_test

import (
	"fmt"
	"strings"
	"testing"

	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// createFileTurn returns a response that proposes a new file.
func createFileTurn(id, path string) llmtest.Turn {
	return llmtest.Turn{Calls: []llmtest.Call{{ID: id, Name: "create_file",
		Arguments: fmt.Sprintf(`{"file":%q,"content":"package shapes\n"}`, path)}}}
}

// notices returns the system messages of a request, except the first message.
func notices(r llmtest.Request) (out []string) {
	for _, m := range r.Parts()[1:] {
		if m.Role == "system" {
			out = append(out, m.Content)
		}
	}
	return out
}

// TestDecisionsReachTheModel accepts a proposal during a turn and rejects one between two
// turns. The model gets a notice of each one, but not on another branch.
func TestDecisionsReachTheModel(t *testing.T) {
	f := newFixture(t)
	gate := llmtest.NewGate()
	server := f.useModel(
		createFileTurn("c1", "shapes/one.go"),
		llmtest.Turn{Text: []string{"Proposed."}, Hold: gate, Calls: []llmtest.Call{{ID: "l", Name: "list_dir", Arguments: `{}`}}},
		createFileTurn("c2", "shapes/two.go"), // amends the turn's proposal
		llmtest.Turn{Text: []string{"Done."}},
		llmtest.Turn{Text: []string{"I see."}},
		llmtest.Turn{Text: []string{"Nothing new."}},
		llmtest.Turn{Text: []string{"On a branch."}},
	)
	e := f.startIndexed()
	id := newConversation(e)
	staged := func() ploke.Proposal {
		var list ploke.ProposalListResult
		e.Call(ploke.MethodProposalList, ploke.ProposalListParams{Status: "staged"}, &list)
		return list.Proposals[len(list.Proposals)-1]
	}
	sent := sendAsync(e, t.Context(), ploke.ChatSendParams{ConversationID: id, Text: "write"})
	<-gate.Reached()
	first := staged()
	e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: first.ID}, nil)
	gate.Open()
	<-sent
	second := staged()
	e.Call(ploke.MethodProposalReject, ploke.ProposalRejectParams{ID: second.ID, Reason: "two is too many"}, nil)
	e.Send(t.Context(), ploke.ChatSendParams{ConversationID: id, Text: "and now?"})
	e.Send(t.Context(), ploke.ChatSendParams{ConversationID: id, Text: "still?"})
	e.Send(t.Context(), ploke.ChatSendParams{ConversationID: id, ParentID: "root", Text: "elsewhere"})

	requests := server.Requests()
	for i, want := range [][]string{{}, {}, {"verified"}, {"verified"}, {"verified", "two is too many"}, {"verified", "two is too many"}, {}} {
		got := notices(requests[i])
		if len(got) != len(want) {
			t.Errorf("request %d has the notices %q, want %d", i+1, got, len(want))
			continue
		}
		for j := range want {
			if !strings.Contains(got[j], want[j]) {
				t.Errorf("request %d has the notice %q, want %q", i+1, got[j], want[j])
			}
		}
	}
	for i := 1; i < 6; i++ {
		before, after := requests[i-1].Messages, requests[i].Messages
		for j := range before {
			if string(before[j].Raw) != string(after[j].Raw) {
				t.Errorf("message %d of request %d changed:\n%s\n%s", j, i+1, before[j].Raw, after[j].Raw)
			}
		}
	}
}
