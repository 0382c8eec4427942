package display

import (
	"strings"
	"unicode/utf8"
)

// Plain returns what a program has printed without the sequences that color text, move in a terminal or drive it,
// as valid UTF-8.
func Plain(text string) string {
	var s PlainStream
	return s.Next(text) + s.End()
}

// A PlainStream is [Plain] for a text that comes in pieces: what is cut in two waits for the next one. The zero value
// is ready.
type PlainStream struct{ kept string }

// maxKept is how many bytes of a sequence that does not end are waited for.
const maxKept = 4 << 10

// Next returns what can be shown after the next piece.
func (s *PlainStream) Next(piece string) string {
	text := piece
	if s.kept != "" {
		text, s.kept = s.kept+piece, ""
	}
	var b strings.Builder
	for text != "" {
		at := strings.IndexAny(text, dropped)
		if at < 0 {
			break
		}
		b.WriteString(text[:at])
		if text = text[at:]; text[0] != escape {
			text = text[1:]
			continue
		}
		n, whole := sequence(text)
		if !whole && len(text) < maxKept {
			s.kept = text
			return strings.ToValidUTF8(b.String(), replacement)
		}
		text = text[n:]
	}
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if end := text[len(text)-n:]; utf8.RuneStart(end[0]) {
			if !utf8.FullRuneInString(end) {
				text, s.kept = text[:len(text)-n], end
			}
			break
		}
	}
	b.WriteString(text)
	return strings.ToValidUTF8(b.String(), replacement)
}

// End returns what can be shown of what is left when no piece comes any more.
func (s *PlainStream) End() string {
	kept := s.kept
	s.kept = ""
	if kept == "" || kept[0] == escape {
		return ""
	}
	return replacement
}

const (
	escape      = '\x1b'
	dropped     = "\x1b\r\a\x0e\x0f" // a sequence, or a character that only a terminal hears
	replacement = "\ufffd"
)

// sequence returns the length of the sequence at the start of a text, by ECMA-48. whole reports whether it has ended.
// One that is malformed ends before the byte that does not belong to it.
func sequence(text string) (n int, whole bool) {
	if len(text) < 2 {
		return len(text), false
	}
	switch c := text[1]; {
	case c == '[':
		n = past(text, past(text, 2, '0', '?'), ' ', '/')
		return final(text, n, '@')
	case strings.IndexByte("]PX^_", c) >= 0: // a string, up to a bell or another sequence; none has two lines
		return stringEnd(text)
	}
	return final(text, past(text, 1, ' ', '/'), '0')
}

// stringEnd returns where the string at the start of a text ends, and whether it has ended.
func stringEnd(text string) (n int, whole bool) {
	at := strings.IndexAny(text[2:], "\a\n\x1b")
	if at < 0 {
		return len(text), false
	}
	at += 2
	switch {
	case text[at] == '\a':
		return at + 1, true
	case text[at] == '\n':
		return at, true
	case len(text) == at+1:
		return len(text), false
	case text[at+1] == '\\':
		return at + 2, true
	}
	return at, true
}

// past returns where the bytes from lowest to highest end that begin at n.
func past(text string, n int, lowest, highest byte) int {
	for n < len(text) && lowest <= text[n] && text[n] <= highest {
		n++
	}
	return n
}

// final returns the end of a sequence whose last byte, from lowest on, is at n.
func final(text string, n int, lowest byte) (end int, whole bool) {
	switch {
	case n == len(text):
		return n, false
	case lowest <= text[n] && text[n] <= '~':
		return n + 1, true
	}
	return n, true
}
