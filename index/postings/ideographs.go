package postings

import (
	"unicode"
	"unicode/utf8"
)

// ideograph reports whether a character belongs to a script that is written without
// spaces, or one whose words match better by bigrams. Not all of them are ideographs in the
// strict sense.
func ideograph(r rune) bool {
	return r >= firstIdeograph &&
		(r == longVowel || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
			unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar))
}

const (
	firstIdeograph = 0x0e01 // the lowest character of these scripts
	longVowel      = 'ー'    // Unicode assigns it to no script
)

// ideographic reports whether a part of a word consists of ideographs.
func ideographic(part []byte) bool {
	if part[0] < utf8.RuneSelf {
		return false
	}
	r, _ := utf8.DecodeRune(part)
	return ideograph(r)
}

// bigrams calls visit for each pair of adjacent characters, which needs no dictionary to
// find word boundaries. A single character is a term of its own. A character includes its
// marks.
func bigrams(part []byte, visit func(term []byte)) {
	size := character(part)
	if size == len(part) {
		visit(part)
	}
	for size < len(part) {
		next := character(part[size:])
		visit(part[:size+next])
		part, size = part[size:], next
	}
}

// character returns the length in bytes of the first character with its marks.
func character(text []byte) int {
	_, size := utf8.DecodeRune(text)
	for size < len(text) {
		r, more := utf8.DecodeRune(text[size:])
		if !unicode.IsMark(r) {
			break
		}
		size += more
	}
	return size
}
