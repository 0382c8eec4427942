package syntax

import (
	"strings"
	"unicode/utf8"
)

// maxSignature bounds a signature in bytes, since a table of constants has no better place to
// end.
const maxSignature = 400

// blankOut overwrites text with spaces, except for line breaks.
func blankOut(text []byte) {
	for i, c := range text {
		if c != '\n' && c != '\r' {
			text[i] = ' '
		}
	}
}

// Plain returns canon without the number that distinguishes symbols of one name. A # that
// follows no name is part of the name instead, as in #1 or Issue #1.
func Plain(canon string) string {
	if n := len(canon); n == 0 || canon[n-1] < '0' || '9' < canon[n-1] {
		return canon // nearly all of them
	}
	name := strings.TrimRight(canon, "0123456789")
	plain, numbered := strings.CutSuffix(name, "#")
	if !numbered || name == canon || plain == "" || strings.HasSuffix(plain, "::") || strings.HasSuffix(plain, " ") {
		return canon
	}
	return plain
}

// Signature returns the declaration up to its body on one line, white space folded, no longer
// than 400 bytes and a "…". text is the text that the symbol was parsed from.
func (s Symbol) Signature(text []byte) string {
	raw := text[s.Start:s.BodyStart]
	cut := len(raw) > 4*maxSignature
	if cut {
		raw = raw[:4*maxSignature]
	}
	line := strings.Join(strings.Fields(strings.ToValidUTF8(string(raw), "")), " ")
	if s.BodyStart < s.End {
		line = strings.TrimRight(line, "{:=\\ ")
	}
	if len(line) <= maxSignature && !cut {
		return strings.TrimRight(line, ";, ")
	}
	end := min(maxSignature, len(line))
	for end > 0 && end < len(line) && !utf8.RuneStart(line[end]) {
		end--
	}
	return line[:end] + "…"
}

// Doc returns the symbol's doc comment without its comment marks. text is the text that the
// symbol was parsed from.
func (s Symbol) Doc(text []byte) string {
	raw := strings.ToValidUTF8(string(text[s.DocStart:s.DocEnd]), "")
	if raw == "" {
		return ""
	}
	quoted, ok := unquote(raw)
	if ok {
		raw = quoted
	}
	if strings.HasPrefix(raw, "(*") {
		raw = ocamlMarks.Replace(raw)
	}
	var doc strings.Builder
	doc.Grow(len(raw) + 1)
	for line := range strings.SplitSeq(raw, "\n") {
		line = strings.TrimSpace(line)
		if !ok {
			line = stripMark(line)
		}
		doc.WriteString(line)
		doc.WriteByte('\n')
	}
	return strings.TrimSpace(doc.String())
}

// ocamlMarks removes comment marks, which OCaml allows inside comments only in pairs.
var ocamlMarks = strings.NewReplacer("(**", "", "(*", "", "*)", "")

// unquote removes the quotes and the string prefix of a docstring.
func unquote(s string) (string, bool) {
	s = strings.TrimLeft(s, "rRuUbBfF")
	for _, q := range []string{`"""`, "'''", `"`, "'"} {
		if len(s) >= 2*len(q) && strings.HasPrefix(s, q) && strings.HasSuffix(s, q) {
			return s[len(q) : len(s)-len(q)], true
		}
	}
	return "", false
}

// stripMark removes the comment marks from one trimmed line.
func stripMark(line string) string {
	if strings.HasPrefix(line, "//go:") || strings.HasPrefix(line, "//export ") {
		return "" // a directive
	}
	line = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(line, "*/"), "]]"), "-->")
	for _, mark := range []string{"<!--", "///", "//!", "//", "/**", "/*!", "/*", "---", "--[[", "--", "#", "* "} {
		if rest, ok := strings.CutPrefix(line, mark); ok {
			return strings.TrimRight(strings.TrimPrefix(rest, " "), " \t")
		}
	}
	return strings.TrimRight(strings.TrimPrefix(line, "*"), " \t")
}
