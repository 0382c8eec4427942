package placing

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"ploke-lsp/edits"
	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/internal/notebook"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/tools/wording"
)

// A model reads a notebook as its cells, and edits it by cell. What is staged are edits of the file's JSON.

// Cells is a notebook as a model reads it.
type Cells struct {
	*notebook.Notebook
	*notebook.View
	Src   *SourceFile // with the JSON
	Shown *SourceFile // with the text of the view
}

// CellsOf returns the cells of a file if it is a notebook, else nil. problem says why a file with the name of one is
// read as text.
func CellsOf(s *SourceFile) (all *Cells, problem string, err error) {
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
	return &Cells{nb, v, s, &SourceFile{File: &file, Rel: s.Rel}}, "", nil
}

// Place finds where an edit goes in the JSON: an edit of text in one cell, or of whole cells.
func (c *Cells) Place(e Request) (where Placement, err error) {
	switch e.Mode {
	case ModeReplace:
		return c.placeReplacement(e)
	case ModeCanonical:
		return c.placeCell(e)
	}
	return where, wording.BadValue("mode", "a notebook has no symbols that can be renamed",
		"change each cell with old and new")
}

// placeReplacement finds old in the view. Each place must be in one cell's source.
func (c *Cells) placeReplacement(e Request) (where Placement, err error) {
	found, err := ByText(c.Shown, e)
	if err != nil {
		return where, err
	}
	where = InFile(c.Src)
	where.Note, where.Adapted = found.Note, found.Adapted
	for _, p := range found.Files[0].Edits {
		at := c.within(p.Edit)
		if _, ok := c.In(at.Start, at.End); !ok {
			return Placement{},
				&wording.Failure{Message: fmt.Sprintf("old is in the heading of cell %d, or in more than one cell",
					c.CellAt(p.Start)), Code: "not_in_one_cell", Field: "old",
					Hint: "edit the source of each cell on its own; " +
						"canon \"cell 1\" with at and code inserts, replaces or deletes a cell"}
		}
		where.Files[0].Edits = append(where.Files[0].Edits,
			Placed{Edit: edits.Edit(c.Replace(at.Start, at.End, c.withLineEnds(at)))})
	}
	return where, nil
}

// withLineEnds returns the new text of an edit of a cell's source, with the line ends of the source.
func (c *Cells) withLineEnds(e edits.Edit) string {
	from, to, _ := c.SourceAt(e.Start)
	return edits.WithLineEnds(c.Shown.Text[from:to], edits.Edit{Start: e.Start - from, End: e.End - from, New: e.New})
}

// within takes the heading before a cell's source and the line end behind it out of an edit of the
// view. The source has neither.
func (c *Cells) within(e edits.Edit) edits.Edit {
	from, to, ok := c.SourceAt(e.Start)
	if !ok {
		return e
	}
	if heading := string(c.Shown.Text[e.Start:max(from, e.Start)]); heading != "" && strings.HasPrefix(e.New, heading) &&
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
	case e.New == "" && e.Start > from && c.Shown.Text[e.Start-1] == '\n': // the line before becomes the last one
		e.Start--
		if e.Start > from && c.Shown.Text[e.Start-1] == '\r' {
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
func (c *Cells) placeCell(e Request) (where Placement, err error) {
	kind, code := "code", e.Code
	if m := cellHeading.FindStringSubmatch(code); m != nil {
		kind, code = m[1], code[len(m[0]):]
	}
	code = strings.TrimSuffix(code, "\n")
	if e.At != AtDelete && strings.TrimSpace(code) == "" {
		return where, wording.BadValue("code", "code is missing", "send the source of the cell, or at delete")
	}
	number, err := c.numberOf(e)
	if err != nil {
		return where, err
	}
	switch e.At {
	case AtReplace, "":
		return InFile(c.Src, edits.Edit(c.SetSource(number, code))), nil
	case AtDelete:
		return InFile(c.Src, edits.Edit(c.Delete(number))), nil
	case AtBefore, AtFirst:
		number--
	}
	return InFile(c.Src, edits.Edit(c.Insert(number, kind, code))), nil
}

// numberOf returns the number of the cell that an edit names. Without a name, it is the first or the last one.
func (c *Cells) numberOf(e Request) (number int, err error) {
	count := len(c.Cells)
	hint := fmt.Sprintf(`send "cell 1" to "cell %d"`, count)
	switch m := cellName.FindStringSubmatch(strings.TrimSpace(e.Canon)); {
	case e.Canon == "" && e.At == AtFirst:
		return 1, nil
	case e.Canon == "" && e.At == AtLast:
		return count, nil
	case count == 0:
		return 0, wording.BadValue("canon", "the notebook has no cells", "insert one with at first and without canon")
	case e.At == AtFirst || e.At == AtLast:
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
