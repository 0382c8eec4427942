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
func (n neighborhood) isArgument(sym syntax.Symbol) bool {
	return n.Language == "dockerfile" && (sym.Kind == syntax.KindVariable || sym.Kind == syntax.KindProperty) &&
		!instruction.Match(n.Text[sym.Start:])
}

// argumentsOf returns the symbols of an argument's instruction in order, and the instruction's
// range.
func (n neighborhood) argumentsOf(sym syntax.Symbol) (words []syntax.Symbol, start, end int) {
	start, end = n.LineStart(sym.Start), n.LineEnd(sym.End)
	for at := start; at > 0; {
		at = n.LineStart(at - 1)
		line := n.Text[at:n.LineEnd(at)]
		if continued.Match(line) {
			start = at
		} else if !strings.HasPrefix(strings.TrimSpace(string(line)), "#") {
			break
		}
	}
	for end < len(n.Text) && continued.Match(n.Text[n.LineStart(end):end]) {
		end = n.LineEnd(end + 1)
	}
	for _, other := range n.members(sym.Parent) {
		if start <= other.Start && other.End <= end {
			words = append(words, other)
		}
	}
	return words, start, end
}

// insertArgument puts code before or after an argument. An instruction goes before or after the
// argument's instruction.
func (p placer) insertArgument(sym syntax.Symbol, at At, code string) edits.Edit {
	code = strings.TrimSpace(code)
	_, start, end := p.argumentsOf(sym)
	switch isInstruction := instruction.MatchString(code[p.codeStart(code):]); {
	case isInstruction && at == AtBefore:
		return edits.Edit{Start: start, End: start, New: code + "\n"}
	case isInstruction:
		return p.insertLines(end, "\n"+code)
	case at == AtBefore:
		return edits.Edit{Start: sym.Start, End: sym.Start, New: code + " "}
	}
	return edits.Edit{Start: sym.End, End: sym.End, New: " " + code}
}

// removeArgument deletes an argument with the space between it and the next or previous one.
func (p placer) removeArgument(sym syntax.Symbol) edits.Edit {
	words, _, _ := p.argumentsOf(sym)
	i := slices.IndexFunc(words, func(w syntax.Symbol) bool { return w.Start == sym.Start })
	if i+1 < len(words) {
		return edits.Edit{Start: sym.Start, End: words[i+1].Start}
	}
	return edits.Edit{Start: words[max(i-1, 0)].End, End: sym.End}
}
