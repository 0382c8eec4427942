package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	ploke "ploke-lsp/lsp/protocol"
)

// runReview keeps the review up to date, and shows it, until ctx ends.
func (s *Server) runReview(ctx context.Context) {
	diagnostics := &reviewDiagnostics{documents: s.documents, client: s.client, published: s.published}
	before := 0
	s.review.run(ctx, s.project, func(ready []*inReview) {
		s.agree(ctx)
		waiting, _ := s.review.now()
		if before+len(waiting) > 0 {
			s.refreshLenses(ctx)
		}
		before = len(waiting)
		if s.client.showsProposals() {
			return
		}
		diagnostics.show(waiting)
		for _, w := range ready {
			s.announceReady(w)
		}
	})
}

// showsProposals reports whether the client shows proposals by itself, as our own extensions do.
func (c *client) showsProposals() bool { return c.ploke.Has(ploke.MethodEvent) }

// refreshLenses has the client request the lenses again, if it can. Nobody waits for it.
func (s *Server) refreshLenses(ctx context.Context) {
	if s.client.refreshesLenses {
		s.background.Go(func() { _ = protocol.Call(ctx, s.client.conn, protocol.MethodWorkspaceCodeLensRefresh, nil, nil) })
	}
}
