package lsp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"ploke-lsp/internal/display"
	"ploke-lsp/lsp/chat"
	"ploke-lsp/lsp/client"
	"ploke-lsp/lsp/document"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session"
)

// turnCommands are the commands that start and stop turns.
func (a *codeActions) turnCommands() []command {
	return []command{
		onCommand(ploke.CommandAsk, a.askCommand),
		onCommand(ploke.CommandExplain, a.symbolCommand(symbolTask{"explain", chat.WantsAnswer, ""})),
		onCommand(ploke.CommandDocument, a.symbolCommand(symbolTask{"document", chat.WantsEdit, "documenting"})),
		onCommand(ploke.CommandTests, a.symbolCommand(symbolTask{"write tests for", chat.WantsEdit, "writing tests"})),
		onCommand(ploke.CommandFix, a.fixCommand),
		onCommand(ploke.CommandRefactor, a.refactorCommand),
		onCommand(ploke.CommandGenerate, withoutWords(a.generateCommand)),
		onCommand(ploke.CommandChatStop, withoutWords(a.stopCommand)),
	}
}

// A symbolTask is what a command does with a declaration or a file.
type symbolTask struct {
	verb       string // of the title and the message, such as "explain"
	purpose    chat.Purpose
	modelsWork string // what only a language model can do; empty if the embedded one can, too
}

// symbolCommand returns a command that starts a turn about the declaration at a position, by
// default where the cursor was last, or about a whole file.
func (a *codeActions) symbolCommand(
	task symbolTask,
) func(context.Context, *ploke.SymbolParams, string) (*ploke.TurnStarted, error) {
	return func(ctx context.Context, p *ploke.SymbolParams, _ string) (*ploke.TurnStarted, error) {
		if reason := a.missingModel(task.modelsWork); task.modelsWork != "" && reason != "" {
			return nil, errors.New(reason)
		}
		if err := a.useLastCursor(p); err != nil {
			return nil, err
		}
		a.editorState.setCursor(p.URI, p.Range.Start)
		d, err := a.parser.Get(ctx, p.URI)
		if err != nil {
			return nil, err
		}
		file := a.project.Workspace.Rel(d.Path)
		if p.WholeFile {
			return a.turns.Start(ctx, chat.CommandTurn{
				Title: task.verb + " " + filepath.Base(d.Path),
				Text:  fmt.Sprintf("%s the file %s", chat.FirstUpper(task.verb), file), Purpose: task.purpose,
			})
		}
		symbol, ok := d.SymbolAt(d.Offset(p.Range.Start))
		if !ok {
			return nil, fmt.Errorf("there is no symbol at this position in %s: put the cursor on a declaration", file)
		}
		return a.turns.Start(ctx, chat.CommandTurn{
			Title:   task.verb + " " + symbol.Name,
			Text:    fmt.Sprintf("%s `%s` in %s", chat.FirstUpper(task.verb), symbol.Canon, file),
			About:   &chat.Subject{URI: p.URI, Canon: symbol.Canon, Name: symbol.Name},
			Purpose: task.purpose,
		})
	}
}

// stopCommand stops what runs in a conversation. Without one it is the only conversation in which
// something runs, or the one that the person chooses.
func (a *codeActions) stopCommand(ctx context.Context, p *ploke.ChatStopParams) (any, error) {
	if p.ConversationID != "" {
		return a.turns.Stop(ctx, p)
	}
	opened := a.project
	a.background.Afterwards(func(ctx context.Context) error {
		running, err := opened.Engine.Busy(ctx)
		if err != nil {
			return err
		}
		return choose(ctx, a.offered, choices[session.Conversation]{
			command: ploke.CommandChatStop, question: "which answer do you want to stop?", none: "no answer is being written",
			all:      running,
			title:    func(c session.Conversation) string { return "stop \"" + display.Name(chat.ShortTitle(c.Title)) + "\"" },
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
func (a *codeActions) useLastCursor(p *ploke.SymbolParams) error {
	if p.URI != "" {
		return nil
	}
	last := a.editorState.inferred().Selection
	if last == nil {
		return errors.New("it is not known where the cursor is: use the code action on a declaration")
	}
	p.URI, p.Range = last.URI, last.Range
	return nil
}

// askCommand asks a question. Without one it opens the chat document.
func (a *codeActions) askCommand(ctx context.Context, p *ploke.AskParams, words string) (*ploke.TurnStarted, error) {
	question := strings.TrimSpace(cmp.Or(p.Text, words))
	if question == "" {
		mentioned, err := a.turns.MentionAttachment(ctx, p.Attachment)
		if err != nil {
			return nil, err
		}
		a.background.Afterwards(func(ctx context.Context) error { return a.chats.Open(ctx, mentioned) })
		return nil, nil
	}
	files, err := a.turns.Mentioned(ctx, question)
	if err != nil {
		return nil, err
	}
	if p.Attachment != nil {
		files = append(files, *p.Attachment)
	}
	attachments, err := a.turns.Attachments(ctx, files)
	if err != nil {
		return nil, err
	}
	return a.turns.Start(ctx, chat.CommandTurn{
		ConversationID: p.ConversationID, Text: question, Title: chat.ShortTitle(question), Attachments: attachments,
	})
}

// askActions offer to ask about the selected lines of a file. A client without a chat of its own has no other way to
// begin, so there it is offered at a mere cursor, too.
func (a *codeActions) askActions(_ context.Context, p *document.Place) []client.Action {
	title := "ploke: ask about this…"
	if p.Start == p.End {
		title = "ploke: ask about this line…"
	}
	if p.Start == p.End && a.client.ShowsProposals() || !isWork(a.views, p.URI) {
		return nil
	}
	about := ploke.Attachment{URI: p.URI, Range: &p.Selection}
	return []client.Action{{Title: title, Kind: client.KindAsk, Command: ploke.CommandAsk,
		Argument: ploke.AskParams{Attachment: &about}}}
}
