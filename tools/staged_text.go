package tools

import (
	"fmt"
	"strings"

	"ploke-lsp/tools/placing"
	"ploke-lsp/tools/wording"
)

// Text writes the files with what the call's edits have made of them, and what is wrong with them.
func (r stagedResult) Text(w *wording.Writer) {
	several := len(r.Edits) > 0 && r.Edits[len(r.Edits)-1].Edit > 0
	for _, f := range r.Files {
		w.Line(f.line(w))
		for rest := r.echoesOf(f); len(rest) > 0; {
			group := groupOf(rest)
			echoText(w, group, several)
			rest = rest[len(group):]
		}
		for _, e := range f.SyntaxErrors {
			w.Linef("line %d: new syntax error: %s", e.Line, e.Message)
		}
		if f.MoreErrors > 0 {
			w.Linef("%s more", wording.Plural(f.MoreErrors, "new syntax error"))
		}
	}
	if r.FilesOmitted > 0 {
		w.Linef("and %s in %s more", wording.Plural(r.PlacesOmitted, "place"), wording.Plural(r.FilesOmitted, "file"))
	}
	if r.CodeOmitted > 0 {
		w.Linef("code of %s is not shown", wording.Plural(r.CodeOmitted, "edit"))
	}
	for _, e := range r.Edits {
		e.leftText(w)
	}
	r.Importers.text(w)
	w.Line(r.Note)
}

// line returns what is staged for a file.
func (f stagedFile) line(w *wording.Writer) string {
	line := w.Path(f.File)
	switch {
	case f.Deleted:
		return line + ": deleted"
	case f.RenamedTo != "":
		line += " renamed to " + w.Path(f.RenamedTo)
	}
	if f.FileHash != "" {
		line += ", file hash " + w.Hash(f.FileHash)
	}
	return line
}

// echoesOf returns what the edits have made of a file.
func (r stagedResult) echoesOf(f stagedFile) (all []editEcho) {
	for _, e := range r.Edits {
		if e.File == f.current() {
			all = append(all, e)
		}
	}
	return all
}

// groupOf returns the first echoes that one line can tell: new lines in the same symbol, without code.
func groupOf(all []editEcho) []editEcho {
	first := all[0]
	plain := func(e editEcho) bool {
		return e.Note == "" && len(e.Lines)+len(e.Snippets) == 0 && e.EndLine >= e.StartLine &&
			(e.Symbol == nil) == (first.Symbol == nil) && (e.Symbol == nil || *e.Symbol == *first.Symbol)
	}
	end := 1
	for plain(first) && end < len(all) && plain(all[end]) {
		end++
	}
	return all[:end]
}

// echoText writes where the new lines of a group of edits are now, and the code if it is shown.
func echoText(w *wording.Writer, group []editEcho, several bool) {
	e, line := group[0], group[0].where()
	if len(group) > 1 {
		var ranges []string
		for _, other := range group {
			ranges = append(ranges, wording.LineRange(other.StartLine, other.EndLine))
		}
		line = "lines " + strings.Join(ranges, ", ")
	}
	if several {
		line = fmt.Sprintf("edits[%s]: %s", indexesOf(group), line)
	}
	if s := e.Symbol; s != nil {
		line += fmt.Sprintf(" in %s (%s", s.Canon, wording.LineRange(s.StartLine, s.EndLine))
		if s.Hash != "" {
			line += ", hash " + w.Hash(s.Hash)
		}
		line += ")"
	}
	if e.Note != "" {
		line += "; " + e.Note
	}
	w.Line(line)
	for i, snippet := range e.Snippets {
		if i > 0 {
			w.Line("…")
		}
		w.Shown(snippet)
	}
}

// indexesOf returns the indexes of edits in the call, as in "0-3, 5".
func indexesOf(group []editEcho) string {
	var ranges []string
	for i := 0; i < len(group); {
		first := group[i].Edit
		for i++; i < len(group) && group[i].Edit == group[i-1].Edit+1; i++ {
		}
		ranges = append(ranges, wording.LineRange(first, group[i-1].Edit))
	}
	return strings.Join(ranges, ", ")
}

// where returns the edit's new lines in words.
func (e editEcho) where() string {
	switch {
	case len(e.Lines) == 1:
		return wording.LinesInWords(e.Lines[0], e.Lines[0])
	case len(e.Lines) > 0:
		lines := "lines " + strings.Trim(strings.Join(strings.Fields(fmt.Sprint(e.Lines)), ", "), "[]")
		if e.MoreLines > 0 {
			lines += fmt.Sprintf(" and %d more", e.MoreLines)
		}
		return lines
	case e.EndLine < e.StartLine:
		return fmt.Sprintf("removed before line %d", e.StartLine)
	}
	return wording.LinesInWords(e.StartLine, e.EndLine)
}

// leftText writes the places that a rename has left.
func (e editEcho) leftText(w *wording.Writer) {
	if len(e.Left) == 0 {
		return
	}
	w.Line("left as they are:")
	placing.WriteLines(w, e.Left)
	if e.LeftOmitted > 0 {
		w.Linef("and %s more", wording.Plural(e.LeftOmitted, "place"))
	}
}
