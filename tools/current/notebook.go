package current

import (
	"context"
	"fmt"

	"ploke-lsp/internal/display"
	"ploke-lsp/tools/placing"
	"ploke-lsp/tools/wording"
)

// Cells returns the cells of a file if it is a notebook, with the text that a model reads; else nil. problem says why
// a file with the name of one is read as text.
func (f *File) Cells() (all *placing.Cells, shown *File, problem string, err error) {
	all, problem, err = placing.CellsOf(f.SourceFile)
	if all == nil {
		return nil, nil, problem, err
	}
	return all, &File{all.Shown, f.Proposed, true}, "", nil
}

// AsShown returns the text of a file as a model reads it, and what it must know of it.
func (f *File) AsShown(ctx context.Context) (shown *File, note string, err error) {
	all, shown, problem, err := f.Cells()
	if err != nil || all == nil {
		return f, problem, err
	}
	NoteSecrets(ctx, shown.File)
	return shown, fmt.Sprintf("a notebook of %s: the line numbers are those of this view, edits are made by cell, "+
		"and what is unsaved in a notebook editor is not seen", wording.Plural(len(all.Cells), "cell")), nil
}

// Snippet returns lines of a text for a result. Those of a view are not a snippet: the file has no
// such lines that could be cited.
func (f *File) Snippet(first int, text string) string {
	if !f.view {
		return wording.Snippet(f.Path, first, text)
	}
	return fmt.Sprintf("cells of %s:\n%s", display.Name(f.Rel), wording.Numbered(first, text))
}

// ShownPlaces returns the text of a file as a model reads it, and a function that returns where a place of its own text
// is in that.
func (f *File) ShownPlaces(ctx context.Context) (shown *File, place func(at placing.Span) placing.Span) {
	all, shown, _, err := f.Cells()
	if err != nil || all == nil {
		return f, func(at placing.Span) placing.Span { return at }
	}
	NoteSecrets(ctx, shown.File)
	return shown, func(at placing.Span) placing.Span {
		return placing.Span{Start: all.Offset(at.Start), End: all.Offset(at.End)}
	}
}
