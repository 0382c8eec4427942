package lsp

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"ploke-lsp/internal/display"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session"
)

// turnCommands are the commands that start and stop turns.
func (s *Server) turnCommands() []command {
	return []command{
		onCommand(ploke.CommandAsk, s.askCommand),
		onCommand(ploke.CommandExplain, s.symbolCommand(symbolTask{"explain", wantsAnswer, ""})),
		onCommand(ploke.CommandDocument, s.symbolCommand(symbolTask{"document", wantsEdit, "documenting"})),
		onCommand(ploke.CommandTests, s.symbolCommand(symbolTask{"write tests for", wantsEdit, "writing tests"})),
		onCommand(ploke.CommandFix, s.fixCommand),
		onCommand(ploke.CommandRefactor, s.refactorCommand),
		onCommand(ploke.CommandGenerate, withoutWords(s.generateCommand)),
		onCommand(ploke.CommandChatStop, withoutWords(s.stopCommand)),
	}
}

// A symbolTask is what a command does with a declaration or a file.
type symbolTask struct {
	verb       string // of the title and the message, such as "explain"
	purpose    turnPurpose
	modelsWork string // what only a language model can do; empty if the embedded one can, too
}

// symbolCommand returns a command that starts a turn about the declaration at a position, by
// default where the cursor was last, or about a whole file.
func (s *Server) symbolCommand(task symbolTask) func(context.Context, *ploke.SymbolParams, string) (*ploke.TurnStarted, error) {
	return func(ctx context.Context, p *ploke.SymbolParams, _ string) (*ploke.TurnStarted, error) {
		if reason := s.missingModel(task.modelsWork); task.modelsWork != "" && reason != "" {
			return nil, errors.New(reason)
		}
		if err := s.useLastCursor(p); err != nil {
			return nil, err
		}
		s.editorState.setCursor(p.URI, p.Range.Start)
		d, err := s.parsed.Get(ctx, p.URI)
		if err != nil {
			return nil, err
		}
		file := s.project.Workspace.Rel(d.Path)
		if p.WholeFile {
			return s.startTurn(ctx, commandTurn{
				title: task.verb + " " + filepath.Base(d.Path), text: fmt.Sprintf("%s the file %s", firstUpper(task.verb), file), purpose: task.purpose,
			})
		}
		symbol, ok := d.SymbolAt(d.Offset(p.Range.Start))
		if !ok {
			return nil, fmt.Errorf("there is no symbol at this position in %s: put the cursor on a declaration", file)
		}
		return s.startTurn(ctx, commandTurn{
			title:   task.verb + " " + symbol.Name,
			text:    fmt.Sprintf("%s `%s` in %s", firstUpper(task.verb), symbol.Canon, file),
			about:   &subject{uri: p.URI, canon: symbol.Canon, name: symbol.Name},
			purpose: task.purpose,
		})
	}
}

// stopCommand stops what runs in a conversation. Without one it is the only conversation in which
// something runs, or the one that the person chooses.
func (s *Server) stopCommand(ctx context.Context, p *ploke.ChatStopParams) (any, error) {
	if p.ConversationID != "" {
		return s.chatStop(ctx, p)
	}
	opened := s.project
	s.background.Afterwards(func(ctx context.Context) error {
		running, err := opened.Engine.Busy(ctx)
		if err != nil {
			return err
		}
		return choose(ctx, s, choices[session.Conversation]{
			command: ploke.CommandChatStop, question: "which answer do you want to stop?", none: "no answer is being written",
			all:      running,
			title:    func(c session.Conversation) string { return "stop \"" + display.Name(shortTitle(c.Title)) + "\"" },
			argument: func(c session.Conversation) any { return ploke.ChatStopParams{ConversationID: c.ID} },
			run: func(c session.Conversation) error {
				opened.Engine.Stop(c.ID)
				return nil
			},
		})
	})
	return struct{}{}, nil
}

// useLastCursor sets the place of a command that a person ran without arguments.
func (s *Server) useLastCursor(p *ploke.SymbolParams) error {
	if p.URI != "" {
		return nil
	}
	last := s.editorState.inferred().Selection
	if last == nil {
		return errors.New("it is not known where the cursor is: use the code action on a declaration")
	}
	p.URI, p.Range = last.URI, last.Range
	return nil
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
