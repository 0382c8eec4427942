package tools

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"ploke-lsp/internal/syntax"
)

// surroundings are what stands around a symbol: the separators that tell it from
// its neighbours, and whether it has its lines for itself.
type surroundings struct {
	start, end    int    // of the symbol with its comments, and with what else its declaration declares
	begins, ends  bool   // its lines: nothing stands before it, or behind its separator but a comment
	top           bool   // it is the file's, and in no list
	separator     string // what tells it from those beside it: "," or ";" or "in" or ""
	list          bool   // the separator stands between two, so that the last may lack it
	before, after int    // offsets of the separator before it and the end of the one behind it, or -1
}

func (s *source) surroundingsOf(sym syntax.Symbol) surroundings {
	a := surroundings{start: s.commentStart(sym), end: s.declarationEnd(sym), before: -1, after: -1}
	a.begins = strings.TrimSpace(string(s.Text[s.lineStart(a.start):a.start])) == ""
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

// byteAt is the byte at an offset, 0 where there is none.
func (s *source) byteAt(offset int) byte {
	if offset < 0 || offset >= len(s.Text) {
		return 0
	}
	return s.Text[offset]
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

// tags are the kinds whose declarations in C and C++ end in a semicolon, before which
// they may declare variables.
var tags = []syntax.Kind{syntax.KindStruct, syntax.KindClass, syntax.KindEnum}

// declarationEnd is the symbol's end, or that of the variables declared with it.
func (s *source) declarationEnd(sym syntax.Symbol) int {
	if !s.isC() || !slices.Contains(tags, sym.Kind) || s.Text[sym.End-1] == ';' {
		return sym.End
	}
	if n := bytes.IndexByte(s.Text[sym.End:], ';'); n >= 0 {
		return sym.End + len(bytes.TrimRight(s.Text[sym.End:sym.End+n], " \t\r\n"))
	}
	return sym.End
}

func (s *source) isC() bool   { return s.language == "c" || s.language == "cpp" }
func (s *source) isCSS() bool { return slices.Contains([]string{"css", "scss", "less"}, s.language) }
func (s *source) isML() bool  { return strings.HasPrefix(s.language, "ocaml") }

// separated says what tells a symbol from those beside it, and whether that makes a list
// of them, by the kind of the symbol and the bytes that stand before and behind it.
func (s *source) separatorOf(sym syntax.Symbol, previous, next byte) (separator string, list bool) {
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

// commaMember reports whether symbols of its kind are told apart by commas, even if
// there is one alone.
func (s *source) commaMember(sym syntax.Symbol, previous byte) bool {
	if s.language == "lua" && previous == '{' { // in a table
		return true
	}
	if sym.Parent < 0 {
		return false
	}
	switch parent := s.syntax().Symbols[sym.Parent]; {
	case sym.Kind == syntax.KindConstant && parent.Kind == syntax.KindEnum:
		return slices.Contains([]string{"c", "cpp", "java", "csharp", "rust", "typescript", "tsx", "kotlin"}, s.language) &&
			onlyAttributes.Match(s.Text[sym.Start:sym.NameStart])
	case sym.Kind == syntax.KindField:
		return s.language == "rust"
	case parent.Kind == syntax.KindConstant || parent.Kind == syntax.KindVariable: // an object's member
		return s.language == "javascript" || s.language == "typescript" || s.language == "tsx"
	}
	return false
}

// onlyAttributes matches what may stand before the name of an enum's constant. With
// more, as "static final int", it is another member.
var onlyAttributes = regexp.MustCompile(`(?s)^\s*(?:(?:@[\w.]+|#?\[.*?\])(?:\(.*?\))?\s*)*$`)

// joint is what stands between two symbols on one line.
func (s *source) joiner(separator string) string {
	switch {
	case separator == "" && slices.Contains([]string{"go", "kotlin", "swift", "scala", "typescript", "tsx"}, s.language):
		return "; "
	case separator == "in":
		return " in "
	}
	return separator + " "
}

// shared is another symbol of the same declaration, without which none of the two can
// be deleted, as one of the names that a pattern takes apart; ok is false for none. A
// typedef in C and the type that it defines are one.
func (s *source) coDeclared(sym syntax.Symbol) (other syntax.Symbol, ok bool) {
	isTag := slices.Contains(tags, sym.Kind)
	for _, o := range s.syntax().Symbols {
		switch same := o.Start == sym.Start && o.End == sym.End; {
		case same && (isTag || slices.Contains(tags, o.Kind) || o.Canon == sym.Canon && o.Kind == sym.Kind):
		case same, s.declares(sym, o), s.declares(o, sym):
			return o, true
		}
	}
	return syntax.Symbol{}, false
}

// declares reports whether a tag's declaration declares a variable or a field, too.
func (s *source) declares(tag, other syntax.Symbol) bool {
	return tag.End <= other.NameStart && other.Start <= tag.Start && other.NameStart < s.declarationEnd(tag)
}

func partOfMore(sym syntax.Symbol, with string) *Failure {
	return &Failure{Message: sym.Canon + " is a part of a declaration" + with, Code: "part", Field: "at",
		Hint: "use at: replace or mode replace to change that declaration"}
}
