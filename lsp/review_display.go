package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"ploke-lsp/edits"
	ploke "ploke-lsp/lsp/protocol"
)

// runReview keeps the review up to date, and shows it, until ctx ends.
func (s *Server) runReview(ctx context.Context) {
	diagnostics := &reviewDiagnostics{documents: s.documents, client: s.client, published: s.published}
	s.review.run(ctx, s.project, func(news reviewNews) {
		s.agree(ctx)
		switch {
		case !s.client.ShowsProposals():
			s.showReview(ctx, diagnostics, news)
		case news.changed:
			s.client.Notify(ploke.MethodEvent, &ploke.Event{Part: ploke.Part{Type: ploke.PartReview}})
		}
	})
}

// showReview shows the review in plain LSP.
func (s *Server) showReview(ctx context.Context, diagnostics *reviewDiagnostics, news reviewNews) {
	if news.changed {
		s.refreshLenses(ctx)
	}
	waiting, applied := s.review.now()
	diagnostics.show(waiting)
	s.noteShown(waiting, applied)
	for _, w := range news.ready {
		s.announceReady(w)
	}
}

// noteShown notes which versions the client shows.
func (s *Server) noteShown(waiting []*inReview, applied []*edits.Proposal) {
	for _, w := range waiting {
		s.client.Shown.ChangesShown(w.ID, w.Version())
	}
	for _, p := range applied {
		s.client.Shown.Announced(p.ID, p.Version())
	}
}

// refreshLenses has the client request the lenses again, if it can. Nobody waits for it.
func (s *Server) refreshLenses(ctx context.Context) {
	if s.client.RefreshesLenses {
		s.background.Go(func() { _ = s.client.Call(ctx, protocol.MethodWorkspaceCodeLensRefresh, nil, nil) })
	}
}
