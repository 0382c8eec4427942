package postings

import (
	"unicode"
	"unicode/utf8"
)

// split cuts an identifier at underscores, where letters meet digits or ideographs, and
// at the capitals of camelCase: HTTPServer2 is HTTP, Server, 2.
func (c *cutter) split(word []byte) {
	c.lower, c.cuts, c.whole, c.ideographs = c.lower[:0], c.cuts[:0], c.whole[:0], false
	cut := func(end int) {
		if n := len(c.cuts); n == 0 && end > 0 || n > 0 && end > c.cuts[n-1] {
			c.cuts = append(c.cuts, end)
		}
	}
	var before, last rune // the two characters before this one
	lastAt := 0           // where the last one is in c.lower
	for i := 0; i < len(word); {
		r, size := utf8.DecodeRune(word[i:])
		i += size
		at := len(c.lower)
		switch {
		case r == '_':
			cut(at)
		case last == 0 || last == '_':
		case ideograph(r) != ideograph(last):
			cut(at)
		case digit(r) != digit(last), upper(r) && !upper(last):
			cut(at)
		case !upper(r) && upper(last) && upper(before):
			cut(lastAt)
		}
		c.ideographs = c.ideographs || ideograph(r)
		small := lower(r)
		c.whole = utf8.AppendRune(c.whole, small)
		if r != '_' {
			c.lower = utf8.AppendRune(c.lower, small)
		}
		before, last, lastAt = last, r, at
	}
	cut(len(c.lower))
}

func digit(r rune) bool {
	if r < utf8.RuneSelf {
		return '0' <= r && r <= '9'
	}
	return unicode.IsDigit(r)
}

func upper(r rune) bool {
	if r < utf8.RuneSelf {
		return 'A' <= r && r <= 'Z'
	}
	return unicode.IsUpper(r)
}

func lower(r rune) rune {
	switch {
	case r >= utf8.RuneSelf:
		return unicode.ToLower(r)
	case upper(r):
		return r | 0x20
	}
	return r
}
