package lsp

import (
	"context"

	"go.lsp.dev/protocol"
)

// A lens is a command that the client shows above a line.
type lens struct {
	at       protocol.Range // within one line
	title    string
	command  string // one of [ploke.Commands]
	argument any
}

// A lensProvider returns the lenses of one topic in a document. It must be quick.
type lensProvider func(ctx context.Context, d *parsedDocument) []lens

// lensProviders is the table of every provider.
func (s *Server) lensProviders() []lensProvider {
	return []lensProvider{s.reviewLenses, s.proposalLenses, s.chatLenses}
}

func (s *Server) codeLens(ctx context.Context, p *protocol.CodeLensParams) ([]protocol.CodeLens, error) {
	lenses := []protocol.CodeLens{}
	d, err := s.parsedDocument(ctx, p.TextDocument.URI)
	if err != nil {
		return lenses, nil // an unreadable file has no lenses
	}
	for _, provide := range s.lensProviders() {
		for _, l := range provide(ctx, d) {
			lenses = append(lenses, protocol.CodeLens{Range: l.at, Command: protocol.Command{
				Title: l.title, Command: l.command, Arguments: []protocol.LSPAny{mustMarshal(l.argument)},
			}})
		}
	}
	return lenses, nil
}
