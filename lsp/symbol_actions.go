package lsp

import (
	"context"

	ploke "ploke-lsp/lsp/protocol"
)

// symbolActions are the actions on the symbol around the cursor.
func (s *Server) symbolActions(_ context.Context, p *place) []action {
	symbol, ok := p.symbolAt(p.start)
	if !ok {
		return nil
	}
	argument := ploke.SymbolParams{URI: p.uri, Range: p.selection}
	return []action{
		{title: "ploke: explain " + symbol.Name, kind: kindRewrite, command: ploke.CommandExplain, argument: argument},
		{title: "ploke: document " + symbol.Name, kind: kindRewrite, command: ploke.CommandDocument, argument: argument},
	}
}
