package display

import (
	"html"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// writeInline writes the text of a line as far as it is certain, and returns how many bytes it has read.
func (m *Markdown) writeInline(out *strings.Builder, line string, whole bool) int {
	for at := 0; at < len(line); {
		n, safe := inline(line[at:], whole)
		if m.word.address {
			n, safe = inAddress(line[at:], n, safe, whole)
		}
		if n == 0 {
			return at
		}
		out.WriteString(safe)
		m.word.pass(line[at : at+n])
		at += n
	}
	return len(line)
}

// inAddress is inline for a text within an address, where inline gives n and safe.
func inAddress(text string, n int, safe string, whole bool) (int, string) {
	switch mark, length := run(text); {
	case mark == '`' && (whole || length < len(text)):
		return length, strings.Repeat("\\`", length)
	case n == 2 && mark == '\\' && (text[1] == '<' || text[1] == ']'): // the backslash may belong to the address
		return 1, text[:1]
	}
	return n, safe
}

// word is what stands between white space. Renderers make addresses in text links, and backquotes
// in them begin no code.
type word struct {
	last    [2]byte // the last two bytes
	dot     bool
	address bool
}

func (w *word) pass(text string) {
	for i := range len(text) {
		c := text[i]
		switch {
		case c == ' ' || c == '\t':
			*w = word{}
			continue
		case c == '@', c == '/' && w.last == [2]byte{':', '/'}, c == '.' && w.last[1]|0x20 == 'w', w.dot && strings.IndexByte("/?#", c) >= 0:
			w.address = true
		case c == '.':
			w.dot = true
		}
		w.last = [2]byte{w.last[1], c}
	}
}

// inline returns the text that stands for the first n bytes of a text; n is 0 if more of the line is needed.
func inline(text string, whole bool) (n int, safe string) {
	next := byte('\n')
	if len(text) > 1 {
		next = text[1]
	}
	switch text[0] {
	case '\\', '!', '<', ']':
		if len(text) == 1 && !whole {
			return 0, ""
		}
	}
	switch c := text[0]; {
	case c == '\\' && next < utf8.RuneSelf && unicode.In(rune(next), unicode.P, unicode.S):
		return 2, text[:2]
	case c == '!' && next == '[':
		return 1, `\!`
	case c == '<' && (next == '/' || next == '!' || next == '?' || next < utf8.RuneSelf && unicode.IsLetter(rune(next))):
		return 1, "&lt;"
	case c == ']' && (next == '(' || next == ':'):
		return link(text, whole)
	case c == '`':
		return codeSpan(text, whole)
	}
	n = strings.IndexAny(text[1:], "\\!<]`") + 1
	if n == 0 {
		n = len(text)
	}
	return n, text[:n]
}

// codeSpan is inline for a text that begins with backquotes. Code that a table would end at a bar,
// and that would not be safe then, is none.
func codeSpan(text string, whole bool) (n int, safe string) {
	_, length := run(text)
	for at := length; at < min(len(text), length+maxHeld); {
		mark, others := run(text[at:])
		if mark == '`' && at+others == len(text) && !whole {
			return 0, ""
		}
		if mark == '`' && others == length {
			if content := text[length:at]; strings.Contains(content, "|") && SafeMarkdown(content) != content {
				break
			}
			return at + others, text[:at+others]
		}
		at += others
	}
	if !whole && len(text) <= length+maxHeld {
		return 0, ""
	}
	return length, strings.Repeat("\\`", length)
}

// link is inline for a text that begins with the end of the text of a link, or of the name of one.
// A link has no title, and no backquotes or parentheses in its destination: what is behind them
// would be code for one reader and not for another.
func link(text string, whole bool) (n int, safe string) {
	const space = " \t\r"
	if len(text) > maxHeld {
		text, whole = text[:maxHeld], true
	}
	to := strings.TrimLeft(text[2:], space)
	end := strings.IndexAny(to, space+")")
	if end < 0 {
		end = len(to)
	}
	after := strings.TrimLeft(to[end:], space)
	to = to[:end]
	switch named := text[1] == ':'; {
	case after == "" && !whole:
		return 0, ""
	case named && mayFollow(to), !named && strings.HasPrefix(after, ")") && !strings.ContainsAny(to, "`(") &&
		(to == "" || mayFollow(to)):
		return 2, text[:2]
	}
	return 2, `]\` + text[1:2]
}

// schemes are those that a link may have.
var schemes = []string{"http", "https", "mailto"}

// mayFollow reports whether a person may follow a link to a destination as it is written. One on the next line is not
// known, and one in angle brackets would be HTML if the link were none.
func mayFollow(to string) bool {
	to = strings.Map(func(c rune) rune {
		if c == '\\' || unicode.In(c, unicode.Cc, unicode.Cf, unicode.Z) {
			return -1
		}
		return c
	}, html.UnescapeString(to))
	if to == "" || strings.HasPrefix(to, "<") || strings.HasPrefix(to, "//") {
		return false
	}
	scheme, rest, ok := strings.Cut(to, ":")
	switch {
	case !ok || strings.ContainsAny(scheme, "/?#"):
		return true
	case strings.Contains(scheme, ".") && strings.Trim(rest, "0123456789:-") == "":
		return true // a file and a line
	case strings.EqualFold(scheme, "file"):
		return strings.HasPrefix(rest, "/") && (!strings.HasPrefix(rest, "//") || strings.HasPrefix(rest, "///"))
	}
	return slices.Contains(schemes, strings.ToLower(scheme))
}
