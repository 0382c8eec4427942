package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"ploke-lsp/lsp/client"
	"ploke-lsp/lsp/document"
)

// A lensProvider returns the lenses of one topic in a document. It must be quick.
type lensProvider func(ctx context.Context, d *document.Parsed) []client.Lens

// lensProviders is the table of every provider.
func (s *service) lensProviders() []lensProvider {
	return []lensProvider{s.review.Lenses, s.review.DiffLenses, s.chats.Lenses}
}

func (s *service) codeLens(ctx context.Context, p *protocol.CodeLensParams) ([]protocol.CodeLens, error) {
	lenses := []protocol.CodeLens{}
	d, err := s.texts.parser.Get(ctx, p.TextDocument.URI)
	if err != nil {
		return lenses, nil // an unreadable file has no lenses
	}
	for _, provide := range s.lensProviders() {
		for _, l := range provide(ctx, d) {
			lenses = append(lenses, l.Encode())
		}
	}
	return lenses, nil
}
