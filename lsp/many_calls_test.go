package lsp_test

import (
	"fmt"
	"slices"
	"testing"

	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// creating returns a response with calls that create one file each.
func creating(calls int) (turn llmtest.Turn) {
	for i := range calls {
		turn.Calls = append(turn.Calls,
			llmtest.Call{ID: fmt.Sprint("c", i), Name: "create_file", Arguments: fmt.Sprintf(`{"file":"new/%d.txt","content":"new"}`, i)})
	}
	return turn
}

// TestManyEditsOfAResponseAllArrive has a model create many files in one response. The calls are
// staged together; each file has to be in the turn's one proposal, which the client sees grow.
func TestManyEditsOfAResponseAllArrive(t *testing.T) {
	t.Parallel()
	const calls = 256
	f := newFixture(t)
	f.useModel(creating(calls), llmtest.Turn{Text: []string{"Done."}})
	e := f.startIndexed()
	result := e.Ask("create them")
	files := 0
	for _, part := range e.Parts() {
		if part.Type != ploke.PartProposal {
			continue
		}
		if len(part.Files) <= files || part.ID != result.Proposals[0] {
			t.Errorf("proposal %s has %d files after %d", part.ID, len(part.Files), files)
		}
		files = len(part.Files)
	}
	if files != calls || len(result.Proposals) != 1 {
		t.Errorf("the last version that was shown has %d files, and the turn has %d proposals; want %d and 1", files,
			len(result.Proposals), calls)
	}
	var got ploke.ProposalGetResult
	e.Call(ploke.MethodProposalGet, ploke.ProposalParams{ID: result.Proposals[0]}, &got)
	named := func(i int) bool {
		return slices.ContainsFunc(got.Proposal.Files, func(file ploke.ProposalFile) bool { return file.Path == fmt.Sprintf("new/%d.txt", i) })
	}
	for i := range calls {
		if !named(i) {
			t.Errorf("the proposal lacks the file of call %d", i)
		}
	}
}
