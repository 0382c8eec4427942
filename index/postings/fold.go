package postings

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// wordFolder brings words into one form in which only case differs, and reuses its memory.
type wordFolder struct{ decomposed, kept, folded []byte }

// fold returns a word without accents, in Unicode's form NFKC, in which one text has one
// encoding: a halfwidth or fullwidth letter is the same as a common one, and é is e whether
// it is one character or two. People leave out accents in names of code and in capitals.
// Marks of other scripts stay, because they make other words. The result is valid until
// the next call.
func (f *wordFolder) fold(word []byte) []byte {
	if ascii(word) {
		return word
	}
	f.decomposed = norm.NFKD.Append(f.decomposed[:0], word...)
	f.kept = f.kept[:0]
	for text := f.decomposed; len(text) > 0; {
		r, size := utf8.DecodeRune(text)
		text = text[size:]
		if !accent(r) && !ignorable(r) {
			f.kept = appendFolded(f.kept, r)
		}
	}
	f.folded = norm.NFC.Append(f.folded[:0], f.kept...)
	return f.folded
}

// appendFolded appends a letter, except for the few that have another capital than their
// spelling suggests.
func appendFolded(word []byte, r rune) []byte {
	switch r {
	case 'ß':
		return append(word, "ss"...)
	case 'ẞ':
		return append(word, "SS"...)
	case 'ς': // at the end of words
		r = 'σ'
	case 'ı': // Turkish; its capital is I
		r = 'i'
	}
	return utf8.AppendRune(word, r)
}

func ascii(word []byte) bool {
	for _, c := range word {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// accent reports whether a character is a mark of Latin, Greek, Cyrillic, Hebrew or Arabic
// letters, which their languages write only sometimes.
func accent(r rune) bool {
	return 0x300 <= r && r <= 0x36f || 0x591 <= r && r <= 0x5c7 || 0x610 <= r && r <= 0x670 && unicode.Is(unicode.Mn, r)
}

// ignorable reports whether a character inside a word only affects its look: the soft
// hyphen, the joiners of Persian and Indic scripts, the long stroke of Arabic.
func ignorable(r rune) bool {
	return r == 0xad || r == 0x200c || r == 0x200d || r == 0x640
}
