package syntax

import "bytes"

// rustIdentifier records a name. In the arguments of a macro, and in its definition, the grammar has only tokens, so
// there the text behind the name says whether it is called, and a name behind a separator is never a local one.
func rustIdentifier(b *builder, n int) {
	switch {
	case !b.rustTokens(b.parent(n)) || b.consumed(n):
		leaf(RefUse)(b, n)
		return
	case b.separator(b.start(n)) < 0 && b.local(n):
		return
	}
	kind := RefUse
	if rustCalled(b.text[b.end(n):]) && !rustDeclared(b, n) && !b.rustAttribute(n) {
		kind = RefCall
	}
	count := len(b.refs)
	switch b.refer(n, kind); {
	case len(b.refs) == count:
	case b.refs[count].Qualifier == Expression:
		b.refs[count].Receiver = rustTokensType(b, b.before(n))
	case b.refs[count].Qualifier != "":
		b.refs[count].Receiver = rustTokensField(b, b.start(n))
	}
}

// rustTokensField returns the type of the fields of fields in front of the name at pos, "" if it is not known.
func rustTokensField(b *builder, pos int) string {
	end := b.separator(pos)
	if end <= 0 || longestChain < len(b.text[end:pos]) {
		return ""
	}
	name := b.nameBefore(end)
	switch start := end - len(name); {
	case len(name) == 0:
		return ""
	case b.separator(start) < 0:
		return b.variableType(b.word(name))
	case b.text[start-1] == '.':
		return chained(rustTokensField(b, start), string(name))
	}
	return ""
}

// rustCalled reports whether the text behind a name calls it: it begins with parentheses, maybe behind type arguments,
// or with the braces of any kind of a macro.
func rustCalled(text []byte) bool {
	text = bytes.TrimLeft(text, " \t\r\n")
	if macro, ok := bytes.CutPrefix(text, []byte("!")); ok {
		macro = bytes.TrimLeft(macro, " \t\r\n")
		return len(macro) > 0 && bytes.IndexByte([]byte("([{"), macro[0]) >= 0
	}
	if arguments, ok := bytes.CutPrefix(text, []byte("::<")); ok {
		text = behindRustArguments(arguments)
	}
	return bytes.HasPrefix(text, []byte("("))
}

// behindRustArguments returns what stands behind type arguments of which the first bracket is cut; nil if they are too
// long.
func behindRustArguments(arguments []byte) []byte {
	const maxBytes = 200
	depth := 1
	for i, c := range arguments[:min(len(arguments), maxBytes)] {
		switch {
		case c == '<':
			depth++
		case c == '>' && (i == 0 || arguments[i-1] != '-'):
			depth--
		}
		if depth == 0 {
			return bytes.TrimLeft(arguments[i+1:], " \t\r\n")
		}
	}
	return nil
}

// rustDeclared reports whether the name n follows the word of a declaration.
func rustDeclared(b *builder, n int) bool {
	switch string(b.nameBefore(b.skipBack(b.start(n), " \t\r\n"))) {
	case "fn", "struct":
		return true
	}
	return false
}

// rustTokens reports whether the children of n are tokens.
func (t *tree) rustTokens(n int) bool {
	k := t.kind(n)
	return k == "token_tree" || k == "token_repetition"
}

// rustAttribute reports whether the token n is of an attribute, where a name in front of parentheses calls nothing.
func (t *tree) rustAttribute(n int) bool {
	for n = t.parent(n); t.rustTokens(n); {
		n = t.parent(n)
	}
	return t.kind(n) == "attribute"
}

// before returns the node in front of n that has the same parent, or -1.
func (t *tree) before(n int) int {
	p := t.parent(n)
	for n--; n > p; n = t.parent(n) {
		if t.parent(n) == p {
			return n
		}
	}
	return -1
}

// rustTokensType returns the type of the value that ends with a group of tokens: that of a literal T {…}, or of a
// call as [rustCallType] knows it.
func rustTokensType(b *builder, group int) string {
	if b.kind(group) != "token_tree" {
		return ""
	}
	name := b.before(group)
	if name < 0 || b.kind(name) != "identifier" || len(bytes.TrimSpace(b.text[b.end(name):b.start(group)])) > 0 {
		return ""
	}
	switch b.text[b.start(group)] {
	case '{':
		return b.typeName(b.bytes(name))
	case '(':
		var outer []byte
		if end := b.separator(b.start(name)); end > 0 {
			outer = b.nameBefore(end)
		}
		return rustCallType(b, outer, b.bytes(name))
	}
	return ""
}
