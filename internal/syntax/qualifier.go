package syntax

import (
	"bytes"
	"cmp"
	"strings"
)

// Expression is the qualifier of a name after an expression without a name, as in f().Close or
// a[i].Close. In Python's super().close it is super, as other languages write it.
const Expression = "()"

// qualify sets the qualifier and the receiver of the newest reference, whose name is n. It
// reads the qualifier from the text: the node for it differs in every grammar, and the text has
// it in broken programs too.
func (b *builder) qualify(n int) {
	end := b.separator(b.start(n))
	if end <= 0 {
		return
	}
	r := &b.refs[len(b.refs)-1]
	if p := b.parent(n); b.pathNodes != "" && b.kind(p) == b.pathNodes {
		r.Qualifier = b.intern(b.text[b.start(p):b.start(n)])
		return
	}
	name := b.nameBefore(end)
	if len(name) == 0 {
		if bytes.IndexByte([]byte(")]}\"'`0123456789"), b.text[end-1]) >= 0 { // of tuples, too
			object := b.qualifierNode(n)
			r.Qualifier, r.Receiver = Expression, b.valueType(object)
			switch of := b.child(object, "function"); {
			case b.name(of) == "super":
				r.Qualifier = "super"
			case b.modules != nil:
				r.Qualifier = cmp.Or(b.modules(b, object), Expression)
			}
		}
		return
	}
	object := b.word(bytes.TrimPrefix(name, b.sigil))
	r.Qualifier = object.text
	if b.separator(end-len(name)) < 0 {
		r.Receiver = b.variableType(object)
	} else {
		r.Receiver = b.valueType(b.qualifierNode(n))
	}
}

// separator returns the offset where the qualifier of the name at pos ends, or -1 if no
// separator precedes the name. A line break may stand on either side of a separator.
func (b *builder) separator(pos int) int {
	end := b.skipBack(pos, " \t\r\n")
	if end == 0 || end == b.commentEnd { // the full stop of a comment is not a separator
		return -1
	}
	text := b.text[:end]
	for _, s := range b.separators {
		if text[end-1] != s[len(s)-1] {
			continue
		}
		rest, ok := bytes.CutSuffix(text, s)
		if !ok || bytes.HasSuffix(rest, s[:1]) {
			continue // two dots are a range
		}
		at := b.skipBack(len(rest), "?!&")
		if line := b.skipBack(at, " \t"); line > 0 && b.text[line-1] == '\n' {
			at = b.skipBack(line, " \t\r\n")
		}
		return len(cutTypeArguments(b.text[:b.skipBack(at, "?!&")]))
	}
	return -1
}

// skipBack returns the start of the run of the given bytes that ends at pos.
func (t *tree) skipBack(pos int, bytes string) int {
	for pos > 0 && strings.IndexByte(bytes, t.text[pos-1]) >= 0 {
		pos--
	}
	return pos
}

// cutTypeArguments removes type arguments <…> at the end of text, and the :: before them.
func cutTypeArguments(text []byte) []byte {
	const maxBytes = 100
	depth := 0
	for i := len(text) - 1; i >= max(0, len(text)-maxBytes); i-- {
		switch text[i] {
		case '>':
			depth++
		case '<':
			depth--
		case ';', '{', '}', '(', ')', '\n':
			return text
		}
		if depth == 0 {
			if i == len(text)-1 {
				return text
			}
			return bytes.TrimSuffix(text[:i], []byte("::"))
		}
	}
	return text
}

// nameBefore returns the name that ends at the offset end, nil for none.
func (t *tree) nameBefore(end int) []byte {
	start := end
	for start > 0 && nameByte(t.text[start-1]) {
		start--
	}
	name := t.text[start:end]
	if len(name) > 0 && '0' <= name[0] && name[0] <= '9' {
		return nil
	}
	switch string(name) {
	case "await", "class":
		return nil // f().await.g and T.class.f are expressions
	}
	return name
}

func nameByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '$' || c >= 0x80
}

// qualifierNode returns the expression before the separator of the name n, or -1.
func (t *tree) qualifierNode(n int) int {
	for p := t.parent(n); p >= 0; p = t.parent(p) {
		if object := p + 1; t.end(object) <= t.start(n) {
			return object
		}
	}
	return -1
}
