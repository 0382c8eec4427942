package tools

import (
	"fmt"
	"strings"
)

// Text writes the lines or files that were found.
func (r searchTextResult) Text(w *TextWriter) {
	list := w.foundLines()
	for _, m := range r.Matches {
		list.proposed = m.Proposed
		list.add(m.File, 1, m.lines())
	}
	for _, f := range r.Files {
		w.Line(f.text(w))
	}
	switch {
	case len(r.Files) > 0 && r.Omitted > 0:
		w.Linef("%d more %s: %s", r.Omitted, nounOf(r.Omitted, "file"), r.Hint)
	case len(r.Matches) > 0:
		list.end(r.leftOut, "line", r.cutHint())
	case len(r.Files) == 0:
		r.nothing(w)
	}
	if r.Unreadable > 0 {
		w.Linef("%s could not be read", plural(r.Unreadable, "file"))
	}
}

// cutHint returns how to get the lines that are not shown.
func (r searchTextResult) cutHint() string {
	if r.Hint == "" { // all lines are in the result, but not in its text
		return "include some of these files, or narrow the pattern"
	}
	return r.Hint
}

// nothing says what was searched, and what to try instead.
func (r searchTextResult) nothing(w *TextWriter) {
	if r.ByName {
		w.Line("no file has such a name")
		for _, path := range r.Similar {
			w.Linef("similar: %s", w.Path(fmt.Sprint(path)))
		}
	} else {
		w.Linef("0 lines in %s", plural(r.Searched, "file"))
	}
	if r.OtherCase > 0 {
		w.Linef("%s with another case: begin the pattern with (?i)", plural(r.OtherCase, "line"))
	}
	w.Note(r.Hint)
}

// lines returns the match and the lines around it, each with its number.
func (m textMatch) lines() string {
	var b strings.Builder
	for i, line := range m.Before {
		fmt.Fprintf(&b, "%d- %s\n", m.Line-len(m.Before)+i, line)
	}
	fmt.Fprintf(&b, "%d: %s\n", m.Line, m.Text)
	for i, line := range m.After {
		fmt.Fprintf(&b, "%d- %s\n", m.Line+1+i, line)
	}
	return b.String()
}

// text returns the file's path, with the number of its lines if these were searched.
func (f fileLines) text(w *TextWriter) string {
	if f.Lines == 0 {
		return w.Path(f.File)
	}
	return fmt.Sprintf("%s: %d", w.Path(f.File), f.Lines)
}
