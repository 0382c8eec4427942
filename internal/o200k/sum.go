package o200k

import "unicode/utf8"

// Measured is a text whose inner tokens are counted, so that it can be joined with other
// texts without counting it again.
type Measured struct {
	head, tail string // the text before the first boundary and after the last
	inside     int    // the number of tokens between them
	cut        bool   // whether there is a boundary; if not, head is the whole text
}

// Measure counts the inner tokens of a text.
func Measure(s string) Measured {
	first := 1
	for first < len(s) && !isBoundary(s, first) {
		first++
	}
	if first >= len(s) {
		return Measured{head: s}
	}
	last := len(s) - 1
	for !isBoundary(s, last) {
		last--
	}
	return Measured{s[:first], s[last:], Count(s[first:last]), true}
}

// isBoundary reports whether a piece begins at an offset regardless of the text around the
// two bytes next to it.
func isBoundary(s string, at int) bool {
	if s[at-1] >= utf8.RuneSelf || s[at] >= utf8.RuneSelf {
		return false
	}
	before, behind := ascii[s[at-1]], ascii[s[at]]
	switch {
	case before&(upper|lower) != 0:
		return behind&(upper|lower) == 0 && s[at] != '\''
	case before&digit != 0:
		return behind&digit == 0
	}
	return s[at] == ' ' && before&space == 0
}

// A Sum counts the tokens of texts that are joined, exactly as [Count] counts the joined
// text. The zero Sum has no text.
type Sum struct {
	tokens int
	open   string // the end of the text, which is not counted yet because the next text may continue it
}

// Add appends a measured text.
func (s *Sum) Add(m Measured) {
	s.open += m.head
	if m.cut {
		s.tokens += Count(s.open) + m.inside
		s.open = m.tail
	}
}

// AddText appends a text, which should be short.
func (s *Sum) AddText(text string) { s.open += text }

// Tokens returns the number of tokens so far.
func (s *Sum) Tokens() int { return s.tokens + Count(s.open) }
