package placing

import (
	"slices"
	"strings"

	"ploke-lsp/edits"
	"ploke-lsp/internal/syntax"
)

// insertBefore puts code before a symbol and its doc comment: on lines of its own, or on the
// symbol's line if something else is before it there. For a top-level symbol the complete line
// counts, as for a typedef.
func (s *Source) insertBefore(sym syntax.Symbol, code string) edits.Edit {
	if s.isBarSeparated(sym) {
		return s.insertBarBefore(sym, code)
	}
	if s.isArgument(sym) {
		return s.insertArgument(sym, AtBefore, code)
	}
	sym = s.chainFor(sym, code)[0]
	a := s.surroundingsOf(sym)
	base := s.indentAt(a.start)
	text := reindent(s.withSeparator(sym, a, code), base, s.Language)
	if !a.begins && !a.top {
		tokens, comment := s.withoutSeparator(code, a)
		text = reindent(tokens, base, s.Language) + s.joiner(a.separator) + strings.TrimSpace(comment)
		places := []edits.Edit{{Start: a.start, End: a.start, New: text + s.newlineAfterComment(code, base)}}
		if at := s.LineStart(s.docStart(sym)); s.inStatement(sym, a) {
			places = append(places,
				edits.Edit{Start: at, End: at, New: base + reindent(code, base, s.Language) + "\n" + gap(sym.Kind)})
		}
		return s.bestParse(places)
	}
	at := s.LineStart(a.start)
	if s.isDocument(sym) {
		return edits.Edit{Start: at, End: at, New: text + "\n---\n"}
	}
	return edits.Edit{Start: at, End: at, New: base + text + "\n" + gap(sym.Kind)}
}

// insertAfter puts code after a symbol: on lines of its own, or on the symbol's line if
// something else is behind it there.
func (s *Source) insertAfter(sym syntax.Symbol, code string) edits.Edit {
	if s.isBarSeparated(sym) {
		return s.insertBarAfter(sym, code)
	}
	if s.isArgument(sym) {
		return s.insertArgument(sym, AtAfter, code)
	}
	chain := s.chainFor(sym, code)
	sym = chain[len(chain)-1]
	a := s.surroundingsOf(sym)
	base := s.indentAt(sym.Start)
	text := base + reindent(s.withSeparator(sym, a, code), base, s.Language)
	line := s.LineEnd(a.end)
	switch {
	case s.isDocument(sym):
		return s.insertLines(max(a.end-1, s.LineEnd(a.end-1)), "\n---\n"+text)
	case s.Text[a.end-1] == '\n':
		return edits.Edit{Start: a.end, End: a.end, New: text + "\n" + gap(sym.Kind)}
	case !a.ends && !a.top:
		places := []edits.Edit{s.insertBehind(a, code, base)}
		if s.inStatement(sym, a) {
			places = append(places, s.insertLines(line, "\n"+gap(sym.Kind)+base+reindent(code, base, s.Language)))
		}
		return s.bestParse(places)
	case !a.list || a.after >= 0:
		return s.insertLines(line, "\n"+gap(sym.Kind)+text)
	}
	// Behind the last element of a list: that element gets a separator, and code needs none.
	tokens, comment := s.withoutSeparator(text, a)
	behind := strings.TrimRight(string(s.Text[sym.End:line]), "\r")
	return edits.Edit{Start: sym.End, End: sym.End + len(behind),
		New: a.separator + behind + "\n" + gap(sym.Kind) + tokens + comment}
}

// isDocument reports whether a symbol is one of several YAML documents. A document is named
// after a value in it, and separated from others by a line of dashes.
func (s *Source) isDocument(sym syntax.Symbol) bool {
	return s.Language == "yaml" && sym.Parent < 0 && sym.NameStart > s.LineEnd(sym.Start) &&
		sym.Start == s.LineStart(sym.Start) && s.Text[sym.Start] != '-'
}

// inStatement reports whether a symbol is in a list that is part of a statement, as in "const a
// = 1, b = 2". Code may be another element of the list, or a statement beside it.
func (s *Source) inStatement(sym syntax.Symbol, a surroundings) bool {
	return a.list && (sym.Parent < 0 || s.LineStart(sym.Start) > s.Syntax().Symbols[sym.Parent].Start)
}

// docStart returns where the doc comment above a symbol begins, even if other symbols are
// before it on its line. Without a doc comment it is the symbol's start.
func (s *Source) docStart(sym syntax.Symbol) int {
	if sym.DocStart < sym.DocEnd && sym.DocEnd <= sym.Start && s.skip(sym.DocEnd) >= s.LineStart(sym.Start) {
		return sym.DocStart
	}
	return sym.Start
}

// insertBehind puts code behind a symbol on its line. Code of several lines goes on the next
// line if the symbol begins its line.
func (s *Source) insertBehind(a surroundings, code, base string) edits.Edit {
	tokens, comment := s.withoutSeparator(code, a)
	joint := s.joiner(a.separator)
	if a.after >= 0 && a.after <= a.end { // a comment is behind the separator
		tokens, joint = tokens+a.separator, " "
	}
	if a.begins && strings.Contains(strings.TrimSpace(code), "\n") {
		joint = strings.TrimRight(joint, " ") + "\n" + base
	}
	text := reindent(tokens+comment, base, s.Language)
	return edits.Edit{Start: a.end, End: a.end, New: joint + text + s.newlineAfterComment(code, base)}
}

// insertLines inserts text, which begins with a newline, at the end of a line.
func (s *Source) insertLines(at int, text string) edits.Edit {
	if at > 0 && at < len(s.Text) && s.Text[at-1] == '\r' {
		at--
	}
	return edits.Edit{Start: at, End: at, New: text}
}

// gap returns the blank line between two symbols, for kinds that usually have one.
func gap(kind syntax.Kind) string {
	tight := []syntax.Kind{syntax.KindField, syntax.KindProperty, syntax.KindConstant, syntax.KindVariable,
		syntax.KindMacro}
	if slices.Contains(tight, kind) {
		return ""
	}
	return "\n"
}

// remove deletes a symbol with its comments and its separator. If it has its lines for itself,
// they are deleted, too, and so is a blank line that would be doubled.
func (s *Source) remove(sym syntax.Symbol) (edits.Edit, error) {
	if other, ok := s.coDeclared(sym); ok {
		return edits.Edit{}, partOfMore(sym, " with "+other.Canon)
	}
	if s.declarationEnd(sym) > sym.End {
		return edits.Edit{}, partOfMore(sym, " of variables")
	}
	if s.onlyField(sym) {
		return edits.Edit{}, partOfMore(sym, " that has no other field")
	}
	if s.isBarSeparated(sym) {
		return s.removeBarred(sym)
	}
	if s.isArgument(sym) {
		return s.removeArgument(sym), nil
	}
	if chain := s.chain(sym); len(chain) > 1 && chain[0].Start == sym.Start {
		return s.removeHead(chain), nil
	}
	a := s.surroundingsOf(sym)
	switch {
	case a.list && a.after < 0 && a.before >= 0:
		return s.removeLast(sym, a), nil
	case a.begins && a.ends:
		return s.removeLines(a), nil
	}
	end := max(a.end, a.after)
	for end < len(s.Text) && a.after >= 0 && (s.Text[end] == ' ' || s.Text[end] == '\t') {
		end++
	}
	return edits.Edit{Start: a.start, End: end}, nil
}

// removeLast deletes the last element of a list with the separator before it. Comments behind
// that separator and the end of the list stay.
func (s *Source) removeLast(sym syntax.Symbol, a surroundings) edits.Edit {
	kept := strings.TrimRight(string(s.Text[a.before+1:a.start]), " \t\r\n")
	end, line := a.end, s.LineEnd(a.end)
	switch {
	case a.begins && a.ends:
		end = line - len(s.Text[end:line]) + len(strings.TrimRight(string(s.Text[end:line]), "\r"))
	case kept != "":
		kept += "\n" + s.indentAt(a.start)
	}
	return edits.Edit{Start: a.before, End: end, New: kept}
}

func (s *Source) removeLines(a surroundings) edits.Edit {
	start, end := s.LineStart(a.start), a.end
	if s.Text[end-1] != '\n' {
		end = min(s.LineEnd(end)+1, len(s.Text))
	}
	before := start == 0 || strings.TrimSpace(string(s.Text[s.LineStart(start-1):start])) == ""
	if next := s.LineEnd(end); before && end < len(s.Text) && strings.TrimSpace(string(s.Text[end:next])) == "" {
		end = min(next+1, len(s.Text))
	}
	return edits.Edit{Start: start, End: end}
}
