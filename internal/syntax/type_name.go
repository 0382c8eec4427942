package syntax

import (
	"bytes"
	"unicode/utf8"
)

// typeName returns the last name of the type in text, without packages, pointers, references
// and type arguments. It returns "" for anything but a single named type (a list, a map, a
// function, a union), for var and auto, and for a type parameter. In PHP, the name keeps its namespaces.
func (b *builder) typeName(text []byte) string {
	if path := bytes.TrimLeft(text, " ?"); b.pathNodes != "" && bytes.IndexByte(path, '\\') >= 0 &&
		bytes.IndexFunc(path, func(c rune) bool { return c != '\\' && c < utf8.RuneSelf && !nameByte(byte(c)) }) < 0 {
		return b.intern(path)
	}
	_, name := b.typePath(text)
	return b.resolve(name)
}

// resolve returns a type by its name, and the enclosing type for Self.
func (b *builder) resolve(name []byte) string {
	if !capital(name) {
		return b.intern(name)
	}
	switch w := b.word(name); {
	case b.bound(w), w.unit == b.unit:
		return ""
	case w.self:
		return b.enclosingType()
	default:
		return w.text
	}
}

// typePath returns the last name of the type in text, and the name before it.
func (t *tree) typePath(text []byte) (outer, name []byte) {
	rest := skipModifiers(text)
	for {
		end := nameEnd(rest)
		if end == 0 {
			return nil, nil
		}
		outer, name, rest = name, rest[:end], rest[end:]
		after, ok := cutPathSeparator(rest)
		if !ok {
			break
		}
		rest = after
	}
	switch inside, after := cutBrackets(rest); {
	case string(name) == "var" || string(name) == "auto":
		return nil, nil
	case absent(name) && bytes.HasPrefix(bytes.TrimSpace(rest), []byte("|")):
		return t.typePath(bytes.TrimSpace(rest)[1:])
	case len(inside) > 0 && len(bytes.TrimSpace(after)) == 0 && t.transparent[string(name)]:
		return t.typePath(inside)
	case !oneType(rest):
		return nil, nil
	}
	return outer, name
}

// skipModifiers skips what may precede a type's name: marks, lifetimes, keywords.
func skipModifiers(text []byte) []byte {
	for {
		text = bytes.TrimLeft(text, " \t\r\n*&?:\\\"")
		lifetime := false
		if rest, quoted := bytes.CutPrefix(text, []byte("'")); quoted {
			lifetime = !bytes.HasSuffix(bytes.TrimSpace(rest), []byte("'"))
			text = rest
		}
		end := nameEnd(text)
		switch string(text[:end]) {
		case "const", "mut", "dyn", "impl", "struct", "union", "enum", "class", "typename", "volatile", "final",
			"readonly", "inout", "borrowing", "consuming", "some", "any", "new":
		default:
			if !lifetime {
				return text
			}
		}
		if end == len(text) && !lifetime {
			return text
		}
		text = text[end:]
	}
}

func nameEnd(text []byte) int {
	end := 0
	for end < len(text) && nameByte(text[end]) {
		end++
	}
	return end
}

// cutPathSeparator removes a separator of path names at the beginning of text, and type
// arguments after it.
func cutPathSeparator(text []byte) ([]byte, bool) {
	for _, s := range []string{"::", ".", "\\", "#"} {
		rest, ok := bytes.CutPrefix(text, []byte(s))
		if !ok {
			continue
		}
		if bytes.HasPrefix(rest, []byte("<")) {
			_, after := cutBrackets(rest)
			return bytes.CutPrefix(after, []byte("::"))
		}
		return rest, true
	}
	return nil, false
}

// cutBrackets splits text that begins with a bracket: inside is the text between the brackets,
// after the text behind them. Without a bracket, after is the whole text.
func cutBrackets(text []byte) (inside, after []byte) {
	if len(text) == 0 || text[0] != '<' && text[0] != '[' {
		return nil, text
	}
	depth := 0
	for i, c := range text {
		switch c {
		case '<', '[':
			depth++
		case '>', ']':
			depth--
		}
		if depth == 0 {
			return text[1:i], text[i+1:]
		}
	}
	return nil, text
}

// oneType reports whether the text after a type's name leaves it a single type: type arguments,
// marks, further bounds, and alternatives such as "| null".
func oneType(rest []byte) bool {
	for {
		rest = bytes.TrimLeft(rest, " \t\r\n*&?!\"'")
		if len(rest) == 0 || rest[0] == '+' {
			return true
		}
		switch inside, after := cutBrackets(rest); {
		case rest[0] == '|':
			rest = bytes.TrimLeft(rest[1:], " \t\r\n")
			end := nameEnd(rest)
			if !absent(rest[:end]) {
				return false
			}
			rest = rest[end:]
		case rest[0] == '<' && len(after) < len(rest), len(inside) > 0 &&
			bytes.IndexByte([]byte(`0123456789'"`), inside[0]) < 0:
			rest = after
		default:
			return false
		}
	}
}

// absent reports whether a name is a language's word for no value.
func absent(name []byte) bool {
	switch string(name) {
	case "None", "null", "nil", "undefined", "void":
		return true
	}
	return false
}
