package placing

import (
	"slices"
	"strings"

	"ploke-lsp/edits"
	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/internal/syntax"
)

// An instruction of a Dockerfile may declare several variables or ports as arguments. A
// backslash continues the line. If an instruction declares one symbol only, the symbol is the
// complete instruction.

var (
	instruction = lazyregexp.New(`^[A-Za-z]+[ \t]+[^ \t=]`)
	continued   = lazyregexp.New(`\\[ \t]*\r?\n?$`)
)

// isArgument reports whether a symbol is one of several arguments of an instruction.
func (s *Source) isArgument(sym syntax.Symbol) bool {
	return s.Language == "dockerfile" && (sym.Kind == syntax.KindVariable || sym.Kind == syntax.KindProperty) &&
		!instruction.Match(s.Text[sym.Start:])
}

// argumentsOf returns the symbols of an argument's instruction in order, and the instruction's
// range.
func (s *Source) argumentsOf(sym syntax.Symbol) (words []syntax.Symbol, start, end int) {
	start, end = s.LineStart(sym.Start), s.LineEnd(sym.End)
	for at := start; at > 0; {
		at = s.LineStart(at - 1)
		line := s.Text[at:s.LineEnd(at)]
		if continued.Match(line) {
			start = at
		} else if !strings.HasPrefix(strings.TrimSpace(string(line)), "#") {
			break
		}
	}
	for end < len(s.Text) && continued.Match(s.Text[s.LineStart(end):end]) {
		end = s.LineEnd(end + 1)
	}
	for _, other := range s.members(sym.Parent) {
		if start <= other.Start && other.End <= end {
			words = append(words, other)
		}
	}
	return words, start, end
}

// insertArgument puts code before or after an argument. An instruction goes before or after the
// argument's instruction.
func (s *Source) insertArgument(sym syntax.Symbol, at At, code string) edits.Edit {
	code = strings.TrimSpace(code)
	_, start, end := s.argumentsOf(sym)
	switch isInstruction := instruction.MatchString(code[s.codeStart(code):]); {
	case isInstruction && at == AtBefore:
		return edits.Edit{Start: start, End: start, New: code + "\n"}
	case isInstruction:
		return s.insertLines(end, "\n"+code)
	case at == AtBefore:
		return edits.Edit{Start: sym.Start, End: sym.Start, New: code + " "}
	}
	return edits.Edit{Start: sym.End, End: sym.End, New: " " + code}
}

// removeArgument deletes an argument with the space between it and the next or previous one.
func (s *Source) removeArgument(sym syntax.Symbol) edits.Edit {
	words, _, _ := s.argumentsOf(sym)
	i := slices.IndexFunc(words, func(w syntax.Symbol) bool { return w.Start == sym.Start })
	if i+1 < len(words) {
		return edits.Edit{Start: sym.Start, End: words[i+1].Start}
	}
	return edits.Edit{Start: words[max(i-1, 0)].End, End: sym.End}
}
