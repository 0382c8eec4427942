package lsp_test

import (
	"strings"
	"testing"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
)

// editOver saves what a person has made of the right side of a diff, and returns the texts of both sides from then on.
func editOver(e *lsptest.Editor, id, path, over, after string) (sides ploke.ReviewMergeResult) {
	e.Call(ploke.MethodProposalEdit, ploke.ProposalEditParams{ID: id, File: fileURI(path), Over: &over, After: after}, nil)
	e.Call(ploke.MethodReviewMerge, ploke.ReviewMergeParams{ID: id, URI: fileURI(path)}, &sides)
	return sides
}

// TestEditOverTheTextAsItIs edits the right side of a diff whose left side is the file as it is now. What was typed in the file
// meanwhile is neither lost nor proposed.
func TestEditOverTheTextAsItIs(t *testing.T) {
	f := newFixture(t)
	e, circle, id := f.startDataReview(lsptest.Options{})
	e.Type(circle, 0, 0, "// one\n")
	var diff ploke.ReviewMergeResult
	e.Call(ploke.MethodReviewMerge, ploke.ReviewMergeParams{ID: id, URI: fileURI(circle)}, &diff)
	e.Type(circle, 0, 0, "// two\n")
	now := e.Text(circle)

	mine := func(text string) string { return strings.Replace(text, "// in meters", "// in feet", 1) }
	sides := editOver(e, id, circle, diff.Theirs, mine(diff.Merged))
	if want := "// two\n" + mine(diff.Merged); sides.Theirs != now || sides.Merged != want {
		t.Errorf("the sides are\n%s\nand\n%s\nwant\n%s", sides.Theirs, sides.Merged, want)
	}
	if hunks := reviewOf(t, e, circle)[0].Files[0].Hunks; len(hunks) != 2 || hunks[0].NewText != "\tRadius float64 // in feet\n" {
		t.Errorf("the hunks are %+v", hunks)
	}
	e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: id}, nil)
	if got := e.Text(circle); got != sides.Merged {
		t.Errorf("accepted:\n%s\nwant\n%s", got, sides.Merged)
	}
}

// TestEditOverAConflict saves the result of a merge. The hunk keeps its id and fits from then on.
func TestEditOverAConflict(t *testing.T) {
	f := newFixture(t)
	e, circle, id := f.startDataReview(lsptest.Options{})
	base := e.Text(circle)
	at := strings.Index(base, "float64\n")
	e.Type(circle, at, at+len("float64"), "float32")
	before := reviewOf(t, e, circle)[0].Files[0].Hunks
	if !before[0].Conflict {
		t.Fatalf("the hunks are %+v", before)
	}
	var merge ploke.ReviewMergeResult
	e.Call(ploke.MethodReviewMerge, ploke.ReviewMergeParams{ID: id, URI: fileURI(circle)}, &merge)
	result := strings.Replace(merge.Merged, "float32\n", "float32 // in meters\n", 1)
	editOver(e, id, circle, merge.Theirs, result)
	after := reviewOf(t, e, circle)[0].Files[0].Hunks
	if len(after) != 2 || after[0].Conflict || after[0].ID != before[0].ID || after[0].NewText != "\tRadius float32 // in meters\n" {
		t.Errorf("the hunks are %+v, and were %+v", after, before)
	}
	e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: id, Hunks: []string{after[0].ID, after[1].ID}}, nil)
	if got := e.Text(circle); got != result {
		t.Errorf("accepted:\n%s\nwant\n%s", got, result)
	}
	e.Call(ploke.MethodProposalUndo, ploke.ProposalParams{ID: id}, nil)
	if got := e.Text(circle); got != merge.Theirs {
		t.Errorf("undone:\n%s\nwant\n%s", got, merge.Theirs)
	}
}

// TestEditOverAFileThatExistsNow merges a new file with one that somebody else has created.
func TestEditOverAFileThatExistsNow(t *testing.T) {
	f := newFixture(t)
	e, circle, id := f.startDataReview(lsptest.Options{})
	side := f.path("shapes/side.go")
	e.OpenText(side, "package shapes // mine\n")
	e.Await("the conflict", func() bool {
		files := reviewOf(t, e, circle)[0].Files
		return files[len(files)-1].Reason != ""
	})
	var merge ploke.ReviewMergeResult
	e.Call(ploke.MethodReviewMerge, ploke.ReviewMergeParams{ID: id, URI: fileURI(side)}, &merge)
	editOver(e, id, side, merge.Theirs, merge.Theirs+"\nconst theirs = 1\n")
	files := reviewOf(t, e, circle)[0].Files
	if last := files[len(files)-1]; last.Op != ploke.FileEdit || last.Reason != "" || len(last.Hunks) != 1 {
		t.Errorf("the file is %+v", last)
	}
	e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: id}, nil)
	if got, want := e.Text(side), "package shapes // mine\n\nconst theirs = 1\n"; got != want {
		t.Errorf("accepted: %q, want %q", got, want)
	}
}

// TestSizesOfAProposal counts the lines of each file.
func TestSizesOfAProposal(t *testing.T) {
	f := newFixture(t)
	e, _, id := f.startDataReview(lsptest.Options{})
	var sizes []int
	for _, v := range proposalOf(e, id).Files {
		sizes = append(sizes, v.Added, v.Removed)
	}
	if len(sizes) != 4 || sizes[0] != 2 || sizes[1] != 2 || sizes[2] != strings.Count(proposalOf(e, id).Files[1].After, "\n") ||
		sizes[3] != 0 {
		t.Errorf("the sizes are %d", sizes)
	}
}
