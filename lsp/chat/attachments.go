package chat

import (
	"context"
	"fmt"
	"strings"

	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/project"
	"ploke-lsp/session/records"
)

// Attachments reads the current text of the files and folders that are attached to a message.
func (t *Turns) Attachments(ctx context.Context, list []ploke.Attachment) (out []records.Attachment, err error) {
	if len(list) > project.MaxAttachments {
		return nil, fmt.Errorf("the message has %d attachments: attach at most %d, such as their folder", len(list),
			project.MaxAttachments)
	}
	for _, a := range list {
		read, err := t.read(ctx, a)
		if err != nil {
			return nil, err
		}
		out = append(out, read)
	}
	return out, nil
}

// read reads the current text of what is attached. The error says why it can't be sent.
func (t *Turns) read(ctx context.Context, a ploke.Attachment) (records.Attachment, error) {
	var lines *project.Lines
	if a.Range != nil {
		lines = &project.Lines{First: int(a.Range.Start.Line) + 1, Last: int(a.Range.End.Line) + 1}
	}
	if path, cell, unsaved := t.Notebooks.CellOf(a.URI); cell > 0 {
		return t.readCell(ctx, path, cell, lines, unsaved)
	}
	return t.Project.Attachments.Read(ctx, string(a.URI), lines)
}

// Attachment says what would be sent for an attachment.
func (t *Turns) Attachment(ctx context.Context, p *ploke.Attachment) (*ploke.AttachmentDetails, error) {
	a, err := t.read(ctx, *p)
	if err != nil {
		return nil, err
	}
	return &ploke.AttachmentDetails{
		Path: t.Project.Workspace.Rel(a.Path), Folder: a.Folder, Lines: lineCount(a.Text), Bytes: len(a.Text),
	}, nil
}

// lineCount returns how many lines a person would count in a text, whether or not its last one has a line break.
func lineCount(text string) int {
	if text == "" {
		return 0
	}
	return strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1
}
