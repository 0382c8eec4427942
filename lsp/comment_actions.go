package lsp

import (
	"bytes"
	"context"
	"errors"

	"go.lsp.dev/protocol"

	"ploke-lsp/lsp/chat"
	"ploke-lsp/lsp/client"
	"ploke-lsp/lsp/document"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/project"
	"ploke-lsp/session/bus"
)

// maxCommentContext is how many lines around a comment go with its question, on either side.
const maxCommentContext = 60

// commentActions are the actions on a comment that asks for something.
func (a *codeActions) commentActions(_ context.Context, p *document.Place) []client.Action {
	q, ok := commentQuestionAt(p.Text, p.Start)
	if !ok || !isWork(a.views, p.URI) {
		return nil
	}
	title := "ploke: do this"
	if q.answerOnly {
		title = "ploke: answer"
	}
	return []client.Action{{Title: title, Kind: client.KindQuickFix, Command: ploke.CommandComment,
		Argument: ploke.SymbolParams{URI: p.URI, Range: p.Selection}}}
}

// commentCommands are the commands for comments that ask for something.
func (a *codeActions) commentCommands() []command {
	return []command{onCommand(ploke.CommandComment, withoutWords(a.commentCommand))}
}

// commentCommand answers, or does, what a comment asks for. By default it is the comment at the cursor. What is
// proposed then takes the comment away, too.
func (a *codeActions) commentCommand(ctx context.Context, p *ploke.SymbolParams) (*ploke.TurnStarted, error) {
	if err := a.useLastCursor(p); err != nil {
		return nil, err
	}
	d, err := a.parser.Get(ctx, p.URI)
	if err != nil {
		return nil, err
	}
	offset := d.Offset(p.Range.Start)
	q, ok := commentQuestionAt(d.Text, offset)
	if !ok {
		return nil, errors.New("no comment here asks for anything: begin one with \"ploke:\", or end it with AI! or AI?")
	}
	attachments, err := a.turns.Attachments(ctx, []ploke.Attachment{a.aroundComment(d, q)})
	if err != nil {
		return nil, err
	}
	turn := chat.CommandTurn{Title: chat.ShortTitle(q.text), Text: q.text, Attachments: attachments,
		Purpose: chat.WantsAnswer}
	if !q.answerOnly {
		turn.Purpose = chat.WantsEdit
		turn.BeforeEnd = a.withoutComment(a.project, d, q)
	}
	return a.turns.Start(ctx, turn)
}

// aroundComment returns the lines that a comment is about: the symbol around it, or the lines near it.
func (a *codeActions) aroundComment(d *document.Parsed, q commentQuestion) ploke.Attachment {
	start, end := q.start, q.end
	if symbol, ok := d.SymbolAt(q.start); ok {
		start, end = min(start, symbol.Start), max(end, symbol.End)
	}
	line := d.LineAt(q.start)
	first := max(d.LineAt(start), line-maxCommentContext, 1)
	last := min(d.LineAt(end), line+maxCommentContext)
	if start == q.start && end == q.end { // no symbol
		first, last = max(line-maxCommentContext, 1), min(line+maxCommentContext, d.LineAt(len(d.Text)))
	}
	return ploke.Attachment{URI: d.URI, Range: &protocol.Range{
		Start: protocol.Position{Line: uint32(first - 1)}, End: protocol.Position{Line: uint32(last - 1)}}}
}

// withoutComment returns a function that adds the removal of a comment to what a turn has proposed. A turn that
// proposes nothing leaves the comment.
func (a *codeActions) withoutComment(
	p *project.Project, d *document.Parsed, q commentQuestion,
) func(context.Context, bus.TurnRef) {
	comment, path := bytes.Clone(d.Text[q.start:q.end]), d.Path
	return func(ctx context.Context, turn bus.TurnRef) {
		if err := removeComment(ctx, p, turn, path, comment, q.start); err != nil && ctx.Err() == nil {
			a.client.ShowMessage(protocol.MessageTypeWarning, "ploke: the comment stays in %s: %v", p.Workspace.Rel(path), err)
		}
	}
}
