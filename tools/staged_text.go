package tools

import "strings"

// Text writes the files with the lines that have changed, then what is wrong with them.
func (r stagedResult) Text(w *TextWriter) {
	for _, f := range r.Files {
		w.Line(f.line(w))
		for _, e := range f.SyntaxErrors {
			w.Linef("  line %d: syntax error: %s", e.Line, e.Message)
		}
		if f.MoreErrors > 0 {
			w.Linef("  %s more", plural(f.MoreErrors, "syntax error"))
		}
	}
	w.Line(r.Note)
}

// lineWord returns "line" or "lines", as fits before the ranges of hunks.
func lineWord(hunks []stagedHunk) string {
	if len(hunks) == 1 && hunks[0].EndLine <= hunks[0].StartLine {
		return "line"
	}
	return "lines"
}

// line returns what is staged for a file.
func (f stagedFile) line(w *TextWriter) string {
	line := w.Path(f.File)
	switch {
	case f.Deleted:
		return line + ": deleted"
	case f.RenamedTo != "":
		line += " renamed to " + w.Path(f.RenamedTo)
	}
	if len(f.Hunks) == 0 {
		return line
	}
	var lines []string
	for _, h := range f.Hunks {
		lines = append(lines, lineRangeText(h.StartLine, h.EndLine))
	}
	line += ": " + lineWord(f.Hunks) + " " + strings.Join(lines, ", ")
	if f.Omitted > 0 {
		line += ", " + plural(f.Omitted, "more hunk")
	}
	return line
}
