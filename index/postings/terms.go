package postings

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

const (
	minTerm = 2  // in bytes; a single letter would match nearly everything
	maxTerm = 64 // in bytes; a longer word is data
)

// isLongNumber reports whether a word begins with a digit and has more than 5 bytes. Such
// words are not indexed.
func isLongNumber(word []byte) bool { return len(word) > 5 && '0' <= word[0] && word[0] <= '9' }

// Terms returns the terms of a word: its stemmed parts and, if it has several parts, the
// whole word, stemmed as well. All are in lower case and without accents. Stop words and long numbers have no terms.
func Terms(word string) []string {
	var terms []string
	new(splitter).terms([]byte(word), func(term []byte) { terms = append(terms, string(term)) })
	return terms
}

// A Splitter splits words into terms and reuses its memory. It is not safe for concurrent use.
type Splitter struct{ splitter splitter }

// Terms calls visit for each of the terms that [Terms] returns. The term is valid until visit returns.
func (c *Splitter) Terms(word []byte, visit func(term []byte)) { c.splitter.terms(word, visit) }

// splitter splits words into terms and reuses its memory.
type splitter struct {
	wordFolder
	lower     []byte // the parts in lower case, one after the other
	ends      []int  // the end of each part in lower
	lowerWord []byte // the word in lower case

	ideographs bool // whether the word contains any
}

// terms calls visit for each term of a word. The term is valid until visit returns.
func (c *splitter) terms(word []byte, visit func(term []byte)) {
	word = c.fold(word)
	if isLongNumber(word) {
		return
	}
	c.split(word)
	start := 0
	for _, end := range c.ends {
		switch part := c.lower[start:end:end]; {
		case ideographic(part):
			bigrams(part, visit)
		case !stopWord(part):
			visitTerm(stem(part), visit)
		}
		start = end
	}
	if len(c.ends) > 1 && !c.ideographs {
		visitTerm(stem(bytes.Trim(c.lowerWord, "_")), visit)
	}
}

// visitTerm calls visit unless the term is too short, too long or a stop word.
func visitTerm(term []byte, visit func(term []byte)) {
	if len(term) >= minTerm && len(term) <= maxTerm && !stopWord(term) {
		visit(term)
	}
}

// Exact returns the term for a symbol's whole name, for the last two names of its address
// joined by "::", or for the parent of a member, which ends in "::". Names with the same
// first 64 bytes share a term.
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

// Terms of names begin with a mark that no word contains, so that they are adjacent in
// the order of terms.
const (
	nameMark    = "="
	addressMark = ":"
)
