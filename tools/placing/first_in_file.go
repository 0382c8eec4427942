package placing

import (
	"bytes"
	"slices"

	"ploke-lsp/edits"
	"ploke-lsp/internal/syntax"
)

// insertFirst puts code before a file's first symbol. If that is in a group, such as Go's "const (…)", a macro call
// in Rust or a conditional block in Python, code goes before the group, unless it only fits into it.
func (p placer) insertFirst(first syntax.Symbol, code string) edits.Edit {
	inside := p.insertBefore(first, code)
	group := p.groupAround(p.commentStart(first))
	if group < 0 {
		return inside
	}
	before := edits.Edit{Start: group, End: group, New: reindent(code, "", p.Language) + "\n\n"}
	if p.declaredWith(inside) > p.declaredWith(before) { // an element of the group, which alone declares nothing
		return inside
	}
	return p.bestParse([]edits.Edit{before, inside})
}

// declaredWith returns how many symbols the text has with an edit.
func (p placer) declaredWith(e edits.Edit) int {
	text := slices.Concat(p.Text[:e.Start], []byte(e.New), p.Text[e.End:])
	return len(p.parseAs(text).Syntax().Symbols)
}

// groupAround returns where the declaration begins, with its comment and attributes, that a top-level symbol at an
// offset is within; -1 if it is within none.
func (n neighborhood) groupAround(offset int) int {
	line := n.LineStart(offset)
	switch open := n.outermostBracket(offset); {
	case open >= 0:
		line = n.LineStart(open)
	case n.indentAt(offset) == "":
		return -1
	}
	for line > 0 && n.continues(line) {
		line = n.LineStart(line - 1)
	}
	return line
}

// continues reports whether the line that begins at an offset belongs to the line above it: by its indentation, or
// because that is a comment or an attribute.
func (n neighborhood) continues(line int) bool {
	above := n.Text[n.LineStart(line-1):line]
	own := n.Text[line:n.LineEnd(line)]
	if len(bytes.TrimSpace(own)) == 0 || len(indentOf(string(own))) > 0 {
		return true
	}
	text := bytes.TrimSpace(above)
	return len(text) > 0 && (bytes.HasPrefix(text, []byte("#[")) || bytes.HasPrefix(text, []byte("@")) ||
		n.skip(n.LineStart(line-1)) >= line)
}

// outermostBracket returns the first bracket that is open at an offset, -1 if there is none.
func (n neighborhood) outermostBracket(offset int) int {
	var open []int
	for at := n.skip(0); at < offset; at = n.skip(at + 1) {
		switch c := n.Text[at]; c {
		case '(', '[', '{':
			open = append(open, at)
		case ')', ']', '}':
			open = open[:max(0, len(open)-1)]
		case '"', '\'', '`':
			at = max(at, n.lastQuote(at))
		}
	}
	if len(open) == 0 {
		return -1
	}
	return open[0]
}

// lastQuote returns the offset of the last quote of the string that begins at an offset, or -1 if it does not end.
func (n neighborhood) lastQuote(at int) int {
	quote, to := n.Text[at:at+1], n.LineEnd(at)
	if triple := bytes.Repeat(quote, 3); bytes.HasPrefix(n.Text[at:], triple) {
		if end := bytes.Index(n.Text[at+3:], triple); end >= 0 {
			return at + 3 + end + 2
		}
	}
	if quote[0] == '`' {
		to = len(n.Text)
	}
	return n.quoteEnd(at, to)
}
