package postings

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

const (
	minTerm = 2  // bytes; a single letter finds everything
	maxTerm = 64 // bytes; longer words are data
)

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
