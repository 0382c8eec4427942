package tools

import (
	"slices"
	"strings"

	"ploke-lsp/edits"
	"ploke-lsp/internal/syntax"
)

// insertBefore puts code before a symbol and its doc comment: on lines of its own,
// or on the symbol's line where something else stands before it there. Around a
// symbol of the file itself the whole line counts, as that of a typedef.
func (s *source) insertBefore(sym syntax.Symbol, code string) edits.Edit {
	a := s.around(sym)
	if !a.begins && !a.top {
		text := reindent(bare(code, a.separator), s.indentAt(a.start), s.language)
		return edits.Edit{Start: a.start, End: a.start, New: text + s.joint(a.separator)}
	}
	base := s.indentAt(a.start)
	at := s.lineStart(a.start)
	return edits.Edit{Start: at, End: at, New: base + reindent(s.ended(sym, a, code), base, s.language) + "\n" + gap(sym.Kind)}
}

// insertAfter puts code after a symbol: on lines of its own, or on the symbol's line
// where something else stands behind it there.
func (s *source) insertAfter(sym syntax.Symbol, code string) edits.Edit {
	a := s.around(sym)
	base := s.indentAt(sym.Start)
	text := base + reindent(s.ended(sym, a, code), base, s.language)
	line := s.lineEnd(sym.End)
	switch {
	case s.Text[sym.End-1] == '\n':
		return edits.Edit{Start: sym.End, End: sym.End, New: text + "\n" + gap(sym.Kind)}
	case !a.ends && !a.top:
		text := reindent(bare(code, a.separator), base, s.language)
		return edits.Edit{Start: sym.End, End: sym.End, New: s.joint(a.separator) + text}
	case a.separator != "," || a.after >= 0:
		return s.insertLines(line, "\n"+gap(sym.Kind)+text)
	}
	// The last of a list: its end gets a comma, and code needs none.
	behind := strings.TrimRight(string(s.Text[sym.End:line]), "\r")
	return edits.Edit{Start: sym.End, End: sym.End + len(behind), New: "," + behind + "\n" + gap(sym.Kind) + bare(text, ",")}
}

// insertLines inserts text, which begins with a newline, at the end of a line.
func (s *source) insertLines(at int, text string) edits.Edit {
	if at > 0 && at < len(s.Text) && s.Text[at-1] == '\r' {
		at--
	}
	return edits.Edit{Start: at, End: at, New: text}
}

// gap is the blank line between two symbols of a kind that usually has one.
func gap(kind syntax.Kind) string {
	tight := []syntax.Kind{syntax.KindField, syntax.KindProperty, syntax.KindConstant, syntax.KindVariable, syntax.KindMacro}
	if slices.Contains(tight, kind) {
		return ""
	}
	return "\n"
}

// remove deletes a symbol with its doc comment and its separator; where it has its
// lines for itself, with those lines and the blank line that would be left double.
func (s *source) remove(sym syntax.Symbol) edits.Edit {
	a := s.around(sym)
	switch {
	case a.separator == "," && a.after < 0 && a.before >= 0:
		return s.removeLast(sym, a)
	case a.begins && a.ends:
		return s.removeLines(sym, a)
	}
	end := sym.End
	if a.after >= 0 {
		end = a.after + 1
	}
	for end < len(s.Text) && a.after >= 0 && (s.Text[end] == ' ' || s.Text[end] == '\t') {
		end++
	}
	return edits.Edit{Start: a.start, End: end}
}

// removeLast deletes the last of a list with the comma before it. Comments behind
// that comma stay, and so does what ends the list.
func (s *source) removeLast(sym syntax.Symbol, a surroundings) edits.Edit {
	kept := strings.TrimRight(string(s.Text[a.before+1:a.start]), " \t\r\n")
	end, line := sym.End, s.lineEnd(sym.End)
	switch {
	case a.begins && a.ends:
		end = line - len(s.Text[sym.End:line]) + len(strings.TrimRight(string(s.Text[sym.End:line]), "\r"))
	case kept != "":
		kept += "\n" + s.indentAt(a.start)
	}
	return edits.Edit{Start: a.before, End: end, New: kept}
}

func (s *source) removeLines(sym syntax.Symbol, a surroundings) edits.Edit {
	start, end := s.lineStart(a.start), sym.End
	if s.Text[end-1] != '\n' {
		end = min(s.lineEnd(end)+1, len(s.Text))
	}
	before := start == 0 || strings.TrimSpace(string(s.Text[s.lineStart(start-1):start])) == ""
	if next := s.lineEnd(end); before && end < len(s.Text) && strings.TrimSpace(string(s.Text[end:next])) == "" {
		end = min(next+1, len(s.Text))
	}
	return edits.Edit{Start: start, End: end}
}
