package lsp

import (
	"context"
	"slices"
	"strings"

	"go.lsp.dev/protocol"
)

// The kinds of the server's code actions. There is no action of a kind that a client applies
// by itself, such as source.fixAll.
const (
	kindQuickFix protocol.CodeActionKind = protocol.CodeActionKindQuickFix
	kindRewrite  protocol.CodeActionKind = "refactor.rewrite.ploke" // on a part of a file
	kindSource   protocol.CodeActionKind = "source.ploke"           // on a whole file
)

// An actionProvider offers the code actions of one topic.
type actionProvider struct {
	kinds []protocol.CodeActionKind // of its actions
	// offer returns actions of these kinds at a place. It must be quick, because menus wait
	// for it: an action runs a command that does the work.
	offer func(ctx context.Context, p *place) []action
}

// actionProviders is the table of every provider. Menus show their actions in its order.
func (s *Server) actionProviders() []actionProvider {
	return []actionProvider{
		{[]protocol.CodeActionKind{kindQuickFix}, s.permissionActions},
		{[]protocol.CodeActionKind{kindQuickFix}, s.choiceActions},
		{[]protocol.CodeActionKind{kindQuickFix, kindRewrite, kindSource}, s.chatActions},
		{[]protocol.CodeActionKind{kindQuickFix}, s.commentActions},
		{[]protocol.CodeActionKind{kindRewrite}, s.askActions},
		{[]protocol.CodeActionKind{kindRewrite}, s.refactorActions},
		{[]protocol.CodeActionKind{kindQuickFix}, s.problemActions},
		{[]protocol.CodeActionKind{kindQuickFix, kindRewrite}, s.proposalActions},
		{[]protocol.CodeActionKind{kindQuickFix, kindRewrite}, s.reviewActions},
		{[]protocol.CodeActionKind{kindRewrite}, s.generateActions},
		{[]protocol.CodeActionKind{kindRewrite}, s.symbolActions},
		{[]protocol.CodeActionKind{kindSource}, s.fileActions},
	}
}

// A place is what code actions are requested for: a range of a document, which may be empty.
type place struct {
	*parsedDocument
	selection   protocol.Range
	start, end  int // of the selection, byte offsets in order
	diagnostics []protocol.Diagnostic
}

// An action is a code action before it has the form that the client supports. It has a
// command or an edit, not both: clients differ in what they run then.
type action struct {
	title    string
	kind     protocol.CodeActionKind
	command  string                  // one of [ploke.Commands]
	argument any                     // of the command
	edit     *protocol.WorkspaceEdit // for clients that can't apply edits on request
	// disabled is why it can't be used, in one line with what to do; empty if it can be. Where
	// clients can't show that, the command must fail with it.
	disabled    string
	diagnostics []protocol.Diagnostic // that it resolves
}

func (s *Server) codeAction(ctx context.Context, p *protocol.CodeActionParams) ([]protocol.CommandOrCodeAction, error) {
	s.project.Active()
	if s.isWork(p.TextDocument.URI) {
		s.editorState.setCursor(p.TextDocument.URI, p.Range.Start)
	}
	offered := []protocol.CommandOrCodeAction{}
	providers := s.requestedProviders(p.Context)
	if len(providers) == 0 {
		return offered, nil
	}
	d, err := s.parsedDocument(ctx, p.TextDocument.URI)
	if err != nil {
		return offered, nil // an unreadable file has no actions
	}
	s.diagnostics.cacheFrom(ctx, p)
	at := &place{parsedDocument: d, selection: p.Range, diagnostics: p.Context.Diagnostics}
	at.start, at.end = d.offsets(p.Range)
	for _, provider := range providers {
		for _, a := range provider.offer(ctx, at) {
			if encoded := s.client.encodeAction(a); encoded != nil && requested(a.kind, p.Context.Only) {
				offered = append(offered, encoded)
			}
		}
	}
	return offered, nil
}

// requestedProviders returns the providers that the client's filter lets through. A request
// that a client makes by itself for certain kinds is one to fix a file when it is saved: it
// gets nothing, because the client would run what it gets.
func (s *Server) requestedProviders(c protocol.CodeActionContext) []actionProvider {
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
	if len(only) == 0 {
		return true
	}
	for _, o := range only {
		if o == "" || kind == o || strings.HasPrefix(string(kind), string(o)+".") {
			return true
		}
	}
	return false
}

// encodeAction returns an action in the form that the client supports: a literal, or a plain
// command. It returns nil if the client supports neither.
func (c *client) encodeAction(a action) protocol.CommandOrCodeAction {
	var command protocol.Command
	if a.command != "" {
		command = protocol.Command{Title: a.title, Command: a.command, Arguments: []protocol.LSPAny{mustMarshal(a.argument)}}
	}
	switch {
	case a.disabled != "" && c.disabledActions:
		return &protocol.CodeAction{Title: a.title, Kind: &a.kind, Diagnostics: a.diagnostics, Disabled: protocol.CodeActionDisabled{Reason: a.disabled}}
	case a.disabled != "" && a.command == "":
		return nil
	case c.actionLiterals:
		return &protocol.CodeAction{
			Title: a.title, Kind: &a.kind, Command: command, Edit: a.edit, Diagnostics: a.diagnostics,
		}
	case a.command != "":
		return &command
	}
	return nil
}
