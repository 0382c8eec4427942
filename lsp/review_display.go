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
		case !s.client.showsProposals():
			s.showReview(ctx, diagnostics, news)
		case news.changed:
			s.client.notify(ploke.MethodEvent, &ploke.Event{Part: ploke.Part{Type: ploke.PartReview}})
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
		s.client.seen.look(w.ID, w.Version())
	}
	for _, p := range applied {
		s.client.seen.announce(p.ID, p.Version())
	}
}

// showsProposals reports whether the client shows proposals by itself, as our own extensions do.
func (c *client) showsProposals() bool { return c.ploke.Has(ploke.MethodEvent) }

// refreshLenses has the client request the lenses again, if it can. Nobody waits for it.
func (s *Server) refreshLenses(ctx context.Context) {
	if s.client.refreshesLenses {
		s.background.Go(func() { _ = protocol.Call(ctx, s.client.conn, protocol.MethodWorkspaceCodeLensRefresh, nil, nil) })
	}
}
