package lsp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"

	"go.lsp.dev/protocol"

	"ploke-lsp/edits"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/project"
	"ploke-lsp/session/bus"
)

// maxCommentContext is how many lines around a comment go with its question, on either side.
const maxCommentContext = 60

// commentActions are the actions on a comment that asks for something.
func (s *Server) commentActions(_ context.Context, p *place) []action {
	q, ok := commentQuestionAt(p.text, p.start)
	if !ok || !s.isWork(p.uri) {
		return nil
	}
	title := "ploke: do this"
	if q.answerOnly {
		title = "ploke: answer"
	}
	return []action{{title: title, kind: kindQuickFix, command: ploke.CommandComment, argument: ploke.SymbolParams{URI: p.uri, Range: p.selection}}}
}

// commentCommands are the commands for comments that ask for something.
func (s *Server) commentCommands() []command {
	return []command{onCommand(ploke.CommandComment, withoutWords(s.commentCommand))}
}

// commentCommand answers, or does, what a comment asks for. By default it is the comment at the cursor. What is
// proposed then takes the comment away, too.
func (s *Server) commentCommand(ctx context.Context, p *ploke.SymbolParams) (*ploke.TurnStarted, error) {
	if err := s.useLastCursor(p); err != nil {
		return nil, err
	}
	d, err := s.parsedDocument(ctx, p.URI)
	if err != nil {
		return nil, err
	}
	offset := d.Offset(p.Range.Start)
	q, ok := commentQuestionAt(d.text, offset)
	if !ok {
		return nil, errors.New("no comment here asks for anything: begin one with \"ploke:\", or end it with AI! or AI?")
	}
	attachments, err := s.attachments(ctx, []ploke.Attachment{s.aroundComment(d, q)})
	if err != nil {
		return nil, err
	}
	turn := commandTurn{title: shortTitle(q.text), text: q.text, attachments: attachments, purpose: wantsAnswer}
	if !q.answerOnly {
		turn.purpose = wantsEdit
		turn.beforeEnd = s.withoutComment(s.project, d, q)
	}
	return s.startTurn(ctx, turn)
}

// aroundComment returns the lines that a comment is about: the symbol around it, or the lines near it.
func (s *Server) aroundComment(d *parsedDocument, q commentQuestion) ploke.Attachment {
	start, end := q.start, q.end
	if symbol, ok := d.symbolAt(q.start); ok {
		start, end = min(start, symbol.Start), max(end, symbol.End)
	}
	line := d.LineAt(q.start)
	first := max(d.LineAt(start), line-maxCommentContext, 1)
	last := min(d.LineAt(end), line+maxCommentContext)
	if start == q.start && end == q.end { // no symbol
		first, last = max(line-maxCommentContext, 1), min(line+maxCommentContext, d.LineAt(len(d.text)))
	}
	return ploke.Attachment{URI: d.uri, Range: &protocol.Range{
		Start: protocol.Position{Line: uint32(first - 1)}, End: protocol.Position{Line: uint32(last - 1)}}}
}

// withoutComment returns a function that adds the removal of a comment to what a turn has proposed. A turn that
// proposes nothing leaves the comment.
func (s *Server) withoutComment(p *project.Project, d *parsedDocument, q commentQuestion) func(context.Context, bus.TurnRef) {
	comment, path := bytes.Clone(d.text[q.start:q.end]), d.path
	return func(ctx context.Context, turn bus.TurnRef) {
		if err := removeComment(ctx, p, turn, path, comment, q.start); err != nil && ctx.Err() == nil {
			s.client.showMessage(protocol.MessageTypeWarning, "ploke: the comment stays in %s: %v", p.Workspace.Rel(path), err)
		}
	}
}

// removeComment stages the removal of a comment that stood at an offset. It does nothing if the turn has proposed
// nothing, or has removed the comment itself.
func removeComment(ctx context.Context, p *project.Project, turn bus.TurnRef, path string, comment []byte, offset int) error {
	staged, err := p.Edits.StagedIn(ctx, turn.RequestID)
	if err != nil || len(staged) == 0 {
		return err
	}
	file, err := p.Edits.View(edits.Turn{ID: turn.RequestID}).Read(ctx, path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	at := nearest(file.Text, comment, offset)
	if at < 0 {
		return nil
	}
	_, err = p.Edits.Stage(ctx, edits.Batch{
		ConversationID: turn.ConversationID, RequestID: turn.RequestID, Title: staged[0].Title,
		Operations: []edits.Operation{{Op: edits.OpEdit, Path: path, BaseHash: file.Hash,
			Edits: []edits.Edit{{Start: at, End: at + len(comment)}}}},
	})
	if err != nil {
		return fmt.Errorf("its removal can't be proposed: %w", err)
	}
	return nil
}

// nearest returns where a part stands in a text nearest to an offset, or -1.
func nearest(text, part []byte, offset int) (at int) {
	at = -1
	for from := 0; ; {
		i := bytes.Index(text[from:], part)
		if i < 0 {
			return at
		}
		if from+i-offset <= offset-at || at < 0 {
			at = from + i
		}
		from += i + 1
	}
}
