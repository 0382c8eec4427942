package placing

import (
	"slices"
	"strings"

	"ploke-lsp/internal/syntax"
)

// splitTrailingComment splits code after its last token, before comments and white space.
func (n neighborhood) splitTrailingComment(code string) (tokens, comment string) {
	probe := n.parseAs([]byte(code))
	end := probe.skipBack(len(code)) + 1
	return code[:end], strings.TrimRight(code[end:], " \t\r\n")
}

// codeStart returns where the first token of code begins.
func (n neighborhood) codeStart(code string) int {
	return n.parseAs([]byte(code)).skip(0)
}

// withoutSeparator returns code without a separator at its end, and the comment behind that. In
// a list, code may end in a semicolon from its old place.
func (n neighborhood) withoutSeparator(code string, a surroundings) (tokens, comment string) {
	tokens, comment = n.splitTrailingComment(code)
	if a.separator != "" {
		tokens = strings.TrimSuffix(tokens, a.separator)
	}
	if a.separator == "," {
		tokens = strings.TrimSuffix(tokens, ";")
	}
	return strings.TrimRight(tokens, " \t\r\n"), comment
}

// withoutPresentSeparator returns code without a separator that already follows the symbol.
func (n neighborhood) withoutPresentSeparator(sym syntax.Symbol, code string) string {
	if a := n.surroundingsOf(sym); a.after >= 0 {
		tokens, comment := n.withoutSeparator(code, a)
		return tokens + comment
	}
	if next := n.byteAt(n.skip(sym.End)); next == ';' { // it ends a list
		tokens, comment := n.withoutSeparator(code, surroundings{separator: ";"})
		return tokens + comment
	}
	return code
}

// withSeparator returns code with the separator that a neighbor of the symbol needs. A block
// may need none.
func (n neighborhood) withSeparator(sym syntax.Symbol, a surroundings, code string) string {
	tokens, comment := n.withoutSeparator(code, a)
	switch {
	case a.separator == ";" && !a.list && n.endsInBlock(sym, tokens):
		return code
	case a.separator == "in":
		return tokens + " in" + comment
	}
	return tokens + a.separator + comment
}

// endsInBlock reports whether code ends in a block that needs no semicolon. In C and C++ that
// depends on what code declares, elsewhere the symbol next to it tells.
func (n neighborhood) endsInBlock(sym syntax.Symbol, code string) bool {
	if !strings.HasSuffix(code, "}") {
		return false
	}
	if !n.isC() {
		return n.Text[sym.End-1] != '}'
	}
	probe := n.parseAs([]byte(code))
	last := syntax.KindFunction
	for _, declared := range probe.Syntax().Symbols {
		if declared.Parent < 0 {
			last = declared.Kind
		}
	}
	open := []syntax.Kind{syntax.KindType, syntax.KindVariable, syntax.KindField, syntax.KindConstant}
	return !slices.Contains(append(open, tags...), last)
}

// newlineAfterComment returns the newline that must follow code if it ends in a line comment
// and more follows on the line.
func (n neighborhood) newlineAfterComment(code, indent string) string {
	_, comment := n.splitTrailingComment(code)
	for _, end := range commentEnds {
		if strings.HasSuffix(comment, end) {
			return ""
		}
	}
	if comment == "" {
		return ""
	}
	return "\n" + indent
}
