package lsp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"ploke-lsp/lsp/chat"
	"ploke-lsp/lsp/client"
	"ploke-lsp/lsp/document"
	ploke "ploke-lsp/lsp/protocol"
)

// refactorWork names what only a language model can do.
const refactorWork = "refactoring"

// refactorActions offer to change the selected lines as the person says in the chat document:
// a plain client can't ask for a line of text.
func (a *codeActions) refactorActions(_ context.Context, p *document.Place) []client.Action {
	if p.Start == p.End || !isWork(a.views, p.URI) {
		return nil
	}
	return []client.Action{{
		Title: "ploke: refactor this…", Kind: client.KindRewrite, Command: ploke.CommandRefactor,
		Argument: ploke.SymbolParams{URI: p.URI, Range: p.Selection}, Disabled: a.missingModel(refactorWork),
	}}
}

// refactorCommand changes the selected lines as words say. Without words it opens the chat document, in which the
// person goes on writing what to do.
func (a *codeActions) refactorCommand(
	ctx context.Context, p *ploke.SymbolParams, words string,
) (*ploke.TurnStarted, error) {
	if reason := a.missingModel(refactorWork); reason != "" {
		return nil, errors.New(reason)
	}
	if err := a.useLastCursor(p); err != nil {
		return nil, err
	}
	selected := ploke.Attachment{URI: p.URI, Range: &p.Range}
	mentioned, err := a.turns.MentionAttachment(ctx, &selected)
	if err != nil {
		return nil, err
	}
	instruction := strings.TrimSpace(words)
	if instruction == "" {
		a.background.Afterwards(func(ctx context.Context) error { return a.chats.Open(ctx, "Refactor "+mentioned+":") })
		return nil, nil
	}
	attachments, err := a.turns.Attachments(ctx, []ploke.Attachment{selected})
	if err != nil {
		return nil, err
	}
	part, err := a.selectedPart(ctx, p)
	if err != nil {
		return nil, err
	}
	return a.turns.Start(ctx, chat.CommandTurn{
		Title: "refactor: " + chat.ShortTitle(instruction), Text: "Refactor " + part + mentioned + ": " + instruction,
		Attachments: attachments, Purpose: chat.WantsEdit,
	})
}

// selectedPart returns words that name the part of a line that is selected, since whole lines are
// mentioned and attached. They are empty if whole lines are selected, or nothing is.
func (a *codeActions) selectedPart(ctx context.Context, p *ploke.SymbolParams) (string, error) {
	d, err := a.parser.Get(ctx, p.URI)
	if err != nil {
		return "", err
	}
	start, end := d.Offsets(p.Range)
	part := strings.TrimSpace(string(d.Text[start:end]))
	first, last := document.WholeLines(d.Text, start, end)
	if part == "" || strings.Contains(part, "\n") || part == strings.TrimSpace(string(d.Text[first:last])) {
		return "", nil
	}
	return fmt.Sprintf("only %q in ", part), nil
}
