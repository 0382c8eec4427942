package postings

import (
	"unicode"
	"unicode/utf8"
)

// split splits an identifier at underscores, between letters and digits, between
// ideographs and other characters, and at the capitals of camelCase: HTTPServer2 becomes
// HTTP, Server and 2.
func (c *splitter) split(word []byte) {
	c.lower, c.ends, c.lowerWord, c.ideographs = c.lower[:0], c.ends[:0], c.lowerWord[:0], false
	cut := func(end int) {
		if n := len(c.ends); n == 0 && end > 0 || n > 0 && end > c.ends[n-1] {
			c.ends = append(c.ends, end)
		}
	}
	var before, last rune // the two previous characters
	lastAt := 0           // the offset of last in c.lower
	for i := 0; i < len(word); {
		r, size := utf8.DecodeRune(word[i:])
		i += size
		at := len(c.lower)
		switch {
		case isMark(r): // belongs to the character before it
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
		l := lower(r)
		c.lowerWord = utf8.AppendRune(c.lowerWord, l)
		if r != '_' {
			c.lower = utf8.AppendRune(c.lower, l)
		}
		if !isMark(r) {
			before, last, lastAt = last, r, at
		}
	}
	cut(len(c.lower))
}

func digit(r rune) bool {
	if r < utf8.RuneSelf {
		return '0' <= r && r <= '9'
	}
	return unicode.IsDigit(r)
}

func isMark(r rune) bool { return r >= utf8.RuneSelf && unicode.IsMark(r) }

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
