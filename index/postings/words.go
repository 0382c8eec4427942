package postings

import (
	"unicode"
	"unicode/utf8"
)

// Words calls visit for each word of text with its byte offset. A word is a run of
// letters, digits and underscores, with the marks that belong to its letters.
func Words(text []byte, visit func(at int, word []byte)) {
	for i := 0; i < len(text); {
		if c := text[i]; !wordBytes[c] && (c < utf8.RuneSelf || !beginsWord(text[i:])) {
			i++
			continue
		}
		start := i
		for i < len(text) {
			if c := text[i]; wordBytes[c] {
				i++
			} else if c < utf8.RuneSelf {
				break
			} else if size := wordRune(text[i:]); size > 0 {
				i += size
			} else {
				break
			}
		}
		visit(start, text[start:i])
	}
}

// wordBytes holds the ASCII characters that belong to words.
var wordBytes = func() (set [256]bool) {
	for c := range utf8.RuneSelf {
		set[c] = c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
	}
	return set
}()

// beginsWord reports whether the first character, which is not ASCII, is a letter or digit. A
// mark alone is not a word: one follows many emojis.
func beginsWord(text []byte) bool {
	r, _ := utf8.DecodeRune(text)
	return letterOrDigit(r)
}

// wordRune returns the length in bytes of the first character, which is not ASCII, if it
// belongs to the word before it, else 0.
func wordRune(text []byte) int {
	if r, size := utf8.DecodeRune(text); letterOrDigit(r) || unicode.IsMark(r) || ignorable(r) {
		return size
	}
	return 0
}

// letterOrDigit also holds for the letters that are numbers, such as 〇.
func letterOrDigit(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Nl, r)
}
