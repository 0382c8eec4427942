package query

import (
	"slices"
	"strings"

	"ploke-lsp/internal/glossary"
)

// translatedWeight is the weight of an English word for one of another language. The weight is shared by what the word
// may mean.
const translatedWeight = .9

// translate adds the English words of the glossary for the words of a question in another language: one of which the
// index knows less than half of the words. It returns the words that it has translated, in lower case. A single word is
// in another language only if nothing is spelled like it.
func (c *corpus) translate(q *parsedQuery, unknown []string) (translated map[string]bool) {
	foreign := slices.DeleteFunc(slices.Clone(unknown), identifier)
	if 2*len(foreign) <= len(q.line) || len(q.line) == 1 && c.misspelled(foreign[0]) {
		return nil
	}
	translated = map[string]bool{}
	for _, t := range glossary.Translate(strings.Join(foreign, " ")) {
		translated[t.Word] = true
		for _, english := range t.English {
			q.addTerms(english, translatedWeight/float64(len(t.English)))
			q.addNamingWord(english, []string{english})
		}
	}
	return translated
}

// misspelled reports whether a word that no file has is near one.
func (c *corpus) misspelled(word string) bool {
	if len(word) < minRespelled || len(word) > maxPattern {
		return false
	}
	near := c.nearTo(strings.ToLower(word))
	return len(near) > 0 && near[0].distance <= maxNearDistance
}
