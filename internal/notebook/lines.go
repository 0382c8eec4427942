package notebook

import "bytes"

// Lines of a view, of its file and of a cell's source count from 1.

// FileLine returns the line of the file that has a line of the view.
func (v *View) FileLine(shown int) int { return lineOf(v.nb.Text, v.Raw(lineStart(v.Text, shown))) }

// ShownLine returns the line of the view that a line of the file has first: a line of a source, or else the heading of
// the cell.
func (v *View) ShownLine(file int) int { return lineOf(v.Text, v.Offset(lineStart(v.nb.Text, file))) }

// CellLine returns the cell of a line of the view, and which line of the cell's source it is: 0 for the heading.
// Without cells both are 0.
func (v *View) CellLine(shown int) (cell, line int) {
	offset := min(lineStart(v.Text, shown), max(0, len(v.Text)-1))
	cell = v.CellAt(offset)
	if cell == 0 {
		return 0, 0
	}
	return cell, lineOf(v.Text, offset) - lineOf(v.Text, v.cells[cell-1].start)
}

// SourceLines returns the lines of the view that a cell's source has, its first and its last one. ok is false if there
// is no such cell.
func (v *View) SourceLines(cell int) (first, last int, ok bool) {
	if cell < 1 || cell > len(v.cells) {
		return 0, 0, false
	}
	at := v.cells[cell-1]
	return lineOf(v.Text, at.source), lineOf(v.Text, at.end), true
}

// lineStart returns the offset at which a line begins; the length of the text if it has no such line.
func lineStart(text []byte, line int) (offset int) {
	for range line - 1 {
		end := bytes.IndexByte(text[offset:], '\n')
		if end < 0 {
			return len(text)
		}
		offset += end + 1
	}
	return offset
}

func lineOf(text []byte, offset int) int {
	return 1 + bytes.Count(text[:min(offset, len(text))], []byte("\n"))
}
