package tools

import (
	"context"
	"fmt"

	"ploke-lsp/internal/display"
	"ploke-lsp/tools/placing"
	"ploke-lsp/tools/wording"
)

// cells returns the cells of a file if it is a notebook, with the text that a model reads; else nil. problem says why
// a file with the name of one is read as text.
func (s *source) cells() (all *placing.Cells, shown *source, problem string, err error) {
	all, problem, err = placing.CellsOf(s.Source)
	if all == nil {
		return nil, nil, problem, err
	}
	return all, &source{all.Shown, s.proposed, true}, "", nil
}

// asShown returns the text of a file as a model reads it, and what it must know of it.
func (s *source) asShown(ctx context.Context) (shown *source, note string, err error) {
	all, shown, problem, err := s.cells()
	if err != nil || all == nil {
		return s, problem, err
	}
	noteSecrets(ctx, shown.File)
	return shown, fmt.Sprintf("a notebook of %s: the line numbers are those of this view, edits are made by cell, "+
		"and what is unsaved in a notebook editor is not seen", wording.Plural(len(all.Cells), "cell")), nil
}

// snippet returns lines of a text for a result. Those of a view are not a snippet: the file has no
// such lines that could be cited.
func (s *source) snippet(first int, text string) string {
	if !s.view {
		return wording.Snippet(s.Path, first, text)
	}
	return fmt.Sprintf("cells of %s:\n%s", display.Name(s.Rel), wording.Numbered(first, text))
}

// shownPlaces returns the text of a file as a model reads it, and a function that returns where a place of its own text
// is in that.
func (s *source) shownPlaces(ctx context.Context) (shown *source, place func(at placing.Span) placing.Span) {
	all, shown, _, err := s.cells()
	if err != nil || all == nil {
		return s, func(at placing.Span) placing.Span { return at }
	}
	noteSecrets(ctx, shown.File)
	return shown, func(at placing.Span) placing.Span {
		return placing.Span{Start: all.Offset(at.Start), End: all.Offset(at.End)}
	}
}
