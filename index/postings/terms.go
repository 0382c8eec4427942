package postings

import (
	"bytes"
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
		}
		for i < len(text) && !wordBytes[text[i]] {
			if text[i] >= utf8.RuneSelf && wordRune(text[i:]) > 0 {
				break
			}
			i++
		}
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
func number(word []byte) bool { return len(word) > 5 && '0' <= word[0] && word[0] <= '9' }

// Terms are what a word is found by: its parts, stemmed, and where it has several
// the whole of it, all in lower case. A word that says nothing has none.
func Terms(word string) []string {
	var terms []string
	new(cutter).terms([]byte(word), func(term []byte) { terms = append(terms, string(term)) })
	return terms
}

// cutter cuts words into terms, in memory that it uses again.
type cutter struct {
	lower []byte // the word's parts in lower case, one after the other
	cuts  []int  // where each ends
	whole []byte // the word in lower case

	ideographs bool // there are some in the word
}

// terms calls visit for each of a word's terms, which is good until visit returns.
func (c *cutter) terms(word []byte, visit func(term []byte)) {
	if number(word) {
		return
	}
	c.split(word)
	start := 0
	for _, end := range c.cuts {
		switch part := c.lower[start:end:end]; {
		case ideographic(part):
			pairs(part, visit)
		case !stopWord(part):
			term(stem(part), visit)
		}
		start = end
	}
	if len(c.cuts) > 1 && !c.ideographs {
		term(bytes.Trim(c.whole, "_"), visit)
	}
}

// term calls visit unless the term is of no use.
func term(term []byte, visit func(term []byte)) {
	if len(term) >= minTerm && len(term) <= maxTerm && !stopWord(term) {
		visit(term)
	}
}

// split cuts an identifier at underscores, where letters meet digits or ideographs, and
// at the capitals of camelCase: HTTPServer2 is HTTP, Server, 2.
func (c *cutter) split(word []byte) {
	c.lower, c.cuts, c.whole, c.ideographs = c.lower[:0], c.cuts[:0], c.whole[:0], false
	cut := func(end int) {
		if n := len(c.cuts); n == 0 && end > 0 || n > 0 && end > c.cuts[n-1] {
			c.cuts = append(c.cuts, end)
		}
	}
	var before, last rune // the two characters before this one
	lastAt := 0           // where the last one is in c.lower
	for i := 0; i < len(word); {
		r, size := utf8.DecodeRune(word[i:])
		i += size
		at := len(c.lower)
		switch {
		case r == '_':
			cut(at)
		case last == 0 || last == '_':
		case ideograph(r) != ideograph(last):
			cut(at)
		case digit(r) != digit(last), upper(r) && !upper(last):
			cut(at)
		case !upper(r) && upper(last) && upper(before):
			cut(lastAt)
		}
		c.ideographs = c.ideographs || ideograph(r)
		small := lower(r)
		c.whole = utf8.AppendRune(c.whole, small)
		if r != '_' {
			c.lower = utf8.AppendRune(c.lower, small)
		}
		before, last, lastAt = last, r, at
	}
	cut(len(c.lower))
}

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

func digit(r rune) bool {
	if r < utf8.RuneSelf {
		return '0' <= r && r <= '9'
	}
	return unicode.IsDigit(r)
}

func upper(r rune) bool {
	if r < utf8.RuneSelf {
		return 'A' <= r && r <= 'Z'
	}
	return unicode.IsUpper(r)
}

func lower(r rune) rune {
	switch {
	case r >= utf8.RuneSelf:
		return unicode.ToLower(r)
	case upper(r):
		return r | 0x20
	}
	return r
}

// stem takes the common English endings off a word in lower case, so that
// "decoded", "decodes" and "decoding" are one term.
func stem(word []byte) []byte {
	if len(word) < 4 {
		return word
	}
	switch n := len(word); {
	case has(word, "ies") && n > 4:
		word = append(word[:n-3:n-3], 'y')
	case has(word, "sses"):
		word = word[:n-2]
	case word[n-1] == 's' && !has(word, "ss") && !has(word, "us") && !has(word, "is"):
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

func has(word []byte, ending string) bool {
	return len(word) >= len(ending) && string(word[len(word)-len(ending):]) == ending
}

func cutSuffix(word []byte, ending string) []byte {
	if has(word, ending) {
		return word[:len(word)-len(ending)]
	}
	return word
}

// undouble makes stopp of stopped stop.
func undouble(word []byte) []byte {
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

// longestStop is the length of the longest stop word.
var longestStop = func() (longest int) {
	for word := range stopWords {
		longest = max(longest, len(word))
	}
	return longest
}()

func stopWord(word []byte) bool { return len(word) <= longestStop && stopWords[string(word)] }

// StopWord says whether a word in lower case is too common to be searched for.
func StopWord(word string) bool { return stopWords[word] }

// Exact is the term of a symbol's whole name, of the last two names of its address
// joined by "::", or of what it is a member of, with "::" behind it. Those that begin
// with the same 64 bytes have one term.
func Exact(name string) string { return string(appendExact(nil, name)) }

func appendExact(term []byte, name string) []byte {
	mark := nameMark
	if strings.Contains(name, "::") {
		mark = addressMark
	}
	term = append(term, mark...)
	for _, r := range name {
		term = utf8.AppendRune(term, lower(r))
	}
	return term[:min(len(term), len(mark)+maxTerm)]
}

// Neither can begin a word, so that names stand together in the order of terms.
const (
	nameMark    = "="
	addressMark = ":"
)
