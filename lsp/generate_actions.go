package lsp

import (
	"context"
	"errors"
	"fmt"

	"ploke-lsp/lsp/chat"
	"ploke-lsp/lsp/client"
	"ploke-lsp/lsp/document"
	ploke "ploke-lsp/lsp/protocol"
)

// generateWork names what only a language model can do.
const generateWork = "generating code"

// generateActions offer to write the code that a comment describes and that is not there yet.
func (a *codeActions) generateActions(_ context.Context, p *document.Place) []client.Action {
	if _, ok := describingCommentAt(p.Text, p.Language, p.Start); !ok || !isWork(a.views, p.URI) {
		return nil
	}
	return []client.Action{{
		Title: "ploke: generate from this comment", Kind: client.KindWrite, Command: ploke.CommandGenerate,
		Argument: ploke.SymbolParams{URI: p.URI, Range: p.Selection}, Disabled: a.missingModel(generateWork),
	}}
}

// generateCommand proposes the code that the comment at a place, by default at the cursor, describes.
func (a *codeActions) generateCommand(ctx context.Context, p *ploke.SymbolParams) (*ploke.TurnStarted, error) {
	if reason := a.missingModel(generateWork); reason != "" {
		return nil, errors.New(reason)
	}
	if err := a.useLastCursor(p); err != nil {
		return nil, err
	}
	d, err := a.parser.Get(ctx, p.URI)
	if err != nil {
		return nil, err
	}
	c, ok := describingCommentAt(d.Text, d.Language, d.Offset(p.Range.Start))
	if !ok {
		return nil, errors.New("there is no comment here without code below it: " +
			"put the cursor on a comment above nothing, or above a function with an empty body")
	}
	attachments, err := a.turns.Attachments(ctx,
		[]ploke.Attachment{a.aroundComment(d, commentQuestion{start: c.start, end: c.end})})
	if err != nil {
		return nil, err
	}
	file, comment := a.project.Workspace.Rel(d.Path), string(d.Text[c.start:c.end])
	return a.turns.Start(ctx, chat.CommandTurn{
		Title: "generate: " + chat.ShortTitle(comment),
		Text: fmt.Sprintf("Write the code that this comment at %s:%d describes. Keep the comment.\n\n%s", file,
			d.LineAt(c.start), indent(comment)),
		Attachments: attachments, Purpose: chat.WantsEdit,
	})
}
