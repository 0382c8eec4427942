package postings

import (
	"unicode"
	"unicode/utf8"
)

// ideograph reports whether a character belongs to a script that is written without
// spaces, or one whose words match better by bigrams.
func ideograph(r rune) bool {
	return r >= firstIdeograph && (r == longVowel || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul))
}

const (
	firstIdeograph = 0x1100 // the lowest character of these scripts
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
// find word boundaries. A single character is a term of its own.
func bigrams(part []byte, visit func(term []byte)) {
	_, size := utf8.DecodeRune(part)
	if size == len(part) {
		visit(part)
	}
	for size < len(part) {
		_, next := utf8.DecodeRune(part[size:])
		visit(part[:size+next])
		part, size = part[size:], next
	}
}
