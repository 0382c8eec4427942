package index

import (
	"slices"

	"ploke-lsp/index/postings"
)

// TermWeights are the terms that a search for a query looks for, with their weights.
type TermWeights map[string]float64

// QueryTerms returns the terms of a query. Words of tasks, such as "fix", have low weights.
func QueryTerms(text string) TermWeights {
	terms := TermWeights{}
	for _, t := range parseQuery(text[:min(len(text), maxQueryBytes)]).terms {
		terms[t.term] = t.weight
	}
	return terms
}

// In returns the terms that a text has, each once.
func (t TermWeights) In(text string) (found []string) {
	postings.Words([]byte(text), func(_ int, word []byte) {
		for _, term := range postings.Terms(string(word)) {
			if t[term] > 0 && !slices.Contains(found, term) {
				found = append(found, term)
			}
		}
	})
	return found
}
