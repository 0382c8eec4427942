package lsp

import (
	"context"
	"errors"
	"fmt"

	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session"
)

// turnCommands are the commands that start and stop turns.
func (s *Server) turnCommands() []command {
	return []command{
		onCommand(ploke.CommandAsk, s.askCommand),
		onCommand(ploke.CommandExplain, s.symbolCommand("Explain")),
		onCommand(ploke.CommandDocument, s.symbolCommand("Document")),
		onCommand(ploke.CommandChatStop, withoutWords(s.chatStop)),
	}
}

func (s *Server) askCommand(ctx context.Context, p *ploke.AskParams, words string) (*ploke.TurnStarted, error) {
	if p.Text == "" {
		p.Text = words
	}
	if p.Text == "" {
		return nil, errors.New("the question is empty: pass it as \"text\"")
	}
	return s.startTurn(ctx, session.Prompt{ConversationID: p.ConversationID, Text: p.Text, Title: p.Text})
}

// symbolCommand returns a command that starts a turn about the symbol at a position, by
// default where the cursor was last.
func (s *Server) symbolCommand(verb string) func(context.Context, *ploke.SymbolParams, string) (*ploke.TurnStarted, error) {
	return func(ctx context.Context, p *ploke.SymbolParams, _ string) (*ploke.TurnStarted, error) {
		if p.URI == "" {
			last := s.editorState.inferred().Selection
			if last == nil {
				return nil, errors.New("it is not known where the cursor is: use the code action on a declaration")
			}
			p.URI, p.Range = last.URI, last.Range
		}
		s.editorState.setCursor(p.URI, p.Range.Start)
		d, err := s.parsedDocument(ctx, p.URI)
		if err != nil {
			return nil, err
		}
		symbol, ok := d.symbolAt(d.Offset(p.Range.Start))
		if !ok {
			return nil, fmt.Errorf("there is no symbol at this position in %s: put the cursor on a declaration", s.project.Workspace.Rel(d.path))
		}
		return s.startTurn(ctx, session.Prompt{
			Title: fmt.Sprintf("%s %s", verb, symbol.Name),
			Text:  fmt.Sprintf("%s `%s` in %s", verb, symbol.Canon, s.project.Workspace.Rel(d.path)),
		})
	}
}

// startTurn starts a turn that no chat request waits for, and returns at once. The
// client shows the turn as progress. It gets the answer as events or, if it does not
// support them, as a document.
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
