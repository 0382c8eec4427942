package lsp

import (
	"cmp"
	"context"
	"path/filepath"

	"ploke-lsp/lsp/chat"
	"ploke-lsp/lsp/client"
	"ploke-lsp/lsp/document"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/project"
)

// codeActions are the actions on code and the commands that they run: each starts a turn about a place in a file.
type codeActions struct {
	project     *project.Project
	client      *client.Client
	background  *client.Background
	settings    *project.Settings
	parser      *document.Parser
	views       *document.Views
	editorState *editorState
	offered     *offeredChoices
	turns       *chat.Turns
	chats       *chat.Documents
}

// symbolActions are the actions on the declaration around the cursor.
func (a *codeActions) symbolActions(_ context.Context, p *document.Place) []client.Action {
	symbol, ok := p.MenuSymbolAt(p.Start)
	if !ok || !isWork(a.views, p.URI) {
		return nil
	}
	argument := ploke.SymbolParams{URI: p.URI, Range: p.Selection}
	return []client.Action{
		{Title: "ploke: explain " + symbol.Name, Kind: client.KindAsk, Command: ploke.CommandExplain, Argument: argument},
		{Title: "ploke: document " + symbol.Name, Kind: client.KindRewrite, Command: ploke.CommandDocument,
			Argument: argument, Disabled: a.missingModel("documenting")},
		{Title: "ploke: write tests for " + symbol.Name, Kind: client.KindWrite, Command: ploke.CommandTests,
			Argument: argument, Disabled: a.missingModel("writing tests")},
	}
}

// fileActions are the actions on the whole file.
func (a *codeActions) fileActions(_ context.Context, p *document.Place) []client.Action {
	if len(p.MenuOutline().Outline) == 0 || !isWork(a.views, p.URI) {
		return nil
	}
	name, argument := filepath.Base(p.Path), ploke.SymbolParams{URI: p.URI, Range: p.Selection, WholeFile: true}
	return []client.Action{
		{Title: "ploke: explain " + name, Kind: client.KindSource, Command: ploke.CommandExplain, Argument: argument},
		{Title: "ploke: write tests for " + name, Kind: client.KindSource, Command: ploke.CommandTests,
			Argument: argument, Disabled: a.missingModel("writing tests")},
	}
}

// missingModel says in one line what work needs that only a language model can do, and how to
// set it; "" if there is a model.
func (a *codeActions) missingModel(work string) string {
	if model := cmp.Or(a.turns.Model(), a.settings.Now().Model); model != "" && model != "embedded" {
		return ""
	}
	return work + ` needs a language model: run "ploke-lsp setup"`
}
