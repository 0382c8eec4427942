package lsp_test

import (
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
)

// TestEditorThatAnswersLate uses an editor that replies to workspace/applyEdit after the
// timeout. The person can decide again meanwhile, and the late result still counts.
func TestEditorThatAnswersLate(t *testing.T) {
	accept := func(e *lsptest.Editor, id string) {
		e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: id}, nil)
	}
	for name, tt := range map[string]struct {
		meanwhile func(e *lsptest.Editor, id string)
		drops     bool   // the editor does not apply the edit
		then      string // the status before the reply
		status    string // the status after the reply
	}{
		"applied":           {nil, false, "failed", "verified"},
		"refused":           {nil, true, "failed", "failed"},
		"accepted again":    {accept, true, "verified", "verified"},
		"rejected":          {reject, true, "rejected", "rejected"},
		"rejected, applied": {reject, false, "rejected", "verified"},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				f := newFixture(t)
				gate := make(chan struct{})
				var first atomic.Bool
				first.Store(true)
				e := f.start(lsptest.Options{OnApplyEdit: func(apply func()) {
					held := first.Swap(false)
					if held {
						<-gate
					}
					if !held || !tt.drops {
						apply()
					}
				}})
				e.AwaitIndex()
				circle := f.path("shapes/circle.go")
				e.Open(circle)
				id := renameSquare(t, e)
				if err := e.Error(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: id}); !strings.Contains(err.Message,
					"has not answered for 30s") {
					t.Errorf("the error is %q", err.Message)
				}
				if tt.meanwhile != nil {
					tt.meanwhile(e, id)
				}
				if got := statusOf(e, id); got != tt.then {
					t.Errorf("before the reply the proposal is %s, want %s", got, tt.then)
				}
				close(gate)
				waitIdle()
				if got := statusOf(e, id); got != tt.status {
					t.Errorf("after the reply the proposal is %s, want %s", got, tt.status)
				}
				if changed := e.Text(circle) != read(t, circle); changed != (tt.status == "verified") {
					t.Errorf("the proposal is %s, and the text is\n%s", tt.status, e.Text(circle))
				}
				if tt.status != "verified" {
					return
				}
				e.Call(ploke.MethodProposalUndo, ploke.ProposalParams{ID: id}, nil)
				if e.Text(circle) != read(t, circle) || statusOf(e, id) != "undone" {
					t.Errorf("after undo the text is\n%s", e.Text(circle))
				}
			})
		})
	}
}

// TestEditorThatAppliesAndDoesNotAnswer checks that the changed text counts, not the reply.
func TestEditorThatAppliesAndDoesNotAnswer(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFixture(t)
		gate := make(chan struct{})
		e := f.start(lsptest.Options{OnApplyEdit: func(apply func()) { apply(); <-gate }})
		e.AwaitIndex()
		id := renameSquare(t, e)
		e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: id}, nil)
		if got := statusOf(e, id); got != "verified" {
			t.Errorf("the proposal is %s, want verified", got)
		}
		close(gate)
	})
}

// TestEditorThatUndoesLate undoes and redoes a proposal in an editor that replies late.
func TestEditorThatUndoesLate(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFixture(t)
		gate := make(chan struct{})
		close(gate)
		e := f.start(lsptest.Options{OnApplyEdit: func(apply func()) { <-gate; apply() }})
		e.AwaitIndex()
		id := renameSquare(t, e)
		e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: id}, nil)
		for _, step := range []struct{ method, before, after string }{
			{ploke.MethodProposalUndo, "verified", "undone"},
			{ploke.MethodProposalRedo, "undone", "verified"},
		} {
			gate = make(chan struct{})
			e.Error(step.method, ploke.ProposalParams{ID: id})
			if got := statusOf(e, id); got != step.before {
				t.Errorf("before the reply the proposal is %s, want %s", got, step.before)
			}
			close(gate)
			waitIdle()
			if got := statusOf(e, id); got != step.after {
				t.Errorf("after the reply the proposal is %s, want %s", got, step.after)
			}
		}
	})
}

func reject(e *lsptest.Editor, id string) {
	e.Call(ploke.MethodProposalReject, ploke.ProposalRejectParams{ID: id}, nil)
}

func statusOf(e *lsptest.Editor, id string) string {
	var got ploke.ProposalGetResult
	e.Call(ploke.MethodProposalGet, ploke.ProposalParams{ID: id}, &got)
	return string(got.Proposal.Status)
}

// TestAFileInAnotherCharsetIsNotChangedThroughTheEditor accepts a change of a file in ISO-8859-1.
// Like many editors, this one takes every file for UTF-8.
func TestAFileInAnotherCharsetIsNotChangedThroughTheEditor(t *testing.T) {
	f := newFixture(t)
	circle := f.path("shapes/circle.go")
	ascii := strings.Map(func(r rune) rune { return min(r, '~') }, read(t, circle))
	latin := ascii + "\n// caf\xe9\n"
	if err := os.WriteFile(circle, []byte(latin), 0o600); err != nil {
		t.Fatal(err)
	}
	e := f.start(lsptest.Options{})
	e.AwaitIndex()
	id := renameSquare(t, e)
	e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: id}, nil)
	if got := read(t, circle); statusOf(e, id) != "verified" || got == latin || !strings.HasSuffix(got, "// caf\xe9\n") {
		t.Errorf("the proposal is %s, and the file has %q", statusOf(e, id), got)
	}
	e.Call(ploke.MethodProposalUndo, ploke.ProposalParams{ID: id}, nil)
	if got := read(t, circle); got != latin {
		t.Errorf("undone: %q", got)
	}
}
