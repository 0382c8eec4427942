package review

import (
	"context"
	"fmt"

	"go.lsp.dev/protocol"

	"ploke-lsp/edits"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/project"
)

// The answers to the message about a proposal that is ready.
const (
	answerAccept = iota
	answerShow
	answerReject
)

var readyAnswers = []string{"Accept", "Show the diff", "Reject"}

// announceReady says that a proposal waits, and how to review it. Where a question disturbs
// nobody, the person can answer at once.
func (r *Review) announceReady(w *inReview) {
	if r.Client.CalmQuestions && r.Client.ShowsMessageRequests {
		text := fmt.Sprintf("ploke: %s waits for you (%s)", quotedTitle(w.Proposal), w.extent())
		r.Background.Go(func() { r.askAbout(w, text) })
		return
	}
	where := "any file"
	for _, f := range w.files {
		if f.File != nil {
			where = r.Project.Workspace.Rel(f.Path)
			break
		}
	}
	r.Client.ShowMessage(protocol.MessageTypeInfo, "ploke: a proposal waits (%s): code actions in %s: %s",
		w.extent(), where, quotedTitle(w.Proposal)) // the title last, for clients show what fits one line
}

// pastOf has the words for what was done.
var pastOf = map[string]string{"accept": "accepted", "reject": "rejected", "undo": "undone", "redo": "applied again"}

// tellDecided says in one line what was done, and what still waits of the proposal.
func (r *Review) tellDecided(ctx context.Context, p *project.Project, verb string, decided *edits.Proposal) {
	if r.Client.ShowsProposals() {
		return
	}
	left := ""
	if w, err := placed(ctx, p, decided); err == nil && w.hunks() > 0 {
		left = " (still waiting: " + w.extent() + ")"
	}
	r.Client.ShowMessage(protocol.MessageTypeInfo, "ploke: %s%s: %s", pastOf[verb], left, quotedTitle(decided))
}

// askAbout lets the person decide in the message.
func (r *Review) askAbout(w *inReview, text string) {
	ctx := r.Background.Context()
	answer, err := r.Client.Ask(ctx, text, readyAnswers)
	if err != nil {
		return // the diagnostics and actions are there
	}
	switch answer {
	case answerAccept:
		r.AcceptCommand(ctx, &ploke.ProposalAcceptParams{ID: w.ID, Version: string(w.Version())})
	case answerReject:
		r.RejectCommand(ctx, &ploke.ProposalRejectParams{ID: w.ID, Version: string(w.Version())}, "")
	case answerShow:
		r.ShowCommand(ctx, &ploke.ProposalParams{ID: w.ID})
	}
}
