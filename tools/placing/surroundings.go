package placing

import (
	"bytes"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/tools/wording"
)

// surroundings describes the text around a symbol: the separators beside it, and whether it has
// its lines for itself.
type surroundings struct {
	start, end    int    // range of the symbol with its comments and with everything else that its declaration declares
	begins, ends  bool   // its lines: nothing is before it, or only a comment behind its separator
	top           bool   // it is top-level, and in no list
	separator     string // "," or ";" or "in" or ""
	list          bool   // the separator is only between two elements; the last one may lack it
	before, after int    // offset of the separator before it, and end of the one behind it, or -1
}

func (s *Source) surroundingsOf(sym syntax.Symbol) surroundings {
	a := surroundings{start: s.commentStart(sym), end: s.declarationEnd(sym), before: -1, after: -1}
	a.begins = strings.TrimSpace(string(s.Text[s.LineStart(a.start):a.start])) == ""
	next, previous := s.skip(a.end), s.skipBack(a.start)
	a.separator, a.list = s.separatorOf(sym, s.byteAt(previous), s.byteAt(next))
	behind := a.separator != "" && bytes.HasPrefix(s.Text[next:], []byte(a.separator))
	if behind {
		a.after = next + len(a.separator)
	}
	if a.list && previous >= 0 && s.Text[previous] == a.separator[0] {
		a.before = previous
	}
	a.top = sym.Parent < 0 && !a.list
	a.ends = s.endsLine(a.end, max(a.end, a.after))
	if sym.DocStart >= sym.End {
		a.end = max(a.end, sym.DocEnd)
		a.ends = s.endsLine(a.end, max(a.end, a.after))
	}
	return a
}

// byteAt returns the byte at an offset, 0 if there is none.
func (s *Source) byteAt(offset int) byte {
	if offset < 0 || offset >= len(s.Text) {
		return 0
	}
	return s.Text[offset]
}

// endsLine reports whether only a comment follows a symbol and its separator on their common
// line.
func (s *Source) endsLine(symEnd, end int) bool {
	if symEnd > 0 && s.Text[symEnd-1] == '\n' {
		return true
	}
	line := s.LineEnd(symEnd)
	return end <= line && s.codeEnd(end, line) == end
}

// tags are the kinds whose declarations in C and C++ end in a semicolon, and may declare
// variables before it.
var tags = []syntax.Kind{syntax.KindStruct, syntax.KindClass, syntax.KindEnum}

// declarationEnd returns the end of the symbol, or of the variables that are declared with it.
func (s *Source) declarationEnd(sym syntax.Symbol) int {
	if !s.isC() || !slices.Contains(tags, sym.Kind) || s.Text[sym.End-1] == ';' {
		return sym.End
	}
	if n := bytes.IndexByte(s.Text[sym.End:], ';'); n >= 0 {
		return sym.End + len(bytes.TrimRight(s.Text[sym.End:sym.End+n], " \t\r\n"))
	}
	return sym.End
}

func (s *Source) isC() bool { return s.Language == "c" || s.Language == "cpp" }
func (s *Source) isCSS() bool {
	return slices.Contains([]string{"css", "scss", "less"}, s.Language)
}
func (s *Source) isML() bool { return strings.HasPrefix(s.Language, "ocaml") }

// separatorOf returns a symbol's separator, and whether it separates a list. previous and next
// are the bytes before and behind the symbol.
func (s *Source) separatorOf(sym syntax.Symbol, previous, next byte) (separator string, list bool) {
	switch {
	case s.isML():
		return s.separatorML(sym, next)
	case s.isCSS() && sym.Kind == syntax.KindVariable && s.Text[sym.End-1] != ';':
		return ";", true
	case previous == ',', next == ',', previous == '(' && next == ')', s.commaMember(sym, previous):
		return ",", true
	case next == ';', s.isC() && slices.Contains(tags, sym.Kind) && s.Text[sym.End-1] != ';':
		return ";", false
	}
	return "", false
}

// commaMember reports whether symbols of its kind are separated by commas, even if there is
// only one.
func (s *Source) commaMember(sym syntax.Symbol, previous byte) bool {
	if s.Language == "lua" && previous == '{' { // in a table
		return true
	}
	if sym.Parent < 0 {
		return false
	}
	switch parent := s.Syntax().Symbols[sym.Parent]; {
	case sym.Kind == syntax.KindConstant && parent.Kind == syntax.KindEnum:
		return slices.Contains([]string{"c", "cpp", "java", "csharp", "rust", "typescript", "tsx", "kotlin"}, s.Language) &&
			onlyAttributes.Match(s.Text[sym.Start:sym.NameStart])
	case sym.Kind == syntax.KindField:
		return s.Language == "rust"
	case parent.Kind == syntax.KindConstant || parent.Kind == syntax.KindVariable: // a member of an object
		return s.Language == "javascript" || s.Language == "typescript" || s.Language == "tsx"
	}
	return false
}

// onlyAttributes matches the text that may precede the name of an enum's constant. With other
// text, such as "static final int", it is another member.
var onlyAttributes = lazyregexp.New(`(?s)^\s*(?:(?:@[\w.]+|#?\[.*?\])(?:\(.*?\))?\s*)*$`)

// joiner returns the text between two symbols on one line.
func (s *Source) joiner(separator string) string {
	switch {
	case separator == "" && slices.Contains([]string{"go", "kotlin", "swift", "scala", "typescript", "tsx"}, s.Language):
		return "; "
	case separator == "in":
		return " in "
	}
	return separator + " "
}

// coDeclared returns another symbol of the same declaration, such as another name of a
// destructuring pattern. Neither can be deleted without the other. ok is false if there is
// none. A typedef in C and the type that it defines count as one symbol.
func (s *Source) coDeclared(sym syntax.Symbol) (other syntax.Symbol, ok bool) {
	isTag := slices.Contains(tags, sym.Kind)
	for _, o := range s.Syntax().Symbols {
		switch same := o.Start == sym.Start && o.End == sym.End; {
		case same && (isTag || slices.Contains(tags, o.Kind) || o.Canon == sym.Canon && o.Kind == sym.Kind):
		case same, s.declares(sym, o), s.declares(o, sym):
			return o, true
		}
	}
	return syntax.Symbol{}, false
}

// declares reports whether a tag's declaration also declares the variable or field other.
func (s *Source) declares(tag, other syntax.Symbol) bool {
	return tag.End <= other.NameStart && other.Start <= tag.Start && other.NameStart < s.declarationEnd(tag)
}

func partOfMore(sym syntax.Symbol, with string) *wording.Failure {
	return &wording.Failure{Message: sym.Canon + " is part of a declaration" + with, Code: "part", Field: "at",
		Hint: "use at: replace or mode replace to change that declaration"}
}
