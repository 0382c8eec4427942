package o200k

import "unicode/utf8"

// Measured is a text that was counted, and need not be counted again where others stand
// before and behind it.
type Measured struct {
	head, tail string // before the first and behind the last place where it can be cut
	inside     int    // tokens between them
	cut        bool   // whether there is such a place; else all of it is head
}

// Measure counts a text.
func Measure(s string) Measured {
	first := 1
	for first < len(s) && !severable(s, first) {
		first++
	}
	if first >= len(s) {
		return Measured{head: s}
	}
	last := len(s) - 1
	for !severable(s, last) {
		last--
	}
	return Measured{s[:first], s[last:], Count(s[first:last]), true}
}

// severable says whether a piece begins at a place whatever is before its neighbours and
// behind them.
func severable(s string, at int) bool {
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

// A Sum counts texts that stand behind each other as Count counts all of them. The zero Sum
// is of none.
type Sum struct {
	tokens int
	open   string // what is not counted yet, for it may go on
}

// Add adds a text that was measured.
func (s *Sum) Add(m Measured) {
	s.open += m.head
	if m.cut {
		s.tokens += Count(s.open) + m.inside
		s.open = m.tail
	}
}

// AddText adds a text, best a short one.
func (s *Sum) AddText(text string) { s.open += text }

// Tokens is how many there are so far.
func (s *Sum) Tokens() int { return s.tokens + Count(s.open) }
