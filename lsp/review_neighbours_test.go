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
	e.Call(ploke.MethodProposalRedo, ploke.ProposalParams{ID: id}, nil)
	expect("redone", loud("beta"), "ALPHA", "GAMMA")
	e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: id, Hunks: []string{hunks[0].ID}}, nil)
	expect("a neighbour is accepted", loud("alpha", "beta"), "GAMMA")
	e.Call(ploke.MethodProposalUndo, ploke.ProposalParams{ID: id}, nil)
	expect("all undone", letters, "GAMMA")
	e.Call(ploke.MethodProposalReject, ploke.ProposalRejectParams{ID: id}, nil)
	if status := proposalOf(e, id).Proposal.Status; status != ploke.ProposalUndone {
		t.Errorf("with the rest rejected, it is %s", status)
	}
}

// byHand replaces a text once, as the editor's own undo does.
func byHand(e *lsptest.Editor, path, old, new string) {
	at := strings.Index(e.Text(path), old)
	e.Type(path, at, at+len(old), new)
}

// TestTheEditorsOwnUndo takes an accepted hunk back by hand, and makes it again: what the review and the proposal say is what
// the text has.
func TestTheEditorsOwnUndo(t *testing.T) {
	f := newFixture(t)
	e, path, id := f.startLetters(lsptest.Options{})
	beta := reviewOf(t, e, path)[0].Files[0].Hunks[1].ID
	state := func() (state ploke.ProposalStatus) {
		for _, v := range proposalOf(e, id).Files {
			for _, h := range v.Hunks {
				if h.ID == beta {
					state = h.State
				}
			}
		}
		return state
	}
	e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: id, Hunks: []string{beta}}, nil)
	for range 2 {
		byHand(e, path, "BETA", "beta")
		if got := waiting(t, e, path); !slices.Equal(got, []string{"ALPHA", "GAMMA"}) || state() != ploke.ProposalUndone {
			t.Fatalf("taken back by hand, it is %s, and %q waits", state(), got)
		}
		byHand(e, path, "beta", "BETA")
		if got := waiting(t, e, path); !slices.Equal(got, []string{"ALPHA", "GAMMA"}) || state() != ploke.ProposalVerified {
			t.Fatalf("made again by hand, it is %s, and %q waits", state(), got)
		}
	}
	e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: id}, nil)
	byHand(e, path, "ALPHA", "alpha")
	byHand(e, path, "GAMMA", "gamma")
	e.Await("the news of the state", func() bool {
		return slices.ContainsFunc(e.Events(), func(event ploke.Event) bool { return event.ID == id && event.Status == "partial" })
	})
	if got := waiting(t, e, path); len(got) > 0 {
		t.Errorf("nothing waits any more, but %q does", got)
	}
}

// TestTheEditorsOwnUndoBeforeTheServerLooks takes an accepted hunk back at once, in an editor
// without an extension, and makes it again later.
func TestTheEditorsOwnUndoBeforeTheServerLooks(t *testing.T) {
	f := newFixture(t)
	e, circle := f.startReview(lsptest.Options{})
	run(t, e, circle, "func square(", "ploke: accept this hunk")
	awaitMade(t, e, circle, "squared(")
	byHand(e, circle, "func squared(", "func square(")
	awaitSettled(t, e)
	undo := `ploke: undo "Clearer words"`
	for range 5 {
		byHand(e, circle, "func square(", "func squared(")
		if all := titles(t, e, circle, "package"); !slices.Contains(all, undo) {
			t.Fatalf("right after the editor's redo, %q is not among %q", undo, all)
		}
		byHand(e, circle, "func squared(", "func square(")
		if slices.Contains(titles(t, e, circle, "package"), undo) {
			t.Fatal("right after the editor's undo, the server offers to undo")
		}
	}
}
