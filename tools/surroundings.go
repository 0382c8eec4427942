package tools

import (
	"regexp"
	"slices"
	"strings"

	"ploke-lsp/internal/syntax"
)

// surroundings are what stands around a symbol: the separators that tell it from
// its neighbours, and whether it has its lines for itself.
type surroundings struct {
	start         int    // of the symbol with its comment above
	begins, ends  bool   // its lines: nothing stands before it, or behind its separator but a comment
	top           bool   // it is the file's, and in no list
	separator     string // "," or ";" or ""
	before, after int    // offsets of the comma before it and the separator behind it, or -1
}

func (s *source) around(sym syntax.Symbol) surroundings {
	a := surroundings{start: s.commentStart(sym), before: -1, after: -1}
	a.begins = strings.TrimSpace(string(s.Text[s.lineStart(a.start):a.start])) == ""
	next, previous := s.skip(sym.End), s.skipBack(a.start)
	if next < len(s.Text) && (s.Text[next] == ',' || s.Text[next] == ';') {
		a.after = next
	}
	if previous >= 0 && s.Text[previous] == ',' {
		a.before = previous
	}
	switch {
	case a.before >= 0, a.after >= 0 && s.Text[a.after] == ',', s.enclosed(previous, next), s.commaMember(sym):
		a.separator = ","
		if a.after >= 0 && s.Text[a.after] == ';' {
			a.after = -1 // it ends the list
		}
	case a.after >= 0:
		a.separator = ";"
	}
	a.top = sym.Parent < 0 && a.separator != ","
	end := sym.End
	if a.after >= 0 {
		end = a.after + 1
	}
	a.ends = s.endsLine(sym.End, end)
	return a
}

// endsLine reports whether nothing but a comment stands behind a symbol and its
// separator, which stand on one line.
func (s *source) endsLine(symEnd, end int) bool {
	if symEnd > 0 && s.Text[symEnd-1] == '\n' {
		return true
	}
	line := s.lineEnd(symEnd)
	return end <= line && s.codeEnd(end, line) == end
}

// enclosed reports whether a symbol is alone in parentheses.
func (s *source) enclosed(previous, next int) bool {
	return previous >= 0 && next < len(s.Text) && s.Text[previous] == '(' && s.Text[next] == ')'
}

// commaMember reports whether symbols of its kind are told apart by commas, even if
// there is one alone.
func (s *source) commaMember(sym syntax.Symbol) bool {
	if sym.Parent < 0 {
		return false
	}
	switch parent := s.syntax().Symbols[sym.Parent]; {
	case sym.Kind == syntax.KindConstant && parent.Kind == syntax.KindEnum:
		return slices.Contains([]string{"c", "cpp", "java", "csharp", "rust", "typescript", "tsx", "kotlin"}, s.language)
	case sym.Kind == syntax.KindField:
		return s.language == "rust"
	case parent.Kind == syntax.KindConstant || parent.Kind == syntax.KindVariable: // an object's member
		return s.language == "javascript" || s.language == "typescript" || s.language == "tsx"
	}
	return false
}

// joint is what stands between two symbols on one line.
func (s *source) joint(separator string) string {
	if separator == "" && slices.Contains([]string{"go", "kotlin", "swift", "scala", "typescript", "tsx"}, s.language) {
		return "; "
	}
	return separator + " "
}

// Where a symbol is a part of a sentence that others share: what stands before or
// behind it then.
var (
	partBefore = map[string]*regexp.Regexp{
		"ocaml":           regexp.MustCompile(`(?:[|=[]|\b(?:and|rec|let|of|class|method|val|virtual|private))$`),
		"ocaml-interface": regexp.MustCompile(`(?:[|=[]|\b(?:and|of|class|method))$`),
		"scala":           regexp.MustCompile(`(?:,|\bcase)$`),
	}
	partBehind = regexp.MustCompile(`^(?:and\b|[|,])`)
)

// part reports whether a symbol shares a sentence with others, as the constructors of
// a type in OCaml do, so that there is no place beside it where code would be complete.
func (s *source) part(sym syntax.Symbol) bool {
	before := partBefore[s.language]
	if before == nil {
		return false
	}
	start, next := s.commentStart(sym), s.skip(sym.End)
	return before.Match(s.Text[:s.skipBack(start)+1]) || partBehind.Match(s.Text[next:])
}

func partOfMore(sym syntax.Symbol) *Failure {
	return &Failure{Message: sym.Canon + " is a part of a larger declaration", Code: "part", Field: "at",
		Hint: "use mode replace to change that declaration"}
}

// withoutEnd is code without a separator at its end that stands behind the symbol
// already.
func (s *source) withoutEnd(sym syntax.Symbol, code string) string {
	next := s.skip(sym.End)
	if next < len(s.Text) && (s.Text[next] == ',' || s.Text[next] == ';') {
		return bare(code, string(s.Text[next]))
	}
	return code
}

// bare is code without white space and one separator at its end; in a list it may
// have ended in a semicolon where it was.
func bare(code, separator string) string {
	code = strings.TrimRight(code, " \t\r\n")
	if separator != "" {
		code = strings.TrimSuffix(code, separator)
	}
	if separator == "," {
		code = strings.TrimSuffix(code, ";")
	}
	return strings.TrimRight(code, " \t\r\n")
}

// ended is code with the end that a neighbour of the symbol needs on lines of its
// own: a separator, unless code has one, or is a block where the symbol is none.
func (s *source) ended(sym syntax.Symbol, a surroundings, code string) string {
	bareCode := bare(code, a.separator)
	block := strings.HasSuffix(bareCode, "}") && s.Text[sym.End-1] != '}'
	if a.separator == ";" && block {
		return code
	}
	return bareCode + a.separator
}
