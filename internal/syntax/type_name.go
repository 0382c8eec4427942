package syntax

import "bytes"

// typeName is the last name of the type that text writes, without packages, pointers,
// references and type arguments. It is "" for what is no single type with a name (a
// list, a map, a function, a union), for one that is left to the value, and for a type
// parameter.
func (b *builder) typeName(text []byte) string {
	_, name := b.typePath(text)
	return b.resolve(name)
}

// resolve is a type by its name, Self by that of the enclosing one.
func (b *builder) resolve(name []byte) string {
	if !capital(name) {
		return b.intern(name)
	}
	if _, bound := b.locals[string(name)]; bound || b.parameters[string(name)] {
		return ""
	}
	if b.selfNames[string(name)] {
		return b.enclosingType()
	}
	return b.intern(name)
}

// typePath is the last name of the type that text writes, and the one before that.
func (b *builder) typePath(text []byte) (outer, name []byte) {
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
		return b.typePath(bytes.TrimSpace(rest)[1:])
	case len(inside) > 0 && len(bytes.TrimSpace(after)) == 0 && b.transparent[string(name)]:
		return b.typePath(inside)
	case !oneType(rest):
		return nil, nil
	}
	return outer, name
}

// skipModifiers skips what may stand before a type's name: marks, lifetimes, words.
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

// cutPathSeparator cuts what joins two names of a path, type arguments in it too.
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

// cutBrackets takes text apart that begins with a bracket: what is in it, and what
// follows. Without one, all of it follows.
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

// oneType says whether what follows a type's name leaves it that type: arguments,
// marks, further bounds, and that there may be none.
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
		case rest[0] == '<' && len(after) < len(rest), len(inside) > 0 && bytes.IndexByte([]byte(`0123456789'"`), inside[0]) < 0:
			rest = after
		default:
			return false
		}
	}
}

// absent says whether a name is a language's word for what is not there.
func absent(name []byte) bool {
	switch string(name) {
	case "None", "null", "nil", "undefined", "void":
		return true
	}
	return false
}
