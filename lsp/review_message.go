package lsp

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
func (s *Server) announceReady(w *inReview) {
	text := fmt.Sprintf("ploke: %s waits for you (%s)", quotedTitle(w.Proposal), w.extent())
	if s.client.CalmQuestions && s.client.ShowsMessageRequests {
		s.background.Go(func() { s.askAbout(w, text) })
		return
	}
	where := "any file"
	for _, f := range w.files {
		if f.File != nil {
			where = s.project.Workspace.Rel(f.Path)
			break
		}
	}
	s.client.ShowMessage(protocol.MessageTypeInfo, "%s: code actions in %s", text, where)
}

// askAbout lets the person decide in the message.
func (s *Server) askAbout(w *inReview, text string) {
	ctx := s.background.Context()
	answer, err := s.client.Ask(ctx, text, readyAnswers)
	if err != nil {
		return // the diagnostics and actions are there
	}
	switch answer {
	case answerAccept:
		s.acceptCommand(ctx, &ploke.ProposalAcceptParams{ID: w.ID, Version: string(w.Version())})
	case answerReject:
		s.rejectCommand(ctx, &ploke.ProposalRejectParams{ID: w.ID, Version: string(w.Version())}, "")
	case answerShow:
		s.showProposalCommand(ctx, &ploke.ProposalParams{ID: w.ID})
	}
}
