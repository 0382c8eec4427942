package tools

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"ploke-lsp/edits"
	"ploke-lsp/internal/display"
	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/internal/notebook"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/tools/placing"
	"ploke-lsp/tools/wording"
)

// A model reads a notebook as its cells, and edits it by cell. What is staged are edits of the file's JSON.

// cells is a notebook as a model reads it.
type cells struct {
	*notebook.Notebook
	*notebook.View
	src   *source // with the JSON
	shown *source // with the text of the view
}

// cells returns the cells of a file if it is a notebook, else nil. problem says why a file with the name of one is
// read as text.
func (s *source) cells() (all *cells, problem string, err error) {
	if !notebook.Is(s.Path) {
		return nil, "", nil
	}
	nb, err := notebook.Parse(s.Text)
	switch {
	case errors.Is(err, notebook.ErrTooLarge):
		return nil, "", &wording.Failure{Message: s.Rel + " is a notebook of more than 32 MB", Code: "too_large",
			Field: "file",
			Hint:  "ask the user to clear its outputs"}
	case err != nil:
		return nil, "this notebook is shown as text, since its cells can't be told apart: " + err.Error(), nil
	}
	file := *s.File
	v := nb.View()
	// by which its secrets are known; in JSON they may be written otherwise
	file.Text, file.Hash = v.Text, workspace.Hash(v.Text)
	return &cells{nb, v, s, &source{&placing.Source{File: &file, Rel: s.Rel}, s.proposed, true}}, "", nil
}

// asShown returns the text of a file as a model reads it, and what it must know of it.
func (s *source) asShown(ctx context.Context) (shown *source, note string, err error) {
	all, problem, err := s.cells()
	if err != nil || all == nil {
		return s, problem, err
	}
	noteSecrets(ctx, all.shown.File)
	return all.shown, fmt.Sprintf("a notebook of %s: the line numbers are those of this view, edits are made by cell, and what is unsaved in a notebook editor is not seen",
		wording.Plural(len(all.Cells), "cell")), nil
}

// snippet returns lines of a text for a result. Those of a view are no snippet: the file has no
// such lines that could be cited.
func (s *source) snippet(first int, text string) string {
	if !s.view {
		return wording.Snippet(s.Path, first, text)
	}
	return fmt.Sprintf("cells of %s:\n%s", display.Name(s.Rel), wording.Numbered(first, text))
}

// place finds where an edit goes in the JSON.
func (c *cells) place(e placing.Request) (where placing.Placement, err error) {
	switch e.Mode {
	case placing.ModeReplace:
		return c.placeReplacement(e)
	case placing.ModeCanonical:
		return c.placeCell(e)
	}
	return where, wording.BadValue("mode", "a notebook has no symbols that can be renamed",
		"change each cell with old and new")
}

// placeReplacement finds old in the view. Each place must be in one cell's source.
func (c *cells) placeReplacement(e placing.Request) (where placing.Placement, err error) {
	found, err := placing.ByText(c.shown.Source, e)
	if err != nil {
		return where, err
	}
	where = placing.InFile(c.src.Source)
	where.Note, where.Adapted = found.Note, found.Adapted
	for _, p := range found.Files[0].Edits {
		at := c.within(p.Edit)
		if _, ok := c.In(at.Start, at.End); !ok {
			return placing.Placement{},
				&wording.Failure{Message: fmt.Sprintf("old is in the heading of cell %d, or in more than one cell",
					c.CellAt(p.Start)), Code: "not_in_one_cell", Field: "old",
					Hint: "edit the source of each cell on its own; canon \"cell 1\" with at and code inserts, replaces or deletes a cell"}
		}
		where.Files[0].Edits = append(where.Files[0].Edits,
			placing.Placed{Edit: edits.Edit(c.Replace(at.Start, at.End, c.withLineEnds(at)))})
	}
	return where, nil
}

// withLineEnds returns the new text of an edit of a cell's source, with the line ends of the source.
func (c *cells) withLineEnds(e edits.Edit) string {
	from, to, _ := c.SourceAt(e.Start)
	return edits.WithLineEnds(c.shown.Text[from:to], edits.Edit{Start: e.Start - from, End: e.End - from, New: e.New})
}

// within takes the heading before a cell's source and the line end behind it out of an edit of the
// view. The source has neither.
func (c *cells) within(e edits.Edit) edits.Edit {
	from, to, ok := c.SourceAt(e.Start)
	if !ok {
		return e
	}
	if heading := string(c.shown.Text[e.Start:max(from, e.Start)]); heading != "" && strings.HasPrefix(e.New, heading) &&
		e.End >= from {
		e.Start, e.New = from, e.New[len(heading):]
	}
	if e.End != to+1 || e.Start < from {
		return e
	}
	e.End = to
	switch shorter, ended := strings.CutSuffix(e.New, "\n"); {
	case ended:
		e.New = strings.TrimSuffix(shorter, "\r")
	case e.New == "" && e.Start > from && c.shown.Text[e.Start-1] == '\n': // the line before becomes the last one
		e.Start--
		if e.Start > from && c.shown.Text[e.Start-1] == '\r' {
			e.Start--
		}
	}
	return e
}

var (
	cellName    = lazyregexp.New(`(?i)^(?:#\s*%%\s*)?(?:cell\s*)?#?(\d+)(?:\s*\[\w+\].*)?$`)
	cellHeading = lazyregexp.New(`^# %%(?: cell \d*)? ?\[(code|markdown|raw)\].*(?:\n|$)`)
)

// placeCell places an edit of whole cells: canon names one, such as "cell 3".
func (c *cells) placeCell(e placing.Request) (where placing.Placement, err error) {
	kind, code := "code", e.Code
	if m := cellHeading.FindStringSubmatch(code); m != nil {
		kind, code = m[1], code[len(m[0]):]
	}
	code = strings.TrimSuffix(code, "\n")
	if e.At != placing.AtDelete && strings.TrimSpace(code) == "" {
		return where, wording.BadValue("code", "code is missing", "send the source of the cell, or at delete")
	}
	number, err := c.numberOf(e)
	if err != nil {
		return where, err
	}
	switch e.At {
	case placing.AtReplace, "":
		return placing.InFile(c.src.Source, edits.Edit(c.SetSource(number, code))), nil
	case placing.AtDelete:
		return placing.InFile(c.src.Source, edits.Edit(c.Delete(number))), nil
	case placing.AtBefore, placing.AtFirst:
		number--
	}
	return placing.InFile(c.src.Source, edits.Edit(c.Insert(number, kind, code))), nil
}

// numberOf returns the number of the cell that an edit names. Without a name, it is the first or the last one.
func (c *cells) numberOf(e placing.Request) (number int, err error) {
	count := len(c.Cells)
	hint := fmt.Sprintf(`send "cell 1" to "cell %d"`, count)
	switch m := cellName.FindStringSubmatch(strings.TrimSpace(e.Canon)); {
	case e.Canon == "" && e.At == placing.AtFirst:
		return 1, nil
	case e.Canon == "" && e.At == placing.AtLast:
		return count, nil
	case count == 0:
		return 0, wording.BadValue("canon", "the notebook has no cells", "insert one with at first and without canon")
	case e.At == placing.AtFirst || e.At == placing.AtLast:
		return 0, wording.BadValue("at", fmt.Sprintf("at is %s, and a cell contains no others", e.At),
			"send before or after, or leave canon out")
	case m == nil:
		return 0, wording.BadValue("canon",
			fmt.Sprintf("canon is %q, and a notebook has cells", wording.Cut(e.Canon, 60)), hint)
	default:
		if number, err = strconv.Atoi(m[1]); err != nil || number < 1 || number > count {
			return 0, wording.BadValue("canon", fmt.Sprintf("there is no cell %s", m[1]), hint)
		}
	}
	return number, nil
}

// shownPlaces returns the text of a file as a model reads it, and a function that returns where a place of its own text
// is in that.
func (s *source) shownPlaces(ctx context.Context) (shown *source, place func(at placing.Span) placing.Span) {
	all, _, err := s.cells()
	if err != nil || all == nil {
		return s, func(at placing.Span) placing.Span { return at }
	}
	noteSecrets(ctx, all.shown.File)
	return all.shown, func(at placing.Span) placing.Span {
		return placing.Span{Start: all.Offset(at.Start), End: all.Offset(at.End)}
	}
}

// inCells gives matches in the view their cells, and their places in the JSON.
func (c *cells) inCells(matches []textMatch) {
	for i := range matches {
		m := &matches[i]
		m.Cell, m.FileHash = c.CellAt(m.StartByte), c.src.Hash
		m.StartByte, m.EndByte = c.Raw(m.StartByte), c.Raw(m.EndByte)
	}
}
