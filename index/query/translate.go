package query

import (
	"slices"
	"strings"
	"unicode"

	"ploke-lsp/index/postings"
	"ploke-lsp/internal/glossary"
)

// translatedWeight is the weight of an English word for one of another language. The weight is shared by what the word
// may mean.
const translatedWeight = .9

// translate adds the English words of the glossary for the words of a question in another language. Those that its
// sentence is built with are left out. It returns the words that it has translated, in lower case. A single word is in
// another language only if nothing is spelled like it.
func (c *corpus) translate(q *parsedQuery, unknown []string) (translated map[string]bool) {
	foreign := slices.DeleteFunc(slices.Clone(unknown), identifier)
	if !inOtherLanguage(q.line, foreign) || len(q.line) == 1 && (len(foreign) == 0 || c.misspelled(foreign[0])) {
		return nil
	}
	translated = map[string]bool{}
	var words []string
	for _, w := range q.line {
		function, _ := glossary.IsFunctionWord(strings.ToLower(w.text))
		switch {
		case function:
			translated[strings.ToLower(w.text)] = true
			q.forget(w)
		case !identifier(w.text):
			words = append(words, w.text)
		}
	}
	for _, t := range glossary.Translate(strings.Join(words, " ")) {
		translated[t.Word] = true
		q.dontAsk(t.Word)
		for _, english := range t.English {
			q.addTerms(english, translatedWeight/float64(len(t.English)))
			q.addNamingWord(english, []string{english})
		}
	}
	return translated
}

// minBuilt is how many words of another language make a sentence of it, though the index may know all words.
const minBuilt = 2

// inOtherLanguage reports whether a line is in another language than English: the index knows less than half of its
// words, or it is built with words like German articles, and not with English ones.
func inOtherLanguage(line []lineWord, unknown []string) bool {
	foreign, built, sure, english := 0, 0, false, false
	for _, w := range line {
		lower := strings.ToLower(w.text)
		function, other := glossary.IsFunctionWord(lower)
		accented := strings.ContainsFunc(lower, isAccented)
		if other || slices.Contains(unknown, w.text) {
			foreign++
		}
		if function || accented {
			built++
		}
		sure = sure || other || accented
		english = english || postings.StopWord(lower) && !function
	}
	return 2*foreign > len(line) || built >= minBuilt && sure && !english
}

// isAccented reports whether a letter is of a Latin alphabet, and not of the English one.
func isAccented(r rune) bool { return r > unicode.MaxASCII && unicode.Is(unicode.Latin, r) }

// forget drops a word from what is searched for.
func (q *parsedQuery) forget(w lineWord) {
	lower := strings.ToLower(w.text)
	q.terms = slices.DeleteFunc(q.terms, func(t queryTerm) bool { return t.term == w.whole })
	q.naming = slices.DeleteFunc(q.naming, func(n namingWord) bool { return n.text == lower })
	q.mentions = slices.DeleteFunc(q.mentions, func(m nameMention) bool { return m.term == postings.Exact(lower) })
}

// misspelled reports whether a word that no file has is near one.
func (c *corpus) misspelled(word string) bool {
	if len(word) < minRespelled || len(word) > maxPattern {
		return false
	}
	near := c.nearTo(strings.ToLower(word))
	return len(near) > 0 && near[0].distance <= maxNearDistance
}
