package query

import (
	"iter"
	"maps"
	"slices"

	"ploke-lsp/index/postings"
)

// TermWeights are the terms that a search for a query looks for, with their weights. They are not
// safe for concurrent use.
type TermWeights struct {
	weights map[string]float64
	inWords map[string][]string // the terms of the words that In has seen; most words repeat
	words   *postings.Splitter
}

// QueryTerms returns the terms of a query. Words of tasks, such as "fix", have low weights.
func QueryTerms(text string) TermWeights {
	terms := TermWeights{map[string]float64{}, map[string][]string{}, new(postings.Splitter)}
	for _, t := range parseQuery(text[:min(len(text), MaxQueryBytes)]).terms {
		terms.weights[t.term] = t.weight
	}
	return terms
}

// All returns the terms and their weights.
func (t TermWeights) All() iter.Seq2[string, float64] { return maps.All(t.weights) }

// In returns the terms that a text has, each once.
func (t TermWeights) In(text string) (found []string) {
	postings.Words([]byte(text), func(_ int, word []byte) {
		for _, term := range t.inWord(word) {
			if !slices.Contains(found, term) {
				found = append(found, term)
			}
		}
	})
	return found
}

func (t TermWeights) inWord(word []byte) []string {
	terms, known := t.inWords[string(word)]
	if !known {
		t.words.Terms(word, func(term []byte) {
			if t.weights[string(term)] > 0 {
				terms = append(terms, string(term))
			}
		})
		t.inWords[string(word)] = terms
	}
	return terms
}
