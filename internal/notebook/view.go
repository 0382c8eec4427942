package notebook

import (
	"fmt"
	"sort"
	"strings"
)

// View is a notebook as text: each cell under a heading, with its source and a line end. Offsets are in bytes of the
// text.
type View struct {
	Text  []byte
	nb    *Notebook
	cells []viewedCell
}

// viewedCell is where a cell is in the text: its heading from start on, its source from source to end.
type viewedCell struct{ start, source, end int }

// View returns the notebook as text.
func (nb *Notebook) View() *View {
	var b strings.Builder
	v := &View{nb: nb}
	for i, c := range nb.Cells {
		at := viewedCell{start: b.Len()}
		fmt.Fprintf(&b, "# %%%% cell %d [%s]%s\n", i+1, c.Type, c.left())
		at.source = b.Len()
		b.WriteString(c.Source)
		at.end = b.Len()
		b.WriteByte('\n')
		v.cells = append(v.cells, at)
	}
	v.Text = []byte(b.String())
	return v
}

// left says what the view leaves out.
func (c *Cell) left() string {
	switch {
	case c.Outputs == 0:
		return ""
	case c.Outputs < 1<<10:
		return fmt.Sprintf(", %d bytes of outputs left out", c.Outputs)
	}
	return fmt.Sprintf(", %d KB of outputs left out", c.Outputs>>10)
}

// CellAt returns the number of the cell, counted from 1, that an offset is in, with its heading; 0
// if there are no cells.
func (v *View) CellAt(offset int) int {
	return sort.Search(len(v.cells), func(i int) bool { return v.cells[i].start > offset })
}

// In returns the number of the cell whose source has a range. ok is false if it is not in one cell's source.
func (v *View) In(start, end int) (number int, ok bool) {
	number = v.CellAt(start)
	if number == 0 {
		return 0, false
	}
	at := v.cells[number-1]
	return number, at.source <= start && end <= at.end
}

// SourceAt returns where the source of the cell is that an offset is in, with its heading. ok is false without cells.
func (v *View) SourceAt(offset int) (start, end int, ok bool) {
	number := v.CellAt(offset)
	if number == 0 {
		return 0, 0, false
	}
	return v.cells[number-1].source, v.cells[number-1].end, true
}

// Raw returns the offset in the notebook's JSON for one in the view; that of the cell, if it is in a heading.
func (v *View) Raw(offset int) int {
	number := v.CellAt(offset)
	if number == 0 {
		return v.nb.list
	}
	at, c := v.cells[number-1], &v.nb.Cells[number-1]
	switch {
	case offset < at.source:
		return c.start
	case len(c.at) == 0:
		return c.source.start
	}
	return c.at[min(offset, at.end)-at.source]
}

// Offset returns the offset in the view for one in the notebook's JSON: in the source of the cell that it is in, at its
// heading, or at the next heading.
func (v *View) Offset(raw int) int {
	i := sort.Search(len(v.nb.Cells), func(i int) bool { return v.nb.Cells[i].end > raw })
	if i == len(v.cells) {
		return len(v.Text)
	}
	at, c := v.cells[i], &v.nb.Cells[i]
	if raw < c.source.start || len(c.at) == 0 {
		return at.start
	}
	return min(at.source+sort.SearchInts(c.at, raw), at.end)
}
