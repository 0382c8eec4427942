package terminal

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxHeld bounds what is held back of a line, in bytes. What ends later is not an emphasis or a link.
const maxHeld = 512

// inline returns the first piece of a line as spans, and how many bytes it has; 0 if more of the line is needed. whole
// says that the line has no more. before is the byte in front of the text.
func inline(text string, base Span, before byte, whole bool) (spans []Span, n int) {
	if len(text) > maxHeld {
		text, whole = text[:wholeRunes(text, maxHeld)], true
	}
	switch c := text[0]; c {
	case '\\':
		return escaped(text, base, whole)
	case '`':
		return codeSpan(text, base, whole)
	case '&':
		return entity(text, base, whole)
	case '[':
		return linkSpan(text, base, whole)
	case '*', '_', '~':
		return emphasis(text, base, before, whole)
	case 'h':
		if spans, n, ok := bareLink(text, base, before, whole); ok {
			return spans, n
		}
	}
	n = plainLength(text)
	return []Span{base.with(text[:n])}, n
}

// plainLength returns where something may begin behind the first byte of a text.
func plainLength(text string) int {
	n := 1
	for n < len(text) && strings.IndexByte("\\`&[*_~", text[n]) < 0 && !(text[n] == 'h' && beginsWord(text[n-1])) {
		n++
	}
	return n
}

// wholeRunes returns the length of the characters that the first n bytes of a text have as a whole.
func wholeRunes(text string, n int) int {
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return n
}

// with returns a span of the same style and link.
func (s Span) with(text string) Span { return Span{text, s.Style, s.Link} }

// inlines returns all of a text as spans.
func inlines(text string, base Span) (spans []Span) {
	before := byte(' ')
	for text != "" {
		more, n := inline(text, base, before, true)
		spans, before, text = append(spans, more...), text[n-1], text[n:]
	}
	return spans
}

func escaped(text string, base Span, whole bool) ([]Span, int) {
	switch {
	case len(text) == 1 && !whole:
		return nil, 0
	case len(text) > 1 && text[1] < utf8.RuneSelf && unicode.In(rune(text[1]), unicode.P, unicode.S):
		return []Span{base.with(text[1:2])}, 2
	}
	return []Span{base.with(text[:1])}, 1
}

// run returns how often the first byte of a text stands at its beginning.
func run(text string) (n int) {
	for n < len(text) && text[n] == text[0] {
		n++
	}
	return n
}

func codeSpan(text string, base Span, whole bool) ([]Span, int) {
	length := run(text)
	if length == len(text) && !whole {
		return nil, 0
	}
	for at := length; at < len(text); {
		if text[at] != '`' {
			at++
			continue
		}
		others := run(text[at:])
		if at+others == len(text) && !whole {
			return nil, 0
		}
		if others == length {
			code := base.with(trimCode(text[length:at]))
			code.Style |= Cyan
			return []Span{code}, at + others
		}
		at += others
	}
	if !whole {
		return nil, 0
	}
	return []Span{base.with(text[:length])}, length
}

// trimCode removes the space at both ends of code, which lets it begin with a backquote.
func trimCode(code string) string {
	if strings.HasPrefix(code, " ") && strings.HasSuffix(code, " ") && strings.TrimSpace(code) != "" {
		return code[1 : len(code)-1]
	}
	return code
}

// entity decodes a character that is written by its name or number.
func entity(text string, base Span, whole bool) ([]Span, int) {
	const longest = 10
	end := strings.IndexAny(text[:min(len(text), longest)], "; ")
	if end < 0 && len(text) < longest && !whole {
		return nil, 0
	}
	if end > 0 && text[end] == ';' {
		if decoded := html.UnescapeString(text[:end+1]); decoded != text[:end+1] {
			return []Span{base.with(decoded)}, end + 1
		}
	}
	return []Span{base.with("&")}, 1
}

// linkSpan reads [text](address). An address that says the same as the text is not repeated.
func linkSpan(text string, base Span, whole bool) ([]Span, int) {
	end := closing(text, '[', ']')
	switch {
	case end < 0 && !whole, end == len(text)-1 && !whole:
		return nil, 0
	case end < 0 || end == len(text)-1 || text[end+1] != '(':
		return []Span{base.with("[")}, 1
	}
	length := closing(text[end+1:], '(', ')')
	if length < 0 && !whole {
		return nil, 0
	}
	if length < 0 || base.Link != "" {
		return []Span{base.with("[")}, 1
	}
	to, _, _ := strings.Cut(strings.TrimSpace(text[end+2:end+1+length]), " ")
	label := base
	label.Style |= Underline
	if label.Link = html.UnescapeString(to); !mayOpen(label.Link) {
		label.Link = ""
	}
	return inlines(text[1:end], label), end + 2 + length
}

// closing returns where the bracket that a text begins with closes, -1 if it does not.
func closing(text string, open, shut byte) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case open:
			depth++
		case shut:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// mayOpen reports whether a terminal may open a link: it needs a whole address, and no other scheme is harmless.
func mayOpen(to string) bool {
	scheme, _, found := strings.Cut(to, ":")
	switch strings.ToLower(scheme) {
	case "http", "https", "mailto", "file":
		return found
	}
	return false
}

// beginsWord reports whether a word may begin behind a byte.
func beginsWord(before byte) bool { return strings.IndexByte(" \t(\"'", before) >= 0 }

// bareLink reads an address that stands in the text.
func bareLink(text string, base Span, before byte, whole bool) (spans []Span, n int, ok bool) {
	if !beginsWord(before) || base.Link != "" {
		return nil, 0, false
	}
	for _, scheme := range []string{"https://", "http://"} {
		if !whole && len(text) < len(scheme) && strings.HasPrefix(scheme, text) {
			return nil, 0, true
		}
		if !strings.HasPrefix(text, scheme) {
			continue
		}
		end := strings.IndexAny(text, " \t<>\"`")
		if end < 0 && !whole {
			return nil, 0, true
		}
		if end < 0 {
			end = len(text)
		}
		end = len(strings.TrimRight(text[:end], ".,;:!?)*_"))
		link := base.with(text[:end])
		link.Style, link.Link = link.Style|Underline, text[:end]
		return []Span{link}, end, true
	}
	return nil, 0, false
}

// emphasis reads text between equal marks: one or three for italics, two or three for bold, two tildes for struck text.
func emphasis(text string, base Span, before byte, whole bool) ([]Span, int) {
	mark, length := text[0], run(text)
	if length == len(text) && !whole {
		return nil, 0
	}
	literal := []Span{base.with(text[:length])}
	wrong := mark == '_' && isWord(before) || mark == '~' && length != 2
	if length == len(text) || length > 3 || isSpace(text[length]) || wrong {
		return literal, length
	}
	end, certain := closingMarks(text, length, whole)
	if !certain {
		return nil, 0
	}
	if end < 0 {
		return literal, length
	}
	inner := base
	switch {
	case mark == '~':
		inner.Style |= Strike
	case length == 1:
		inner.Style |= Italic
	case length == 2:
		inner.Style |= Bold
	default:
		inner.Style |= Bold | Italic
	}
	return inlines(text[length:end], inner), end + length
}

// closingMarks returns where the marks that a text begins with are closed, -1 if they are not. certain says that more
// text would not change that.
func closingMarks(text string, length int, whole bool) (at int, certain bool) {
	mark := text[0]
	for at = length; at < len(text); {
		switch text[at] {
		case '\\':
			at += 2
			continue
		case '`':
			_, n := codeSpan(text[at:], Span{}, whole)
			if n == 0 {
				return -1, false
			}
			at += n
			continue
		case mark:
		default:
			at++
			continue
		}
		n := run(text[at:])
		if at+n == len(text) && !whole {
			return -1, false
		}
		follows := at+n < len(text) && isWord(text[at+n])
		if n >= length && !isSpace(text[at-1]) && !(mark == '_' && follows) && (n == length || n > 2) {
			return at + n - length, true
		}
		at += n
	}
	return -1, whole
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' }

func isWord(c byte) bool {
	return c >= utf8.RuneSelf || c == '_' || unicode.IsLetter(rune(c)) || unicode.IsDigit(rune(c))
}
