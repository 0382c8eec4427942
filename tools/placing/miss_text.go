package placing

import (
	"encoding/json"
	"fmt"
	"strings"

	"ploke-lsp/tools/wording"
)

// WriteLines writes lines of code under a heading for each file.
func WriteLines(w *wording.Writer, list []CodeLine) {
	file := ""
	for _, l := range list {
		if l.File != file {
			file = l.File
			w.Line(w.Path(file))
		}
		line := fmt.Sprintf("%d: %s", l.Line, strings.TrimSpace(l.Text))
		if l.In != "" {
			line += " (in " + l.In + ")"
		}
		w.Line(line)
	}
}

// WriteLinesOfCode writes a failure's candidates if they are lines of code.
func WriteLinesOfCode(w *wording.Writer, candidates []json.RawMessage) bool {
	var list []CodeLine
	for _, raw := range candidates {
		var l CodeLine
		if !wording.DecodesAs(raw, &l) || l.Line == 0 {
			return false
		}
		list = append(list, l)
	}
	WriteLines(w, list)
	return true
}

// WriteNearMiss writes a failure's candidate if it is the place that is most similar to old: its lines,
// then how old differs.
func WriteNearMiss(w *wording.Writer, raw json.RawMessage) bool {
	var n nearMiss
	if !wording.DecodesAs(raw, &n) || n.Snippet == "" || n.StartLine == 0 {
		return false
	}
	w.Shown(n.Snippet)
	w.Note(n.Cut)
	for _, d := range n.Differences {
		switch d.Kind {
		case lineMissing:
			w.Linef("line %d: old lacks it", d.Line)
		case lineExtra:
			w.Linef("after line %d, only old has: %s", d.Line, d.Old)
		default:
			w.Linef("line %d: old has: %s", d.Line, d.Old)
		}
		w.Note(d.CodePoints)
	}
	if n.More > 0 {
		w.Linef("%s more", wording.Plural(n.More, "difference"))
	}
	return true
}
