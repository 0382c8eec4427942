package postings

import (
	"bytes"
	"strings"
)

// stem removes common English endings from a word in lower case, so that "decoded",
// "decodes" and "decoding" become one term.
func stem(word []byte) []byte {
	if len(word) < 4 {
		return word
	}
	switch n := len(word); {
	case hasSuffix(word, "ies") && n > 4:
		word = append(word[:n-3:n-3], 'y')
	case hasSuffix(word, "sses"):
		word = word[:n-2]
	case word[n-1] == 's' && !hasSuffix(word, "ss") && !hasSuffix(word, "us") && !hasSuffix(word, "is"):
		word = word[:n-1]
	}
	for _, ending := range [...]string{"ing", "ed", "ly"} {
		if base := cutSuffix(word, ending); len(base) < len(word) && len(base) >= 3 && bytes.ContainsAny(base, "aeiouy") {
			return cutSuffix(undouble(base), "e")
		}
	}
	if len(word) > 4 {
		return cutSuffix(word, "e")
	}
	return word
}

func hasSuffix(word []byte, ending string) bool {
	return len(word) >= len(ending) && string(word[len(word)-len(ending):]) == ending
}

func cutSuffix(word []byte, ending string) []byte {
	if hasSuffix(word, ending) {
		return word[:len(word)-len(ending)]
	}
	return word
}

// undouble removes a doubled last consonant: stopp becomes stop.
func undouble(word []byte) []byte {
	n := len(word)
	if n > 3 && word[n-1] == word[n-2] && !strings.ContainsRune("aeiouls", rune(word[n-1])) {
		return word[:n-1]
	}
	return word
}
