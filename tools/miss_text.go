package tools

import (
	"encoding/json"
	"fmt"
	"strings"

	"ploke-lsp/tools/wording"
)

// writeLines writes lines of code under a heading for each file.
func writeLines(w *wording.Writer, list []lineOfCode) {
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

// writeLinesOfCode writes a failure's candidates if they are lines of code.
func writeLinesOfCode(w *wording.Writer, candidates []json.RawMessage) bool {
	var list []lineOfCode
	for _, raw := range candidates {
		var l lineOfCode
		if !wording.DecodesAs(raw, &l) || l.Line == 0 {
			return false
		}
		list = append(list, l)
	}
	writeLines(w, list)
	return true
}

// writeNearMiss writes a failure's candidate if it is the place that is most similar to old: its lines,
// then how old differs.
func writeNearMiss(w *wording.Writer, raw json.RawMessage) bool {
	var n nearMiss
	if !wording.DecodesAs(raw, &n) || n.Snippet == "" || n.StartLine == 0 {
		return false
	}
	w.Shown(n.Snippet)
	w.Note(n.Cut)
	for _, d := range n.Differences {
		switch d.Kind {
		case missing:
			w.Linef("line %d: old lacks it", d.Line)
		case extra:
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
