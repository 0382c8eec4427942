package conventions

import (
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// FirstSentence returns the first sentence of a doc comment, or its first paragraph.
func FirstSentence(doc string) string {
	doc, _, _ = strings.Cut(strings.TrimSpace(doc), "\n\n")
	doc = strings.Join(strings.Fields(docTag.ReplaceAllString(doc, " ")), " ")
	if i := strings.Index(doc, ". "); i >= 0 {
		return doc[:i+1]
	}
	return doc
}

// docTag matches the tags of doc comments in C#, without what is in them.
var docTag = lazyregexp.New(`</?(?:summary|remarks|para|returns|value|c|b|i)/?>`)

// SentenceAbout returns the sentence of a doc comment, behind its first one, that has most of some words by their
// stems: at least two, and more than the first one has. It returns "" if there is none.
func SentenceAbout(doc string, words []string, stem func(string) string) (about string) {
	count := func(sentence string) (n int) {
		for _, w := range words {
			if strings.Contains(strings.ToLower(sentence), stem(w)) {
				n++
			}
		}
		return n
	}
	first := FirstSentence(doc)
	most := max(1, count(first))
	rest := strings.TrimPrefix(strings.Join(strings.Fields(doc), " "), first)
	for _, sentence := range strings.SplitAfter(rest, ". ") {
		if n := count(sentence); n > most {
			about, most = strings.TrimSpace(sentence), n
		}
	}
	return about
}
