package review

import (
	"context"

	"go.lsp.dev/protocol"

	"ploke-lsp/edits"
	ploke "ploke-lsp/lsp/protocol"
)

// Run keeps the review up to date, and shows it, until ctx ends.
func (r *Review) Run(ctx context.Context) {
	diagnostics := &hunkDiagnostics{documents: r.Documents, client: r.Client, published: r.Published,
		created: createdFiles{diffs: r.diffs}}
	r.queue.run(ctx, r.Project, func(news queueNews) {
		r.diffs.agree(ctx)
		switch {
		case !r.Client.ShowsProposals():
			r.show(ctx, diagnostics, news)
		case news.changed:
			r.Client.Notify(ploke.MethodEvent, &ploke.Event{Part: ploke.Part{Type: ploke.PartReview}})
		}
	})
}

// show shows the review in plain LSP.
func (r *Review) show(ctx context.Context, diagnostics *hunkDiagnostics, news queueNews) {
	if news.changed {
		r.refreshLenses(ctx)
	}
	waiting, applied := r.queue.now()
	diagnostics.show(ctx, waiting)
	r.noteShown(waiting, applied)
	for _, id := range news.made {
		if p, err := r.Project.Edits.Proposals.Get(ctx, id); err == nil {
			r.tellDecided(ctx, r.Project, "accept", p)
		}
	}
	for _, w := range news.ready {
		r.announceReady(w)
	}
}

// noteShown notes which versions the client shows.
func (r *Review) noteShown(waiting []*inReview, applied []*edits.Proposal) {
	for _, w := range waiting {
		r.Client.Shown.ChangesShown(w.ID, w.Version())
	}
	for _, p := range applied {
		r.Client.Shown.Announced(p.ID, p.Version())
	}
}

// refreshLenses has the client request the lenses again, if it can. Nobody waits for it.
func (r *Review) refreshLenses(ctx context.Context) {
	if r.Client.RefreshesLenses {
		r.Background.Go(func() { _ = r.Client.Call(ctx, protocol.MethodWorkspaceCodeLensRefresh, nil, nil) })
	}
}
