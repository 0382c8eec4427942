package lsp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	ploke "ploke-lsp/lsp/protocol"
)

// turnCommands are the commands that start and stop turns.
func (s *Server) turnCommands() []command {
	return []command{
		onCommand(ploke.CommandAsk, s.askCommand),
		onCommand(ploke.CommandExplain, s.symbolCommand("explain", wantsAnswer)),
		onCommand(ploke.CommandDocument, s.symbolCommand("document", wantsEdit)),
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
	return s.startTurn(ctx, commandTurn{conversationID: p.ConversationID, text: p.Text, title: shortTitle(p.Text)})
}

// symbolCommand returns a command that starts a turn about the symbol at a position, by
// default where the cursor was last.
func (s *Server) symbolCommand(verb string, purpose turnPurpose) func(context.Context, *ploke.SymbolParams, string) (*ploke.TurnStarted, error) {
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
		return s.startTurn(ctx, commandTurn{
			title:   verb + " " + symbol.Name,
			text:    fmt.Sprintf("%s `%s` in %s", firstUpper(verb), symbol.Canon, s.project.Workspace.Rel(d.path)),
			about:   &subject{uri: p.URI, canon: symbol.Canon, name: symbol.Name},
			purpose: purpose,
		})
	}
}

// maxTitle is the length of a turn's title in characters.
const maxTitle = 60

// shortTitle returns the beginning of a question's first line.
func shortTitle(question string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(question), "\n")
	title := []rune(line)
	if len(title) <= maxTitle {
		return line
	}
	return string(title[:maxTitle-1]) + "…"
}
