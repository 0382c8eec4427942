package lsp_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// appliesNothing is the client without workspace/applyEdit.
const appliesNothing = "ale-3.3"

// TestEachClientGetsValidMessages does in each known client what a person can do. The editor checks
// what it gets.
func TestEachClientGetsValidMessages(t *testing.T) {
	t.Parallel()
	for name, profile := range clientProfiles {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			turns := slices.Clone(proposes)
			if name != appliesNothing {
				turns = append(turns, llmtest.Turn{Text: []string{"It squares, as in `square`.\n"}})
			}
			f.useModel(turns...)
			e := f.startAs(t, name)
			circle := f.path("shapes/circle.go")
			e.OpenText(circle, strings.ReplaceAll(read(t, circle), "func square", "/* 😀é */ func square"))
			requestEverything(e, circle)
			e.Call(protocol.MethodWorkspaceExecuteCommand, commandParams(ploke.CommandAsk, `"go"`), nil)
			if profile.answer != "events" { // else its extension has a review of its own
				awaitHunks(t, e, circle, 2)
			}
			awaitSettled(t, e)
			requestEverything(e, circle)
			decideEverything(t, e)
			chat := f.openChat(e)
			write(e, chat, "\nWhat does `square` do? See @shapes/ci")
			requestEverything(e, chat)
			if name != appliesNothing {
				sendChat(t, e, chat, 0)
				awaitChat(e, chat, 1)
			}
			requestEverything(e, chat)
			for _, command := range []string{ploke.CommandIndexStatus, ploke.CommandIndexPause, ploke.CommandIndexResume,
				ploke.CommandIndexRebuild} {
				e.Call(protocol.MethodWorkspaceExecuteCommand, commandParams(command), nil)
			}
		})
	}
}

// decideEverything runs each command of a review without arguments. What does not fit is an error.
func decideEverything(t *testing.T, e *lsptest.Editor) {
	t.Helper()
	for _, command := range []string{
		ploke.CommandProposalShow, ploke.CommandProposalAccept, ploke.CommandProposalUndo, ploke.CommandProposalRedo, ploke.CommandProposalReject,
	} {
		_ = e.Try(context.Background(), protocol.MethodWorkspaceExecuteCommand, commandParams(command), nil)
		awaitSettled(t, e)
	}
}

// requestEverything requests what the server offers for a document, at each word of it, or with -short
// at one word of four.
func requestEverything(e *lsptest.Editor, path string) {
	c, id := e.Initialized.Capabilities, protocol.TextDocumentIdentifier{URI: fileURI(path)}
	request := func(method string, provider any, params any) {
		if provider != nil || e.Registered(method) {
			e.Call(method, params, nil)
		}
	}
	request(protocol.MethodTextDocumentDocumentSymbol, c.DocumentSymbolProvider, &protocol.DocumentSymbolParams{TextDocument: id})
	request(protocol.MethodTextDocumentFoldingRange, c.FoldingRangeProvider, &protocol.FoldingRangeParams{TextDocument: id})
	if c.CodeLensProvider != nil {
		request(protocol.MethodTextDocumentCodeLens, true, &protocol.CodeLensParams{TextDocument: id})
	}
	const every = 3 // of the places
	text, places := e.Text(path), 0
	for offset := 0; offset <= len(text); offset += max(1, strings.IndexAny(text[offset:]+" ", " \n")) {
		if offset < len(text) && text[offset]&0xC0 == 0x80 {
			continue // within a character
		}
		if places++; places%every != 0 {
			continue
		}
		r := e.Range(path, offset, offset)
		at := protocol.TextDocumentPositionParams{TextDocument: id, Position: r.Start}
		request(protocol.MethodTextDocumentHover, c.HoverProvider, &protocol.HoverParams{TextDocumentPositionParams: at})
		request(protocol.MethodTextDocumentDefinition, c.DefinitionProvider, &protocol.DefinitionParams{TextDocumentPositionParams: at})
		if c.CompletionProvider != nil || e.Registered(protocol.MethodTextDocumentCompletion) {
			e.Call(protocol.MethodTextDocumentCompletion, &protocol.CompletionParams{TextDocumentPositionParams: at}, nil)
		}
		e.Call(protocol.MethodTextDocumentCodeAction, &protocol.CodeActionParams{TextDocument: id, Range: r}, nil)
	}
}
