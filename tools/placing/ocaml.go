package placing

import (
	"strings"

	"ploke-lsp/edits"
	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/internal/syntax"
)

// In OCaml, bars separate the constructors of a type, and semicolons the fields of a record.
// "and" chains declarations, and only the first has the keyword. A declaration in a function's
// body ends in "in".

var (
	mlIn   = lazyregexp.New(`^in\b`)
	mlAnd  = lazyregexp.New(`^and\b`)
	mlHead = lazyregexp.New(`^(?:type(?:\s+nonrec)?|let(?:%\w+)?(?:\s+rec)?|class(?:\s+type)?|module(?:\s+rec)?)\b`)
)

// separatorML returns the separator of an OCaml symbol, and whether it separates a list.
func (n neighborhood) separatorML(sym syntax.Symbol, next byte) (separator string, list bool) {
	switch parent := n.kindOf(sym.Parent); {
	case sym.Kind == syntax.KindField && (parent == syntax.KindStruct || parent == syntax.KindConstant):
		return ";", true
	case sym.Kind == syntax.KindFunction && next == 'i' && mlIn.Match(n.Text[n.skip(sym.End):]):
		return "in", false
	}
	return "", false
}

// kindOf returns the kind of a symbol by its index, "" for -1.
func (n neighborhood) kindOf(symbol int) syntax.Kind {
	if symbol < 0 {
		return ""
	}
	return n.Syntax().Symbols[symbol].Kind
}

// isBarSeparated reports whether a symbol is a constructor of a type.
func (n neighborhood) isBarSeparated(sym syntax.Symbol) bool {
	parent := n.kindOf(sym.Parent)
	return n.isML() && sym.Kind == syntax.KindConstant && (parent == syntax.KindEnum || parent == syntax.KindType)
}

// bar returns the offset of the bar before a constructor, or -1. begins says whether the bar
// begins a line.
func (n neighborhood) bar(sym syntax.Symbol) (at int, begins bool) {
	at = n.skipBack(sym.Start)
	if n.byteAt(at) != '|' {
		return -1, false
	}
	return at, strings.TrimSpace(string(n.Text[n.LineStart(at):at])) == ""
}

// withoutBar returns the code of a constructor without the bar before it.
func withoutBar(code string) string {
	return strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(code), "|"), " ")
}

func (p placer) insertBarBefore(sym syntax.Symbol, code string) edits.Edit {
	bar, begins := p.bar(sym)
	if !begins {
		text := reindent(withoutBar(code), p.indentAt(sym.Start), p.Language)
		return edits.Edit{Start: sym.Start, End: sym.Start, New: text + " | "}
	}
	at, base := p.LineStart(bar), p.indentAt(bar)
	return edits.Edit{Start: at, End: at, New: base + "| " + reindent(withoutBar(code), base, p.Language) + "\n"}
}

func (p placer) insertBarAfter(sym syntax.Symbol, code string) edits.Edit {
	bar, begins := p.bar(sym)
	base, end := p.indentAt(sym.Start), p.docEnd(sym)
	if next := p.skip(end); bar < 0 && p.byteAt(next) == '|' && p.LineStart(next) > end {
		begins, base = true, p.indentAt(next)
	}
	text := "| " + reindent(withoutBar(code), base, p.Language)
	if begins && p.endsLine(end, end) {
		return p.insertLines(p.LineEnd(end), "\n"+base+text)
	}
	return edits.Edit{Start: end, End: end, New: " " + text}
}

// docEnd returns the end of a symbol with the doc comment behind it.
func (n neighborhood) docEnd(sym syntax.Symbol) int {
	if sym.DocStart >= sym.End {
		return sym.DocEnd
	}
	return sym.End
}

// removeBarred deletes a constructor with one of the bars next to it.
func (p placer) removeBarred(sym syntax.Symbol) (edits.Edit, error) {
	bar, begins := p.bar(sym)
	end := p.docEnd(sym)
	switch next := p.skip(end); {
	case bar >= 0 && begins && p.endsLine(end, end):
		return edits.Edit{Start: p.LineStart(bar), End: min(p.LineEnd(end)+1, len(p.Text))}, nil
	case bar >= 0:
		return edits.Edit{Start: bar - len(p.Text[:bar]) + len(strings.TrimRight(string(p.Text[:bar]), " \t")), End: end}, nil
	case p.byteAt(next) == '|':
		return edits.Edit{Start: sym.Start, End: p.skip(next + 1)}, nil
	}
	return edits.Edit{}, partOfMore(sym, " that has no other constructor")
}

// chain returns the declarations that "and" joins with a symbol's, in the file's order.
func (n neighborhood) chain(sym syntax.Symbol) []syntax.Symbol {
	if !n.isML() {
		return []syntax.Symbol{sym}
	}
	var chain []syntax.Symbol
	found := false
	for _, other := range n.members(sym.Parent) {
		if !mlAnd.Match(n.Text[other.Start:]) {
			if found {
				break
			}
			chain = nil
		}
		chain = append(chain, other)
		found = found || other.Start == sym.Start && other.Canon == sym.Canon
	}
	if !found {
		return []syntax.Symbol{sym}
	}
	return chain
}

// chainFor returns the chain that code is placed next to. It is only the symbol if code itself
// begins with "and".
func (n neighborhood) chainFor(sym syntax.Symbol, code string) []syntax.Symbol {
	if n.isML() && mlAnd.MatchString(code[n.codeStart(code):]) {
		return []syntax.Symbol{sym}
	}
	return n.chain(sym)
}

// onlyField reports whether a field is the only one of its record, which cannot be empty.
func (n neighborhood) onlyField(sym syntax.Symbol) bool {
	if !n.isML() {
		return false
	}
	_, list := n.separatorML(sym, 0)
	return list && len(n.members(sym.Parent)) == 1
}

// removeHead deletes the first declaration of a chain. The next one gets its keyword.
func (p placer) removeHead(chain []syntax.Symbol) edits.Edit {
	head, next := chain[0], chain[1]
	start, end := p.commentStart(head), p.docEnd(head)
	kept := strings.TrimLeft(string(p.Text[end:next.Start]), " \t\r\n")
	return edits.Edit{Start: start, End: next.Start + len("and"), New: kept + string(mlHead.Find(p.Text[head.Start:]))}
}
