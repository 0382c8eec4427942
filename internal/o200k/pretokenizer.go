package o200k

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// nextPiece returns the end of the first piece of s. A piece is a match of the
// vocabulary's regular expression, where U is [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}] and L is
// [\p{Ll}\p{Lm}\p{Lo}\p{M}]:
//
//	[^\r\n\p{L}\p{N}]?U*L+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	|[^\r\n\p{L}\p{N}]?U+L*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
func nextPiece(s string) int {
	c, width := classOf(s)
	if c&(space|other) != 0 && c&line == 0 {
		if end, lowers := wordEnd(s, width); lowers || end > width && c&upper == 0 {
			return end
		}
	}
	switch {
	case c&(upper|lower) != 0:
		end, _ := wordEnd(s, 0)
		return end
	case c&digit != 0:
		return skipOne(s, skipOne(s, width, digit), digit)
	case c&other != 0:
		return skipLines(s, skipRun(s, 0, other))
	case s[0] == ' ' && skipOne(s, 1, other) > 1:
		return skipLines(s, skipRun(s, 1, other))
	}
	return spaceEnd(s)
}

// wordEnd returns the end of the word at an offset, including a contraction that follows,
// or the offset if there is no word. lowers reports whether the word matches the first
// alternative of the expression.
func wordEnd(s string, at int) (end int, lowers bool) {
	last := at // the end of the last character of U that is also in L
	for end = at; end < len(s); {
		c, width := classOf(s[end:])
		if c&upper == 0 {
			break
		}
		end += width
		if c&lower != 0 {
			last = end
		}
	}
	if l := skipRun(s, end, lower); l > end {
		end, lowers = l, true
	} else if last > at {
		end, lowers = last, true
	}
	if end > at && end < len(s) && s[end] == '\'' {
		for _, c := range [...]string{"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"} {
			if rest := s[end:]; len(rest) >= len(c) && strings.EqualFold(rest[:len(c)], c) {
				return end + len(c), lowers
			}
		}
	}
	return end, lowers
}

// spaceEnd returns the end of the white space at the start of s: up to its last line
// break, or else all of it except the character that joins the following word.
func spaceEnd(s string) int {
	end := skipRun(s, 0, space)
	if last := strings.LastIndexAny(s[:end], "\r\n"); last >= 0 {
		return last + 1
	}
	if _, width := utf8.DecodeLastRuneInString(s[:end]); end < len(s) && end > width {
		return end - width
	}
	return end
}

// skipLines returns the end of the line breaks and slashes at an offset.
func skipLines(s string, at int) int {
	for at < len(s) && (s[at] == '\r' || s[at] == '\n' || s[at] == '/') {
		at++
	}
	return at
}

// skipRun returns the first offset from at on whose character is not in a class.
func skipRun(s string, at int, of class) int {
	for at < len(s) {
		if s[at] < utf8.RuneSelf { // the common case
			if ascii[s[at]]&of == 0 {
				break
			}
			at++
			continue
		}
		next := skipOne(s, at, of)
		if next == at {
			break
		}
		at = next
	}
	return at
}

// skipOne returns the end of the character at an offset, or the offset if the character is
// not in a class.
func skipOne(s string, at int, of class) int {
	if at == len(s) {
		return at
	}
	c, width := classOf(s[at:])
	if c&of == 0 {
		return at
	}
	return at + width
}

// A class is a set of the character classes in the regular expression. A mark has three of
// them.
type class uint8

const (
	upper class = 1 << iota // U
	lower                   // L
	digit                   // \p{N}
	space                   // \s
	line                    // \r and \n, which are spaces
	other                   // [^\s\p{L}\p{N}]
)

// classOf returns the class and the length in bytes of the first character of s, which
// must not be empty.
func classOf(s string) (c class, width int) {
	if s[0] < utf8.RuneSelf {
		return ascii[s[0]], 1
	}
	r, width := utf8.DecodeRuneInString(s)
	return classOfRune(r), width
}

var ascii = func() (classes [utf8.RuneSelf]class) {
	for i := range classes {
		classes[i] = classOfRune(rune(i))
	}
	return classes
}()

func classOfRune(r rune) class {
	switch {
	case r == '\r' || r == '\n':
		return space | line
	case unicode.IsSpace(r):
		return space
	case unicode.IsNumber(r):
		return digit
	case unicode.In(r, unicode.Lu, unicode.Lt):
		return upper
	case unicode.Is(unicode.Ll, r):
		return lower
	case unicode.IsLetter(r):
		return upper | lower
	case unicode.IsMark(r):
		return upper | lower | other
	}
	return other
}
