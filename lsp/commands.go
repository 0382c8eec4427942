package lsp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/project"
	"ploke-lsp/session"
)

func (s *Server) executeCommand(ctx context.Context, p *protocol.ExecuteCommandParams) (any, error) {
	switch p.Command {
	case ploke.CommandAsk:
		return withArgument(ctx, p, s.askCommand)
	case ploke.CommandExplain:
		return withArgument(ctx, p, s.symbolCommand("Explain"))
	case ploke.CommandDocument:
		return withArgument(ctx, p, s.symbolCommand("Document"))
	case ploke.CommandChatStop:
		return withArgument(ctx, p, s.chatStop)
	case ploke.CommandProposalAccept:
		return withArgument(ctx, p, s.proposalAccept)
	case ploke.CommandProposalReject:
		return withArgument(ctx, p, s.proposalReject)
	case ploke.CommandProposalUndo:
		return withArgument(ctx, p, s.proposalUndo)
	case ploke.CommandProposalRedo:
		return withArgument(ctx, p, s.proposalRedo)
	case ploke.CommandPermissionForget:
		return withArgument(ctx, p, s.permissionForget)
	case ploke.CommandIndexStatus:
		return s.indexStatusCommand(), nil
	case ploke.CommandIndexRebuild:
		return s.indexRebuild(ctx, nil)
	case ploke.CommandIndexPause:
		return s.indexPauseCommand(), nil
	case ploke.CommandIndexResume:
		return s.indexResume(ctx, nil)
	}
	return nil, jsonrpc2.NewError(jsonrpc2.InvalidParams, fmt.Sprintf("the command %q is not one of ploke-lsp's", p.Command))
}

// withArgument runs a command on its one argument.
func withArgument[P, R any](ctx context.Context, p *protocol.ExecuteCommandParams, run func(context.Context, *P) (R, error)) (any, error) {
	if len(p.Arguments) != 1 {
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidParams, fmt.Sprintf("%s takes one argument, an object; it got %d", p.Command, len(p.Arguments)))
	}
	argument, err := decodeParams[P](p.Command, p.Arguments[0])
	if err != nil {
		return nil, err
	}
	return run(ctx, argument)
}

func (s *Server) askCommand(ctx context.Context, p *ploke.AskParams) (*ploke.TurnStarted, error) {
	if p.Text == "" {
		return nil, errors.New("the question is empty: pass it as \"text\"")
	}
	return s.startTurn(ctx, session.Prompt{ConversationID: p.ConversationID, Text: p.Text, Title: p.Text})
}

// symbolCommand returns a command that starts a turn about the symbol at a position.
func (s *Server) symbolCommand(verb string) func(context.Context, *ploke.SymbolParams) (*ploke.TurnStarted, error) {
	return func(ctx context.Context, p *ploke.SymbolParams) (*ploke.TurnStarted, error) {
		s.editorState.setCursor(p.URI, p.Range.Start)
		text, path, err := s.textOf(ctx, p.URI)
		if err != nil {
			return nil, err
		}
		offset := ploke.NewMapper(text, s.client.encoding).Offset(p.Range.Start)
		symbol, ok := symbolAt(path, text, offset)
		if !ok {
			return nil, fmt.Errorf("there is no symbol at this position in %s: put the cursor on a declaration", s.project.Workspace.Rel(path))
		}
		return s.startTurn(ctx, session.Prompt{
			Title: fmt.Sprintf("%s %s", verb, symbol.Name),
			Text:  fmt.Sprintf("%s `%s` in %s", verb, symbol.Canon, s.project.Workspace.Rel(path)),
		})
	}
}

// startTurn starts a turn that no chat request waits for, and returns at once. The
// client shows the turn as progress. It gets the answer as events or, if it does not
// support them, as a document at the end.
func (s *Server) startTurn(ctx context.Context, prompt session.Prompt) (*ploke.TurnStarted, error) {
	client := s.client
	prompt.Origin, prompt.WhileBusy = "command", session.Queue
	started, transcript, err := s.start(ctx, prompt)
	if err != nil {
		return nil, err
	}
	s.background.Go(func() { s.showTurn(client, prompt.Title, started, transcript) })
	return &ploke.TurnStarted{ConversationID: started.ConversationID, TurnID: started.RequestID}, nil
}

// showTurn shows a turn until it ends.
func (s *Server) showTurn(client *client, title string, started *session.Turn, transcript *project.Transcript) {
	ctx := s.baseContext
	progress := turnProgress{client.beginProgress(ctx, task{id: started.RequestID, title: "ploke: " + title, cancel: started.Stop})}
	events := client.ploke.Has(ploke.MethodEvent)
	send, from := func(project.Part) {}, transcript.From(0)
	if events {
		if start, ok := transcript.Publish(); ok {
			send, from = client.eventSender(transcript), start
		}
	}
	result := transcript.Follow(ctx, from, func(part project.Part) {
		progress.show(part)
		send(part)
	})
	if events || result == nil {
		return
	}
	if err := s.showAnswer(ctx, client, title, result); err != nil {
		client.showMessage(protocol.MessageTypeError, "ploke: the answer could not be shown: %v", err)
	}
}

// messageLimit is the maximum length, in bytes, of an answer that is shown as a message.
const messageLimit = 2000

// showAnswer shows a turn's answer with standard LSP requests: as a Markdown
// document, or as a message if the client can't open documents.
func (s *Server) showAnswer(ctx context.Context, client *client, title string, result *project.TurnResult) error {
	text := result.Text
	if result.Error != "" { // the turn failed, or reached a limit
		text = strings.TrimSpace(text + "\n\nThe turn ended early: " + result.Error)
	}
	if !client.profile.showDocument {
		client.showMessage(protocol.MessageTypeInfo, "%s", strings.ToValidUTF8(text[:min(len(text), messageLimit)], ""))
		return nil
	}
	folder := filepath.Join(s.options.StateDir, "answers")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	path := filepath.Join(folder, result.RequestID+".md")
	if err := os.WriteFile(path, fmt.Appendf(nil, "# %s\n\n%s", title, text), 0o600); err != nil {
		return err
	}
	focus := false
	return client.showDocument(ctx, &protocol.ShowDocumentParams{URI: uri.File(path), TakeFocus: &focus})
}
