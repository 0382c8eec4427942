package postings

import (
	"unicode"
	"unicode/utf8"
)

// ideograph says whether a character is of a script that is written without spaces, or
// whose words are found better by pairs of characters.
func ideograph(r rune) bool {
	return r >= firstIdeograph && (r == longVowel || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul))
}

const (
	firstIdeograph = 0x1100 // of these scripts
	longVowel      = 'ー'    // which Unicode counts to no script
)

// ideographic says whether a part of a word is of ideographs.
func ideographic(part []byte) bool {
	if part[0] < utf8.RuneSelf {
		return false
	}
	r, _ := utf8.DecodeRune(part)
	return ideograph(r)
}

// pairs calls visit for each two characters that stand next to each other, which is how
// such scripts are searched without a dictionary; a single one is a term itself.
func pairs(part []byte, visit func(term []byte)) {
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
