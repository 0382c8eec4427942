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
func (s *Source) separatorML(sym syntax.Symbol, next byte) (separator string, list bool) {
	switch parent := s.kindOf(sym.Parent); {
	case sym.Kind == syntax.KindField && (parent == syntax.KindStruct || parent == syntax.KindConstant):
		return ";", true
	case sym.Kind == syntax.KindFunction && next == 'i' && mlIn.Match(s.Text[s.skip(sym.End):]):
		return "in", false
	}
	return "", false
}

// kindOf returns the kind of a symbol by its index, "" for -1.
func (s *Source) kindOf(symbol int) syntax.Kind {
	if symbol < 0 {
		return ""
	}
	return s.Syntax().Symbols[symbol].Kind
}

// isBarSeparated reports whether a symbol is a constructor of a type.
func (s *Source) isBarSeparated(sym syntax.Symbol) bool {
	parent := s.kindOf(sym.Parent)
	return s.isML() && sym.Kind == syntax.KindConstant && (parent == syntax.KindEnum || parent == syntax.KindType)
}

// bar returns the offset of the bar before a constructor, or -1. begins says whether the bar
// begins a line.
func (s *Source) bar(sym syntax.Symbol) (at int, begins bool) {
	at = s.skipBack(sym.Start)
	if s.byteAt(at) != '|' {
		return -1, false
	}
	return at, strings.TrimSpace(string(s.Text[s.LineStart(at):at])) == ""
}

// withoutBar returns the code of a constructor without the bar before it.
func withoutBar(code string) string {
	return strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(code), "|"), " ")
}

func (s *Source) insertBarBefore(sym syntax.Symbol, code string) edits.Edit {
	bar, begins := s.bar(sym)
	if !begins {
		text := reindent(withoutBar(code), s.indentAt(sym.Start), s.Language)
		return edits.Edit{Start: sym.Start, End: sym.Start, New: text + " | "}
	}
	at, base := s.LineStart(bar), s.indentAt(bar)
	return edits.Edit{Start: at, End: at, New: base + "| " + reindent(withoutBar(code), base, s.Language) + "\n"}
}

func (s *Source) insertBarAfter(sym syntax.Symbol, code string) edits.Edit {
	bar, begins := s.bar(sym)
	base, end := s.indentAt(sym.Start), s.docEnd(sym)
	if next := s.skip(end); bar < 0 && s.byteAt(next) == '|' && s.LineStart(next) > end {
		begins, base = true, s.indentAt(next)
	}
	text := "| " + reindent(withoutBar(code), base, s.Language)
	if begins && s.endsLine(end, end) {
		return s.insertLines(s.LineEnd(end), "\n"+base+text)
	}
	return edits.Edit{Start: end, End: end, New: " " + text}
}

// docEnd returns the end of a symbol with the doc comment behind it.
func (s *Source) docEnd(sym syntax.Symbol) int {
	if sym.DocStart >= sym.End {
		return sym.DocEnd
	}
	return sym.End
}

// removeBarred deletes a constructor with one of the bars beside it.
func (s *Source) removeBarred(sym syntax.Symbol) (edits.Edit, error) {
	bar, begins := s.bar(sym)
	end := s.docEnd(sym)
	switch next := s.skip(end); {
	case bar >= 0 && begins && s.endsLine(end, end):
		return edits.Edit{Start: s.LineStart(bar), End: min(s.LineEnd(end)+1, len(s.Text))}, nil
	case bar >= 0:
		return edits.Edit{Start: bar - len(s.Text[:bar]) + len(strings.TrimRight(string(s.Text[:bar]), " \t")), End: end}, nil
	case s.byteAt(next) == '|':
		return edits.Edit{Start: sym.Start, End: s.skip(next + 1)}, nil
	}
	return edits.Edit{}, partOfMore(sym, " that has no other constructor")
}

// chain returns the declarations that "and" joins with a symbol's, in the file's order.
func (s *Source) chain(sym syntax.Symbol) []syntax.Symbol {
	if !s.isML() {
		return []syntax.Symbol{sym}
	}
	var chain []syntax.Symbol
	found := false
	for _, other := range s.members(sym.Parent) {
		if !mlAnd.Match(s.Text[other.Start:]) {
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

// chainFor returns the chain that code is placed beside. It is only the symbol if code itself
// begins with "and".
func (s *Source) chainFor(sym syntax.Symbol, code string) []syntax.Symbol {
	if s.isML() && mlAnd.MatchString(code[s.codeStart(code):]) {
		return []syntax.Symbol{sym}
	}
	return s.chain(sym)
}

// onlyField reports whether a field is the only one of its record, which cannot be empty.
func (s *Source) onlyField(sym syntax.Symbol) bool {
	if !s.isML() {
		return false
	}
	_, list := s.separatorML(sym, 0)
	return list && len(s.members(sym.Parent)) == 1
}

// removeHead deletes the first declaration of a chain. The next one gets its keyword.
func (s *Source) removeHead(chain []syntax.Symbol) edits.Edit {
	head, next := chain[0], chain[1]
	start, end := s.commentStart(head), s.docEnd(head)
	kept := strings.TrimLeft(string(s.Text[end:next.Start]), " \t\r\n")
	return edits.Edit{Start: start, End: next.Start + len("and"), New: kept + string(mlHead.Find(s.Text[head.Start:]))}
}
