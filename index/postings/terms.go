package postings

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	minTerm = 2  // bytes; a single letter finds everything
	maxTerm = 64 // bytes; longer words are data
)

// Words calls visit for each word of text with its offset in bytes. A word is a run
// of letters, digits and underscores.
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
			continue
		}
		_, size := utf8.DecodeRune(text[i:])
		i += size
	}
}

// wordBytes are the ASCII characters that belong in a word.
var wordBytes = func() (set [256]bool) {
	for c := range utf8.RuneSelf {
		set[c] = c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
	}
	return set
}()

// wordRune is the length of the first character if it is beyond ASCII and belongs in a
// word, else 0.
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

// number says whether a word is a long number, which nobody searches for.
func number[T string | []byte](word T) bool { return len(word) > 5 && '0' <= word[0] && word[0] <= '9' }

// Terms are what a word is found by: its parts, stemmed, and where it has several
// the whole of it, all in lower case. A word that says nothing has none.
func Terms(word string) []string {
	if number(word) {
		return nil
	}
	whole := strings.ToLower(word)
	var terms []string
	add := func(term string) {
		if len(term) >= minTerm && len(term) <= maxTerm && !stopWords[term] {
			terms = append(terms, term)
		}
	}
	parts := split(word)
	for _, part := range parts {
		if part = strings.ToLower(part); !stopWords[part] {
			add(stem(part))
		}
	}
	if len(parts) > 1 {
		add(strings.Trim(whole, "_"))
	}
	return terms
}

// split cuts an identifier at underscores, where letters meet digits, and at the
// capitals of camelCase: HTTPServer2 is HTTP, Server, 2.
func split(word string) []string {
	var parts []string
	start := 0
	cut := func(end int) {
		if end > start {
			parts = append(parts, word[start:end])
		}
		start = end
	}
	var before, last rune // the two characters before this one
	lastAt := 0
	for i, r := range word {
		switch {
		case r == '_':
			cut(i)
			start = i + 1
		case last == 0 || last == '_':
		case unicode.IsDigit(r) != unicode.IsDigit(last):
			cut(i)
		case unicode.IsUpper(r) && !unicode.IsUpper(last):
			cut(i)
		case !unicode.IsUpper(r) && unicode.IsUpper(last) && unicode.IsUpper(before):
			cut(lastAt)
		}
		before, last, lastAt = last, r, i
	}
	cut(len(word))
	return parts
}

// stem takes the common English endings off a word in lower case, so that
// "decoded", "decodes" and "decoding" are one term.
func stem(word string) string {
	if len(word) < 4 {
		return word
	}
	switch {
	case strings.HasSuffix(word, "ies") && len(word) > 4:
		word = word[:len(word)-3] + "y"
	case strings.HasSuffix(word, "sses"):
		word = word[:len(word)-2]
	case word[len(word)-1] == 's' && !strings.HasSuffix(word, "ss") && !strings.HasSuffix(word, "us") && !strings.HasSuffix(word, "is"):
		word = word[:len(word)-1]
	}
	for _, ending := range []string{"ing", "ed", "ly"} {
		if base, ok := strings.CutSuffix(word, ending); ok && len(base) >= 3 && strings.ContainsAny(base, "aeiouy") {
			return strings.TrimSuffix(undouble(base), "e")
		}
	}
	if len(word) > 4 {
		return strings.TrimSuffix(word, "e")
	}
	return word
}

// undouble makes stopp of stopped stop.
func undouble(word string) string {
	n := len(word)
	if n > 3 && word[n-1] == word[n-2] && !strings.ContainsRune("aeiouls", rune(word[n-1])) {
		return word[:n-1]
	}
	return word
}

var stopWords = func() map[string]bool {
	m := map[string]bool{}
	for word := range strings.FieldsSeq(`a am an and are as at be because been but by can could did do does doing done for
		from had has have he her his how i if in into is it its me my of on or our she should so than that the their
		them then there these they this those to too very was we were what when where which who whom whose why will
		with would you your`) {
		m[word] = true
	}
	return m
}()

// StopWord says whether a word in lower case is too common to be searched for.
func StopWord(word string) bool { return stopWords[word] }

// Exact is the term of a symbol's whole name, of the last two names of its address
// joined by "::", or of what it is a member of, with "::" behind it. Those that begin
// with the same 64 bytes have one term.
func Exact(name string) string {
	mark := nameMark
	if strings.Contains(name, "::") {
		mark = addressMark
	}
	name = strings.ToLower(name)
	return mark + name[:min(len(name), maxTerm)]
}

// Neither can begin a word, so that names stand together in the order of terms.
const (
	nameMark    = "="
	addressMark = ":"
)
