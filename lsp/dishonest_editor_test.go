package lsp_test

import (
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
)

// TestTheTextDecidesNotTheEditorsAnswer accepts a change of two open files in an editor that
// does something else than it answers. Each file gets the state that its text shows, an error
// says so if anything is missing, and the person can go on from there in each way.
func TestTheTextDecidesNotTheEditorsAnswer(t *testing.T) {
	nothing := func(edit *protocol.WorkspaceEdit, applied bool) bool { edit.DocumentChanges = nil; return applied }
	for name, tt := range map[string]struct {
		lie     func(edit *protocol.WorkspaceEdit) bool
		status  string
		failure string // what the error says; "" for none
	}{
		"nothing done, reported as applied": {func(e *protocol.WorkspaceEdit) bool { return nothing(e, true) }, "failed", "is unchanged"},
		"nothing done, reported as refused": {func(e *protocol.WorkspaceEdit) bool { return nothing(e, false) }, "failed", "refused"},
		"half done, reported as applied": {func(e *protocol.WorkspaceEdit) bool {
			e.DocumentChanges = e.DocumentChanges[:1]
			return true
		}, "partial", "is unchanged"},
		"half done, reported as refused": {func(e *protocol.WorkspaceEdit) bool {
			e.DocumentChanges = e.DocumentChanges[:1]
			return false
		}, "partial", "refused"},
		"half of a file done, reported as applied": {func(e *protocol.WorkspaceEdit) bool {
			for _, change := range e.DocumentChanges {
				if c := change.(*protocol.TextDocumentEdit); len(c.Edits) > 1 {
					c.Edits = c.Edits[:1]
					return true
				}
			}
			t.Error("no file has several edits")
			return true
		}, "partial", "only a part"},
		"all done, reported as refused": {func(*protocol.WorkspaceEdit) bool { return false }, "verified", ""},
	} {
		for _, goOn := range []string{ploke.MethodProposalAccept, ploke.MethodProposalReject} {
			t.Run(name+", then "+goOn, func(t *testing.T) {
				t.Parallel() // most of the time the server waits for a text
				lying := true
				f := newFixture(t)
				e := f.start(lsptest.Options{Lie: func(edit *protocol.WorkspaceEdit) bool { return !lying || tt.lie(edit) }})
				e.AwaitIndex()
				circle, rect := f.path("shapes/circle.go"), f.path("shapes/rect.go")
				e.Open(circle)
				e.Open(rect)
				before := e.Text(circle) + e.Text(rect)
				after := strings.ReplaceAll(before, "square(", "squared(")
				id := renameSquare(t, e)
				err := e.Try(t.Context(), ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: id}, nil)
				if (err != nil) != (tt.failure != "") || err != nil && !strings.Contains(err.Error(), tt.failure) {
					t.Errorf("accepted with the error %v, want %q", err, tt.failure)
				}
				var shown ploke.ProposalGetResult
				e.Call(ploke.MethodProposalGet, ploke.ProposalParams{ID: id}, &shown)
				if string(shown.Proposal.Status) != tt.status {
					t.Fatalf("it is %s, want %s", shown.Proposal.Status, tt.status)
				}
				lying = false
				if tt.status != "verified" {
					e.Call(goOn, ploke.ProposalParams{ID: id}, nil)
				}
				if got := e.Text(circle) + e.Text(rect); goOn == ploke.MethodProposalAccept && got != after {
					t.Errorf("accepted again, the texts are\n%s", got)
				}
				if goOn == ploke.MethodProposalReject && tt.status == "failed" {
					return // nothing was done, and nothing is left
				}
				e.Call(ploke.MethodProposalUndo, ploke.ProposalParams{ID: id}, nil)
				if got := e.Text(circle) + e.Text(rect); got != before {
					t.Errorf("undone, the texts are\n%s", got)
				}
			})
		}
	}
}

// TestAnUndoThatTheEditorOnlyReports undoes in an editor that does nothing and says that it did.
// The change stays in the files and in the proposal, and can be undone.
func TestAnUndoThatTheEditorOnlyReports(t *testing.T) {
	t.Parallel()
	lying := false
	f := newFixture(t)
	e := f.start(lsptest.Options{Lie: func(edit *protocol.WorkspaceEdit) bool {
		if lying {
			edit.DocumentChanges = nil
		}
		return true
	}})
	e.AwaitIndex()
	circle := f.path("shapes/circle.go")
	e.Open(circle)
	before, id := e.Text(circle), renameSquare(t, e)
	for _, step := range []struct{ method, status string }{
		{ploke.MethodProposalAccept, "verified"}, {ploke.MethodProposalUndo, "undone"}, {ploke.MethodProposalRedo, "verified"}, {ploke.MethodProposalUndo, "undone"},
	} {
		if step.method != ploke.MethodProposalAccept {
			lying = true
			if err := e.Error(step.method, ploke.ProposalParams{ID: id}); !strings.Contains(err.Message, "is unchanged") {
				t.Errorf("%s: %s", step.method, err.Message)
			}
			lying = false
		}
		var decision ploke.ProposalDecision
		e.Call(step.method, ploke.ProposalParams{ID: id}, &decision)
		if string(decision.Status) != step.status || (e.Text(circle) == before) != (step.status == "undone") {
			t.Errorf("%s: %s\n%s", step.method, decision.Status, e.Text(circle))
		}
	}
}
