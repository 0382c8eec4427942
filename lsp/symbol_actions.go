package lsp

import (
	"cmp"
	"context"
	"path/filepath"

	"ploke-lsp/lsp/client"
	"ploke-lsp/lsp/document"
	ploke "ploke-lsp/lsp/protocol"
)

// symbolActions are the actions on the declaration around the cursor.
func (s *Server) symbolActions(_ context.Context, p *document.Place) []client.Action {
	symbol, ok := p.MenuOutline().SymbolAt(p.Start)
	if !ok || !s.isWork(p.URI) {
		return nil
	}
	argument := ploke.SymbolParams{URI: p.URI, Range: p.Selection}
	return []client.Action{
		{Title: "ploke: explain " + symbol.Name, Kind: client.KindRewrite, Command: ploke.CommandExplain, Argument: argument},
		{Title: "ploke: document " + symbol.Name, Kind: client.KindRewrite, Command: ploke.CommandDocument, Argument: argument, Disabled: s.missingModel("documenting")},
		{Title: "ploke: write tests for " + symbol.Name, Kind: client.KindRewrite, Command: ploke.CommandTests, Argument: argument, Disabled: s.missingModel("writing tests")},
	}
}

// fileActions are the actions on the whole file.
func (s *Server) fileActions(_ context.Context, p *document.Place) []client.Action {
	if len(p.MenuOutline().Outline) == 0 || !s.isWork(p.URI) {
		return nil
	}
	name, argument := filepath.Base(p.Path), ploke.SymbolParams{URI: p.URI, Range: p.Selection, WholeFile: true}
	return []client.Action{
		{Title: "ploke: explain " + name, Kind: client.KindSource, Command: ploke.CommandExplain, Argument: argument},
		{Title: "ploke: write tests for " + name, Kind: client.KindSource, Command: ploke.CommandTests, Argument: argument, Disabled: s.missingModel("writing tests")},
	}
}

// missingModel says in one line what work needs that only a language model can do, and how to
// set it; "" if there is a model.
func (s *Server) missingModel(work string) string {
	if model := cmp.Or(s.turns.Model(), s.configuration.settings.Now().Model); model != "" && model != "embedded" {
		return ""
	}
	return work + ` needs a language model: set "model" and its provider in the settings of ploke, or PLOKE_MODEL`
}
