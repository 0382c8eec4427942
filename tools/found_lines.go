package tools

import (
	"fmt"
	"slices"
	"strings"

	"ploke-lsp/tools/wording"
)

// foundBytes bounds the text of a list of lines.
const foundBytes = 16 << 10

// foundLines writes lines of files, each file under a heading. Once the text has foundBytes, it
// only counts lines.
type foundLines struct {
	w    *wording.Writer
	from int    // where the list begins in the text
	file string // whose heading was written last
	// proposed is the id of the proposal that the lines that are added next come from, or "".
	proposed string
	cut      []fileLines
}

func newFoundLines(w *wording.Writer) *foundLines { return &foundLines{w: w, from: w.Len()} }

// add writes the text of count lines of a file, and reports whether it fitted.
func (l *foundLines) add(file string, count int, text string) bool {
	text = wording.EndLine(text)
	if file != l.file {
		text = wording.EndLine(wording.Marked(l.w.Path(file), l.proposed)) + text
	}
	if len(l.cut) > 0 || l.w.Len()-l.from+len(text) > foundBytes {
		if n := len(l.cut); n == 0 || l.cut[n-1].File != file {
			l.cut = append(l.cut, fileLines{File: file})
		}
		l.cut[len(l.cut)-1].Lines += count
		return false
	}
	l.file = file
	l.w.Line(text)
	return true
}

// section begins a part of the list in which each file has a heading again.
func (l *foundLines) section(heading string) {
	if len(l.cut) == 0 {
		l.w.Line(heading)
	}
	l.file = ""
}

// leftOut are lines that a result lacks.
type leftOut struct {
	Omitted      int         `json:"omitted"`                  // count of lines, or of files if only these are listed
	LeftOut      []fileLines `json:"left_out,omitempty"`       // the first files that have such lines
	LeftOutFiles int         `json:"left_out_files,omitempty"` // the count of all of them
}

// leftOutFiles is how many files with lines that are left out are named.
const leftOutFiles = 6

// add notes lines of a file.
func (o *leftOut) add(file string, lines int) {
	o.Omitted += lines
	if n := len(o.LeftOut); n > 0 && o.LeftOut[n-1].File == file {
		o.LeftOut[n-1].Lines += lines
		return
	}
	if o.LeftOutFiles++; len(o.LeftOut) < leftOutFiles {
		o.LeftOut = append(o.LeftOut, fileLines{file, lines})
	}
}

// end says which lines are missing: those that did not fit, and those that the result lacks.
func (l *foundLines) end(lacks leftOut, noun, hint string) {
	var all leftOut
	for _, f := range append(slices.Clone(l.cut), lacks.LeftOut...) {
		all.add(f.File, f.Lines)
	}
	all.LeftOutFiles += lacks.LeftOutFiles - len(lacks.LeftOut)
	for _, f := range lacks.LeftOut {
		all.Omitted -= f.Lines
	}
	if all.Omitted += lacks.Omitted; all.Omitted == 0 {
		return
	}
	var files []string
	for _, f := range all.LeftOut {
		files = append(files, fmt.Sprintf("%s %d", l.w.Path(f.File), f.Lines))
	}
	if all.LeftOutFiles > len(files) {
		files = append(files, "…")
	}
	l.w.Linef("%d more %s in %s (%s): %s", all.Omitted, wording.NounOf(all.Omitted, noun),
		wording.Plural(all.LeftOutFiles, "file"), strings.Join(files, ", "), hint)
}
