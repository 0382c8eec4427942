package o200k

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// piece is where the first piece of s ends, as the vocabulary's regular expression cuts
// text, with U for [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}] and L for [\p{Ll}\p{Lm}\p{Lo}\p{M}]:
//
//	[^\r\n\p{L}\p{N}]?U*L+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	|[^\r\n\p{L}\p{N}]?U+L*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
func piece(s string) int {
	c, width := classOf(s)
	if c&(space|other) != 0 && c&line == 0 {
		if end, lowers := word(s, width); lowers || end > width && c&upper == 0 {
			return end
		}
	}
	switch {
	case c&(upper|lower) != 0:
		end, _ := word(s, 0)
		return end
	case c&digit != 0:
		return one(s, one(s, width, digit), digit)
	case c&other != 0:
		return tail(s, run(s, 0, other))
	case s[0] == ' ' && one(s, 1, other) > 1:
		return tail(s, run(s, 1, other))
	}
	return blank(s)
}

// word is the end of the word that begins at a place, with a contraction behind it, and
// whether it is of the first of the two forms; the place itself if there is no word.
func word(s string, at int) (end int, lowers bool) {
	last := at // end of the last of U that is of L, too
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
	if small := run(s, end, lower); small > end {
		end, lowers = small, true
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

// blank is the end of the white space that s begins with: its lines, or all of it but
// what goes with the word that follows.
func blank(s string) int {
	end := run(s, 0, space)
	if last := strings.LastIndexAny(s[:end], "\r\n"); last >= 0 {
		return last + 1
	}
	if _, width := utf8.DecodeLastRuneInString(s[:end]); end < len(s) && end > width {
		return end - width
	}
	return end
}

// tail is the end of the lines and slashes from a place on.
func tail(s string, at int) int {
	for at < len(s) && (s[at] == '\r' || s[at] == '\n' || s[at] == '/') {
		at++
	}
	return at
}

// run is the first place from at on where a character is not of a class.
func run(s string, at int, of class) int {
	for at < len(s) {
		if s[at] < utf8.RuneSelf { // as most are
			if ascii[s[at]]&of == 0 {
				break
			}
			at++
			continue
		}
		next := one(s, at, of)
		if next == at {
			break
		}
		at = next
	}
	return at
}

// one is the end of the character at a place, or the place if it is not of a class.
func one(s string, at int, of class) int {
	if at == len(s) {
		return at
	}
	c, width := classOf(s[at:])
	if c&of == 0 {
		return at
	}
	return at + width
}

// A class is what the regular expression knows of a character. A mark is of three.
type class uint8

const (
	upper class = 1 << iota // U
	lower                   // L
	digit                   // \p{N}
	space                   // \s
	line                    // \r and \n, which are spaces
	other                   // [^\s\p{L}\p{N}]
)

// classOf is the class and the length of the first character of s, which is not empty.
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
