package chat

import (
	"context"
	"errors"

	"ploke-lsp/internal/rpc"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/project"
	"ploke-lsp/session/records"
)

// readCell reads lines of a cell, all of them if lines is nil: of its file, or of its text if that is not saved.
func (t *Turns) readCell(ctx context.Context, path string, cell int, lines *project.Lines,
	unsaved string) (records.Attachment, error) {
	of := project.Lines{First: 1, Last: project.AllLines}
	if lines != nil {
		of = *lines
	}
	of.Cell = cell
	if unsaved != "" {
		return t.Project.Attachments.FromCell(path, unsaved, of)
	}
	return t.Project.Attachments.Read(ctx, path, &of)
}

// Cell returns the cell of a notebook that a line of its file is in.
func (t *Turns) Cell(ctx context.Context, p *ploke.NotebookCellParams) (*ploke.NotebookCellResult, error) {
	rpc.Release(ctx)
	cell, line, err := t.Project.Attachments.CellAt(ctx, string(p.URI), p.Line+1)
	if err != nil {
		return nil, err
	}
	if cell == 0 {
		return nil, errors.New("the notebook has no cells")
	}
	return &ploke.NotebookCellResult{Cell: cell - 1, Line: max(line, 1) - 1}, nil
}
