package placing

import (
	"bytes"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/tools/wording"
)

// surroundings describes the text around a symbol: the separators next to it, and whether it has
// its lines for itself.
type surroundings struct {
	start, end    int    // range of the symbol with its comments and with everything else that its declaration declares
	begins, ends  bool   // its lines: nothing is before it, or only a comment behind its separator
	top           bool   // it is top-level, and in no list
	separator     string // "," or ";" or "in" or ""
	list          bool   // the separator is only between two elements; the last one may lack it
	before, after int    // offset of the separator before it, and end of the one behind it, or -1
}

// neighborhood tells what stands around the symbols of a source: separators, comments, ends of lines.
type neighborhood struct{ *SourceFile }

func (n neighborhood) surroundingsOf(sym syntax.Symbol) surroundings {
	a := surroundings{start: n.commentStart(sym), end: n.declarationEnd(sym), before: -1, after: -1}
	a.begins = strings.TrimSpace(string(n.Text[n.LineStart(a.start):a.start])) == ""
	next, previous := n.skip(a.end), n.skipBack(a.start)
	a.separator, a.list = n.separatorOf(sym, n.byteAt(previous), n.byteAt(next))
	behind := a.separator != "" && bytes.HasPrefix(n.Text[next:], []byte(a.separator))
	if behind {
		a.after = next + len(a.separator)
	}
	if a.list && previous >= 0 && n.Text[previous] == a.separator[0] {
		a.before = previous
	}
	a.top = sym.Parent < 0 && !a.list
	a.ends = n.endsLine(a.end, max(a.end, a.after))
	if sym.DocStart >= sym.End {
		a.end = max(a.end, sym.DocEnd)
		a.ends = n.endsLine(a.end, max(a.end, a.after))
	}
	return a
}

// byteAt returns the byte at an offset, 0 if there is none.
func (n neighborhood) byteAt(offset int) byte {
	if offset < 0 || offset >= len(n.Text) {
		return 0
	}
	return n.Text[offset]
}

// endsLine reports whether only a comment follows a symbol and its separator on their common
// line.
func (n neighborhood) endsLine(symEnd, end int) bool {
	if symEnd > 0 && n.Text[symEnd-1] == '\n' {
		return true
	}
	line := n.LineEnd(symEnd)
	return end <= line && n.codeEnd(end, line) == end
}

// tags are the kinds whose declarations in C and C++ end in a semicolon, and may declare
// variables before it.
var tags = []syntax.Kind{syntax.KindStruct, syntax.KindClass, syntax.KindEnum}

// declarationEnd returns the end of the symbol, or of the variables that are declared with it.
func (n neighborhood) declarationEnd(sym syntax.Symbol) int {
	if !n.isC() || !slices.Contains(tags, sym.Kind) || n.Text[sym.End-1] == ';' {
		return sym.End
	}
	if at := bytes.IndexByte(n.Text[sym.End:], ';'); at >= 0 {
		return sym.End + len(bytes.TrimRight(n.Text[sym.End:sym.End+at], " \t\r\n"))
	}
	return sym.End
}

func (n neighborhood) isC() bool { return n.Language == "c" || n.Language == "cpp" }
func (n neighborhood) isCSS() bool {
	return slices.Contains([]string{"css", "scss", "less"}, n.Language)
}
func (n neighborhood) isML() bool { return strings.HasPrefix(n.Language, "ocaml") }

// separatorOf returns a symbol's separator, and whether it separates a list. previous and next
// are the bytes before and behind the symbol.
func (n neighborhood) separatorOf(sym syntax.Symbol, previous, next byte) (separator string, list bool) {
	switch {
	case n.isML():
		return n.separatorML(sym, next)
	case n.isCSS() && sym.Kind == syntax.KindVariable && n.Text[sym.End-1] != ';':
		return ";", true
	case previous == ',', next == ',', n.commaMember(sym, previous),
		previous == '(' && next == ')' && n.Language != "go": // where it is a group of declarations
		return ",", true
	case next == ';', n.isC() && slices.Contains(tags, sym.Kind) && n.Text[sym.End-1] != ';':
		return ";", false
	}
	return "", false
}

// commaMember reports whether symbols of its kind are separated by commas, even if there is
// only one.
func (n neighborhood) commaMember(sym syntax.Symbol, previous byte) bool {
	if n.Language == "lua" && previous == '{' { // in a table
		return true
	}
	if sym.Parent < 0 {
		return false
	}
	switch parent := n.Syntax().Symbols[sym.Parent]; {
	case sym.Kind == syntax.KindConstant && parent.Kind == syntax.KindEnum:
		return slices.Contains([]string{"c", "cpp", "java", "csharp", "rust", "typescript", "tsx", "kotlin"}, n.Language) &&
			onlyAttributes.Match(n.Text[sym.Start:sym.NameStart])
	case sym.Kind == syntax.KindField:
		return n.Language == "rust"
	case parent.Kind == syntax.KindConstant || parent.Kind == syntax.KindVariable: // a member of an object
		return n.Language == "javascript" || n.Language == "typescript" || n.Language == "tsx"
	}
	return false
}

// onlyAttributes matches the text that may precede the name of an enum's constant. With other
// text, such as "static final int", it is another member.
var onlyAttributes = lazyregexp.New(`(?s)^\s*(?:(?:@[\w.]+|#?\[.*?\])(?:\(.*?\))?\s*)*$`)

// joiner returns the text between two symbols on one line.
func (n neighborhood) joiner(separator string) string {
	switch {
	case separator == "" && slices.Contains([]string{"go", "kotlin", "swift", "scala", "typescript", "tsx"}, n.Language):
		return "; "
	case separator == "in":
		return " in "
	}
	return separator + " "
}

// coDeclared returns another symbol of the same declaration, such as another name of a
// destructuring pattern. Neither can be deleted without the other. ok is false if there is
// none. A typedef in C and the type that it defines count as one symbol.
func (n neighborhood) coDeclared(sym syntax.Symbol) (other syntax.Symbol, ok bool) {
	isTag := slices.Contains(tags, sym.Kind)
	for _, o := range n.Syntax().Symbols {
		switch same := o.Start == sym.Start && o.End == sym.End; {
		case same && (isTag || slices.Contains(tags, o.Kind) || o.Canon == sym.Canon && o.Kind == sym.Kind):
		case same, n.declares(sym, o), n.declares(o, sym):
			return o, true
		}
	}
	return syntax.Symbol{}, false
}

// declares reports whether a tag's declaration also declares the variable or field other.
func (n neighborhood) declares(tag, other syntax.Symbol) bool {
	return tag.End <= other.NameStart && other.Start <= tag.Start && other.NameStart < n.declarationEnd(tag)
}

func partOfMore(sym syntax.Symbol, with string) *wording.Failure {
	return &wording.Failure{Message: sym.Canon + " is part of a declaration" + with, Code: "part", Field: "at",
		Hint: "use at: replace or mode replace to change that declaration"}
}
