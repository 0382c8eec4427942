package lsp_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

const letters = "one\nalpha\nbeta\ngamma\nfive\nsix\nseven\n"

// startLetters starts an editor with letters.txt open, and a proposal that writes three adjacent lines of it in upper case.
func (f *fixture) startLetters(options lsptest.Options) (e *lsptest.Editor, path, id string) {
	f.t.Helper()
	path = f.path("letters.txt")
	if err := os.WriteFile(path, []byte(letters), 0o600); err != nil {
		f.t.Fatal(err)
	}
	var changes []string
	for _, word := range []string{"alpha", "beta", "gamma"} {
		changes = append(changes, fmt.Sprintf(`{"file":"letters.txt","old":%q,"new":%q}`, word, strings.ToUpper(word)))
	}
	f.useModel(llmtest.Turn{Calls: []llmtest.Call{{ID: "1", Name: "apply_code_edit", Arguments: `{"reason":"Loud letters","edits":[` + strings.Join(changes, ",") + `]}`}}},
		llmtest.Turn{Text: []string{"Done."}})
	e = f.start(options)
	e.Open(path)
	id = e.Ask("go").Proposals[0]
	e.Await("the review", func() bool { return reviewEvents(e) > 0 })
	return e, path, id
}

// waiting returns the new texts of the hunks that wait in a file, with a mark at those that do not fit.
func waiting(t testing.TB, e *lsptest.Editor, path string) (words []string) {
	t.Helper()
	for _, p := range reviewOf(t, e, path) {
		for _, f := range p.Files {
			for _, h := range f.Hunks {
				word := strings.TrimSpace(h.NewText)
				if h.Conflict {
					word += "!"
				}
				words = append(words, word)
			}
		}
	}
	return words
}

// TestAnUndoneHunkLeavesItsNeighbours accepts and takes back a hunk between two others.
func TestAnUndoneHunkLeavesItsNeighbours(t *testing.T) {
	f := newFixture(t)
	e, path, id := f.startLetters(lsptest.Options{})
	hunks := reviewOf(t, e, path)[0].Files[0].Hunks
	expect := func(what, text string, want ...string) {
		t.Helper()
		e.Await(what, func() bool { return e.Text(path) == text })
		if got := waiting(t, e, path); !slices.Equal(got, want) {
			t.Errorf("%s: %q waits, want %q", what, got, want)
		}
	}
	loud := func(words ...string) (text string) {
		text = letters
		for _, word := range words {
			text = strings.Replace(text, word, strings.ToUpper(word), 1)
		}
		return text
	}
	e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: id, Hunks: []string{hunks[1].ID}}, nil)
	expect("accepted", loud("beta"), "ALPHA", "GAMMA")
	e.Call(ploke.MethodProposalUndo, ploke.ProposalParams{ID: id}, nil)
	expect("undone", letters, "ALPHA", "GAMMA")
	e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: id, Hunks: []string{hunks[0].ID}}, nil)
	expect("a neighbour is accepted", loud("alpha"), "GAMMA")
	e.Call(ploke.MethodProposalRedo, ploke.ProposalParams{ID: id}, nil)
	expect("redone", loud("alpha", "beta"), "GAMMA")
	e.Call(ploke.MethodProposalUndo, ploke.ProposalParams{ID: id}, nil)
	expect("all undone", letters, "GAMMA")
	e.Call(ploke.MethodProposalReject, ploke.ProposalRejectParams{ID: id}, nil)
	if status := proposalOf(e, id).Proposal.Status; status != ploke.ProposalUndone {
		t.Errorf("with the rest rejected, it is %s", status)
	}
}
