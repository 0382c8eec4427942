package lsp_test

import (
	"strings"
	"testing"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
)

// reviewOf reads the review, and checks that each hunk has the text of its range.
func reviewOf(t testing.TB, e *lsptest.Editor, open string) []ploke.ReviewedProposal {
	t.Helper()
	var result ploke.ReviewResult
	e.Call(ploke.MethodReview, nil, &result)
	for _, p := range result.Proposals {
		for _, f := range p.Files {
			for _, h := range f.Hunks {
				if f.URI != fileURI(open) {
					continue
				}
				m := ploke.NewMapper([]byte(e.Text(open)), e.Initialized.Capabilities.PositionEncoding)
				if at := e.Text(open)[m.Offset(h.Range.Start):m.Offset(h.Range.End)]; at != h.OldText {
					t.Errorf("the range of %q has %q, not %q", h.Summary, at, h.OldText)
				}
			}
		}
	}
	return result.Proposals
}

// reviewEvents returns how often the editor was told that the review has changed.
func reviewEvents(e *lsptest.Editor) (n int) {
	for _, event := range e.Events() {
		if event.Type == ploke.PartReview {
			n++
		}
	}
	return n
}

// startDataReview starts an editor that shows the review itself, with circle.go open and the proposal of
// [fixture.startReview].
func (f *fixture) startDataReview(options lsptest.Options) (e *lsptest.Editor, circle, id string) {
	f.t.Helper()
	f.useModel(proposes...)
	e = f.start(options)
	circle = f.path("shapes/circle.go")
	e.Open(circle)
	id = e.Ask("go").Proposals[0]
	e.Await("the review", func() bool { return reviewEvents(e) > 0 })
	return e, circle, id
}

// TestReviewAsData follows a review through typing and decisions. Each answer is about the text that the editor has sent.
func TestReviewAsData(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	e, circle, id := f.startDataReview(lsptest.Options{})
	all := reviewOf(t, e, circle)
	if len(all) != 1 || all[0].ID != id || all[0].Title != "Clearer words" || all[0].Status != ploke.ProposalStaged || len(all[0].Files) != 2 {
		t.Fatalf("the review is %+v", all)
	}
	edited, created := all[0].Files[0], all[0].Files[1]
	if edited.Path != "shapes/circle.go" || edited.Version == nil || *edited.Version != 1 || len(edited.Hunks) != 2 {
		t.Fatalf("circle.go: %+v", edited)
	}
	if h := edited.Hunks[0]; h.OldText != "\tRadius float64\n" || h.NewText != "\tRadius float64 // in meters\n" || h.Conflict ||
		h.Summary != "Radius float64 // in meters" {
		t.Errorf("the first hunk is %+v", h)
	}
	if created.Op != ploke.FileCreate || created.Version != nil || len(created.Hunks) != 1 || created.Hunks[0].OldText != "" ||
		created.Hunks[0].NewText == "" {
		t.Errorf("side.go: %+v", created)
	}

	seen := reviewEvents(e)
	e.Type(circle, 0, 0, "// one\n")
	moved := reviewOf(t, e, circle)[0].Files[0]
	if *moved.Version != 2 || moved.Hunks[0].Range.Start.Line != edited.Hunks[0].Range.Start.Line+1 {
		t.Errorf("right after typing: %+v", moved)
	}
	e.Await("the news of it", func() bool { return reviewEvents(e) > seen })

	e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: id, Hunks: []string{edited.Hunks[0].ID}}, nil)
	left := reviewOf(t, e, circle)[0]
	if files := left.Files; left.Status != ploke.ProposalPartial || len(files) != 2 || files[0].URI != edited.URI ||
		len(files[0].Hunks) != 1 || files[0].Hunks[0].ID != edited.Hunks[1].ID {
		t.Errorf("after a hunk was accepted: %+v", left)
	}
	e.Call(ploke.MethodProposalReject, ploke.ProposalRejectParams{ID: id}, nil)
	if left := reviewOf(t, e, circle); len(left) != 0 {
		t.Errorf("after all is decided: %+v", left)
	}
}

// TestReviewOfAConflict types in the line of a hunk, and asks for the texts to merge.
func TestReviewOfAConflict(t *testing.T) {
	f := newFixture(t)
	e, circle, id := f.startDataReview(lsptest.Options{})
	base := e.Text(circle)
	e.Type(circle, strings.Index(base, "float64\n"), strings.Index(base, "float64\n")+len("float64"), "float32")
	now := e.Text(circle)
	file := reviewOf(t, e, circle)[0].Files[0]
	if h := file.Hunks[0]; !h.Conflict || h.OldText != "\tRadius float32\n" || h.NewText != "\tRadius float64 // in meters\n" {
		t.Errorf("the hunk that does not fit: %+v", h)
	}
	if file.Hunks[1].Conflict {
		t.Errorf("the hunk that fits: %+v", file.Hunks[1])
	}
	var merge ploke.ReviewMergeResult
	e.Call(ploke.MethodReviewMerge, ploke.ReviewMergeParams{ID: id, URI: fileURI(circle)}, &merge)
	squared := func(text string) string { return strings.Replace(text, "func square(", "func squared(", 1) }
	want := ploke.ReviewMergeResult{Base: base, Ours: squared(strings.Replace(base, "float64\n", "float64 // in meters\n", 1)), Theirs: now,
		Merged: squared(now), Version: file.Version}
	if merge.Base != want.Base || merge.Ours != want.Ours || merge.Theirs != want.Theirs || merge.Merged != want.Merged ||
		merge.Version == nil || *merge.Version != *want.Version {
		t.Errorf("the texts are %+v\nwant %+v", merge, want)
	}
	merge = ploke.ReviewMergeResult{}
	e.Call(ploke.MethodReviewMerge, ploke.ReviewMergeParams{ID: id, URI: fileURI(f.path("shapes/side.go"))}, &merge)
	if merge.Base != "" || merge.Theirs != "" || merge.Ours == "" || merge.Merged != merge.Ours || merge.Version != nil {
		t.Errorf("the texts of a new file are %+v", merge)
	}
	if err := e.Error(ploke.MethodReviewMerge,
		ploke.ReviewMergeParams{ID: id, URI: fileURI(f.path("shapes/rect.go"))}); !strings.Contains(err.Message,
		"nothing is left to decide for shapes/rect.go") {
		t.Errorf("the error is %q", err.Message)
	}
}

// TestReviewAsDataIsNotShownTwice: a client that shows the review gets no diagnostics and no lenses of it.
func TestReviewAsDataIsNotShownTwice(t *testing.T) {
	f := newFixture(t)
	e, circle, _ := f.startDataReview(lsptest.Options{})
	if n := countLenses(e, circle); n != 0 {
		t.Errorf("there are %d lenses", n)
	}
	if shown := e.Published(circle); len(shown) > 0 {
		t.Errorf("these diagnostics are shown: %+v", shown)
	}
}
