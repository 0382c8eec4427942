package postings

import (
	"unicode"
	"unicode/utf8"
)

// Words calls visit for each word of text with its byte offset. A word is a run of
// letters, digits and underscores.
func Words(text []byte, visit func(at int, word []byte)) {
	for i := 0; i < len(text); {
		start := i
		for i < len(text) {
			if wordBytes[text[i]] {
				i++
			} else if size := wordRune(text[i:]); size > 0 {
				i += size
			} else {
				break
			}
		}
		if i > start {
			visit(start, text[start:i])
		}
		for i < len(text) && !wordBytes[text[i]] {
			if text[i] >= utf8.RuneSelf && wordRune(text[i:]) > 0 {
				break
			}
			i++
		}
	}
}

// wordBytes holds the ASCII characters that belong to words.
var wordBytes = func() (set [256]bool) {
	for c := range utf8.RuneSelf {
		set[c] = c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
	}
	return set
}()

// wordRune returns the length in bytes of the first character if it is a non-ASCII
// character that belongs to words, else 0.
func wordRune(text []byte) int {
	if text[0] < utf8.RuneSelf {
		return 0
	}
	r, size := utf8.DecodeRune(text)
	if r == utf8.RuneError && size == 1 || !unicode.IsLetter(r) && !unicode.IsDigit(r) {
		return 0
	}
	return size
}
