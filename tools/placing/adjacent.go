package placing

import (
	"slices"
	"strings"

	"ploke-lsp/edits"
	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/internal/syntax"
)

// placer makes the edits that put code next to symbols, into them, or in their place, and that remove them.
type placer struct{ neighborhood }

func newPlacer(src *SourceFile) placer { return placer{neighborhood{src}} }

// insertBefore puts code before a symbol and its doc comment: on lines of its own, or on the
// symbol's line if something else is before it there. For a top-level symbol the complete line
// counts, as for a typedef.
func (p placer) insertBefore(sym syntax.Symbol, code string) edits.Edit {
	if p.isBarSeparated(sym) {
		return p.insertBarBefore(sym, code)
	}
	if p.isArgument(sym) {
		return p.insertArgument(sym, AtBefore, code)
	}
	sym = p.chainFor(sym, code)[0]
	a := p.surroundingsOf(sym)
	base := p.indentAt(a.start)
	text := reindent(p.withSeparator(sym, a, code), base, p.Language)
	if !a.begins && !a.top {
		tokens, comment := p.withoutSeparator(code, a)
		text = reindent(tokens, base, p.Language) + p.joiner(a.separator) + strings.TrimSpace(comment)
		places := []edits.Edit{{Start: a.start, End: a.start, New: text + p.newlineAfterComment(code, base)}}
		if at := p.LineStart(p.docStart(sym)); p.inStatement(sym, a) {
			places = append(places,
				edits.Edit{Start: at, End: at, New: base + reindent(code, base, p.Language) + "\n" + gap(sym.Kind)})
		}
		return p.bestParse(places)
	}
	at := p.LineStart(a.start)
	if p.isDocument(sym) {
		return edits.Edit{Start: at, End: at, New: text + "\n---\n"}
	}
	return edits.Edit{Start: at, End: at, New: base + text + "\n" + gap(sym.Kind)}
}

// insertAfter puts code after a symbol: on lines of its own, or on the symbol's line if
// something else is behind it there.
func (p placer) insertAfter(sym syntax.Symbol, code string) edits.Edit {
	if p.isBarSeparated(sym) {
		return p.insertBarAfter(sym, code)
	}
	if p.isArgument(sym) {
		return p.insertArgument(sym, AtAfter, code)
	}
	chain := p.chainFor(sym, code)
	sym = chain[len(chain)-1]
	a := p.surroundingsOf(sym)
	base := p.indentAt(sym.Start)
	text := base + reindent(p.withSeparator(sym, a, code), base, p.Language)
	line := p.LineEnd(a.end)
	switch {
	case p.isDocument(sym):
		return p.insertLines(max(a.end-1, p.LineEnd(a.end-1)), "\n---\n"+text)
	case p.Text[a.end-1] == '\n':
		return edits.Edit{Start: a.end, End: a.end, New: text + "\n" + gap(sym.Kind)}
	case !a.ends && !a.top:
		places := []edits.Edit{p.insertBehind(a, code, base)}
		if p.inStatement(sym, a) {
			places = append(places, p.insertLines(line, "\n"+gap(sym.Kind)+base+reindent(code, base, p.Language)))
		}
		return p.bestParse(places)
	case !a.list || a.after >= 0:
		return p.insertLines(line, "\n"+gap(sym.Kind)+text)
	}
	// Behind the last element of a list: that element gets a separator, and code needs none.
	tokens, comment := p.withoutSeparator(text, a)
	behind := strings.TrimRight(string(p.Text[sym.End:line]), "\r")
	return edits.Edit{Start: sym.End, End: sym.End + len(behind),
		New: a.separator + behind + "\n" + gap(sym.Kind) + tokens + comment}
}

// isDocument reports whether a symbol is one of several YAML documents. A document is named
// after a value in it, and separated from others by a line of dashes.
func (n neighborhood) isDocument(sym syntax.Symbol) bool {
	return n.Language == "yaml" && sym.Parent < 0 && sym.NameStart > n.LineEnd(sym.Start) &&
		sym.Start == n.LineStart(sym.Start) && n.Text[sym.Start] != '-'
}

// inStatement reports whether a symbol is in a list that is part of a statement, as in "const a
// = 1, b = 2". Code may be another element of the list, or a statement next to it.
func (n neighborhood) inStatement(sym syntax.Symbol, a surroundings) bool {
	return a.list && (sym.Parent < 0 || n.LineStart(sym.Start) > n.Syntax().Symbols[sym.Parent].Start)
}

// docStart returns where the doc comment above a symbol begins, even if other symbols are
// before it on its line. Without a doc comment it is the symbol's start.
func (n neighborhood) docStart(sym syntax.Symbol) int {
	if sym.DocStart < sym.DocEnd && sym.DocEnd <= sym.Start && n.skip(sym.DocEnd) >= n.LineStart(sym.Start) {
		return sym.DocStart
	}
	return sym.Start
}

// insertBehind puts code behind a symbol on its line. Code of several lines goes on the next
// line if the symbol begins its line.
func (p placer) insertBehind(a surroundings, code, base string) edits.Edit {
	tokens, comment := p.withoutSeparator(code, a)
	joint := p.joiner(a.separator)
	if a.after >= 0 && a.after <= a.end { // a comment is behind the separator
		tokens, joint = tokens+a.separator, " "
	}
	if a.begins && strings.Contains(strings.TrimSpace(code), "\n") {
		joint = strings.TrimRight(joint, " ") + "\n" + base
	}
	text := reindent(tokens+comment, base, p.Language)
	return edits.Edit{Start: a.end, End: a.end, New: joint + text + p.newlineAfterComment(code, base)}
}

// insertLines inserts text, which begins with a newline, at the end of a line.
func (p placer) insertLines(at int, text string) edits.Edit {
	if at > 0 && at < len(p.Text) && p.Text[at-1] == '\r' {
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
func (p placer) remove(sym syntax.Symbol) (edits.Edit, error) {
	if other, ok := p.coDeclared(sym); ok {
		return edits.Edit{}, partOfMore(sym, " with "+other.Canon)
	}
	if p.declarationEnd(sym) > sym.End {
		return edits.Edit{}, partOfMore(sym, " of variables")
	}
	if p.onlyField(sym) {
		return edits.Edit{}, partOfMore(sym, " that has no other field")
	}
	if p.isBarSeparated(sym) {
		return p.removeBarred(sym)
	}
	if p.isArgument(sym) {
		return p.removeArgument(sym), nil
	}
	if chain := p.chain(sym); len(chain) > 1 && chain[0].Start == sym.Start {
		return p.removeHead(chain), nil
	}
	a := p.surroundingsOf(sym)
	switch {
	case a.list && a.after < 0 && a.before >= 0:
		return p.removeLast(sym, a), nil
	case a.begins && a.ends:
		return p.removeLines(a), nil
	}
	end := max(a.end, a.after)
	for end < len(p.Text) && a.after >= 0 && (p.Text[end] == ' ' || p.Text[end] == '\t') {
		end++
	}
	return edits.Edit{Start: a.start, End: end}, nil
}

// removeLast deletes the last element of a list with the separator before it. Comments behind
// that separator and the end of the list stay.
func (p placer) removeLast(sym syntax.Symbol, a surroundings) edits.Edit {
	kept := strings.TrimRight(string(p.Text[a.before+1:a.start]), " \t\r\n")
	end, line := a.end, p.LineEnd(a.end)
	switch {
	case a.begins && a.ends:
		end = line - len(p.Text[end:line]) + len(strings.TrimRight(string(p.Text[end:line]), "\r"))
	case kept != "":
		kept += "\n" + p.indentAt(a.start)
	}
	return edits.Edit{Start: a.before, End: end, New: kept}
}

// removeLines deletes whole lines, so that as many empty lines stay between what is above and below as the longer of
// both gaps had; none where a block or the file begins or ends.
func (p placer) removeLines(a surroundings) edits.Edit {
	start, end := p.LineStart(a.start), a.end
	if p.Text[end-1] != '\n' {
		end = min(p.LineEnd(end)+1, len(p.Text))
	}
	above, below := p.emptyAbove(start), p.emptyBelow(end)
	next := strings.TrimLeft(string(p.Text[below:p.LineEnd(below)]), " \t")
	switch {
	case below == len(p.Text), next != "" && strings.ContainsAny(next[:1], "})]"), blockEnd.MatchString(next):
		return edits.Edit{Start: above, End: below}
	case above == 0, above == start && p.opensBlock(start):
		return edits.Edit{Start: above, End: below}
	}
	for range strings.Count(string(p.Text[above:start]), "\n") {
		end = min(p.LineEnd(end)+1, below)
	}
	return edits.Edit{Start: start, End: end}
}

// blockEnd matches the line that ends a block in languages without braces.
var blockEnd = lazyregexp.New(`^(?:end\b|</|\*/)`)

// emptyAbove returns the start of the empty lines above the line that starts at an offset.
func (p placer) emptyAbove(start int) int {
	for start > 0 {
		line := p.LineStart(start - 1)
		if strings.TrimSpace(string(p.Text[line:start])) != "" {
			break
		}
		start = line
	}
	return start
}

// emptyBelow returns the end of the empty lines from the line that starts at an offset.
func (p placer) emptyBelow(start int) int {
	for start < len(p.Text) && strings.TrimSpace(string(p.Text[start:p.LineEnd(start)])) == "" {
		start = min(p.LineEnd(start)+1, len(p.Text))
	}
	return start
}

// opensBlock reports whether the line above one is indented less, so that a block begins between them.
func (p placer) opensBlock(start int) bool {
	line := func(from int) string { return string(p.Text[from:p.LineEnd(from)]) }
	return len(indentOf(line(p.LineStart(start-1)))) < len(indentOf(line(start)))
}
