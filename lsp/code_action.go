package lsp

import (
	"context"
	"slices"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/internal/rpc"
	"ploke-lsp/lsp/chat"
	"ploke-lsp/lsp/client"
	"ploke-lsp/lsp/document"
	ploke "ploke-lsp/lsp/protocol"
)

// An actionProvider offers the code actions of one topic.
type actionProvider struct {
	kinds []protocol.CodeActionKind // of its actions
	// offer returns actions of these kinds at a place. It must be quick, because menus wait
	// for it: an action runs a command that does the work.
	offer func(ctx context.Context, p *document.Place) []client.Action
}

// actionProviders is the table of every provider. Menus show their actions in its order.
func (s *service) actionProviders() []actionProvider {
	return []actionProvider{
		{[]protocol.CodeActionKind{client.KindQuickFix}, s.permissions.permissionActions},
		{[]protocol.CodeActionKind{client.KindQuickFix}, s.choiceActions},
		{[]protocol.CodeActionKind{client.KindQuickFix, client.KindRewrite, client.KindSource}, s.chats.Actions},
		{[]protocol.CodeActionKind{client.KindQuickFix}, s.code.commentActions},
		{[]protocol.CodeActionKind{client.KindAsk}, s.code.askActions},
		{[]protocol.CodeActionKind{client.KindRewrite}, s.code.refactorActions},
		{[]protocol.CodeActionKind{client.KindQuickFix}, s.code.problemActions},
		{[]protocol.CodeActionKind{client.KindQuickFix, client.KindRewrite}, s.review.DiffActions},
		{[]protocol.CodeActionKind{client.KindQuickFix, client.KindRewrite}, s.review.Actions},
		{[]protocol.CodeActionKind{client.KindWrite}, s.code.generateActions},
		{[]protocol.CodeActionKind{client.KindAsk, client.KindRewrite, client.KindWrite}, s.code.symbolActions},
		{[]protocol.CodeActionKind{client.KindSource}, s.code.fileActions},
	}
}

func (s *service) codeAction(
	ctx context.Context, p *protocol.CodeActionParams,
) ([]protocol.CommandOrCodeAction, error) {
	s.project.Indexer.Active()
	if isWork(s.texts.views, p.TextDocument.URI) {
		s.frontEnd.editorState.setCursor(p.TextDocument.URI, p.Range.Start)
	}
	offered := []protocol.CommandOrCodeAction{}
	providers := s.requestedProviders(p.Context)
	if len(providers) == 0 {
		return offered, nil
	}
	d, err := s.texts.parser.Get(ctx, p.TextDocument.URI)
	if err != nil {
		return offered, nil // an unreadable file has no actions
	}
	s.frontEnd.diagnostics.cacheFrom(ctx, p)
	at := &document.Place{Parsed: d, Selection: p.Range, Diagnostics: p.Context.Diagnostics}
	at.Start, at.End = d.Offsets(p.Range)
	if s.client.OmitsDiagnostics && s.client.Ploke.Has(ploke.MethodClientDiagnostics) {
		rpc.Release(ctx)
		at.Diagnostics = s.frontEnd.diagnostics.onLines(ctx, p.TextDocument.URI, p.Range)
	}
	for _, provider := range providers {
		for _, a := range provider.offer(ctx, at) {
			if encoded := s.client.EncodeAction(a); encoded != nil && requested(a.Kind, p.Context.Only) {
				offered = append(offered, encoded)
			}
		}
	}
	return offered, nil
}

// requestedProviders returns the providers that the client's filter lets through. A request
// that a client makes by itself for certain kinds is one to fix a file when it is saved: it
// gets nothing, because the client would run what it gets.
func (s *service) requestedProviders(c protocol.CodeActionContext) []actionProvider {
	if c.TriggerKind == protocol.CodeActionTriggerKindAutomatic && len(c.Only) > 0 {
		return nil
	}
	return slices.DeleteFunc(s.actionProviders(), func(p actionProvider) bool {
		return !slices.ContainsFunc(p.kinds, func(k protocol.CodeActionKind) bool { return requested(k, c.Only) })
	})
}

// requested reports whether the client's filter includes a kind: if only is empty, or
// holds the kind or a prefix of it.
func requested(kind protocol.CodeActionKind, only []protocol.CodeActionKind) bool {
	return len(only) == 0 || slices.ContainsFunc(only, func(o protocol.CodeActionKind) bool {
		return o == "" || kind == o || strings.HasPrefix(string(kind), string(o)+".")
	})
}

// isWork reports whether a document is what the person works on: not a chat document, nor one
// that the server has written.
func isWork(views *document.Views, u uri.URI) bool { return !chat.IsDocument(u) && !views.Holds(u) }
