package review

import (
	"fmt"

	"go.lsp.dev/protocol"

	ploke "ploke-lsp/lsp/protocol"
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
	text := fmt.Sprintf("ploke: %s waits for you (%s)", quotedTitle(w.Proposal), w.extent())
	if r.Client.CalmQuestions && r.Client.ShowsMessageRequests {
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
	r.Client.ShowMessage(protocol.MessageTypeInfo, "%s: code actions in %s", text, where)
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
