package query

import (
	"strings"

	"ploke-lsp/index/postings"
)

// phrase is a text that a query quotes and that a string in the code may contain: its
// words in lower case, in order.
type phrase []string

func phraseOf(text string) (p phrase) {
	postings.Words([]byte(text), func(_ int, word []byte) {
		if len(p) < maxPhrase {
			p = append(p, strings.ToLower(string(word)))
		}
	})
	return p
}

// terms returns the terms that find the files with a phrase.
func (p phrase) terms() (terms []queryTerm) {
	seen := map[string]bool{}
	for _, word := range p {
		for _, term := range postings.Terms(word) {
			if !seen[term] {
				seen[term] = true
				terms = append(terms, queryTerm{term: term, weight: 1})
			}
		}
	}
	return terms
}

// find searches a text for the phrase, which may have values filled in. It returns the
// highest number of different adjacent word pairs in one place, and the byte offset of the
// first.
func (p phrase) find(text []byte) (pairs, at int) {
	firsts := map[string][]int{} // by its first word, the positions of a pair in the phrase
	for i, word := range p[:max(len(p)-1, 0)] {
		firsts[word] = append(firsts[word], i)
	}
	outlines := p.outlines()
	var hits []pair // near the last one, in the order of the text
	count := 0
	var before []int // the pairs that the last word begins
	var lower []byte
	beforeAt := 0
	postings.Words(text, func(start int, word []byte) {
		count++
		if !outlines.has(word) {
			before = nil
			return
		}
		lower = append(lower[:0], word...)
		for i, c := range lower {
			if 'A' <= c && c <= 'Z' {
				lower[i] = c | 0x20
			}
		}
		for _, i := range before {
			if p[i+1] != string(lower) {
				continue
			}
			for len(hits) > 0 && hits[0].word < count-phraseSpread*len(p) {
				hits = hits[1:]
			}
			hits = append(hits, pair{i, count, beforeAt})
			if n := distinct(hits); n > pairs {
				pairs, at = n, hits[0].at
			}
		}
		before, beforeAt = firsts[string(lower)], start
	})
	return pairs, at
}

// lengthSets quickly exclude most words that are not in a phrase. For each first byte they
// have the set of lengths of the phrase's words that begin with it; bit 63 is for all
// longer words.
type lengthSets [256]uint64

func (p phrase) outlines() *lengthSets {
	var o lengthSets
	for _, word := range p {
		first, length := word[0], min(len(word), 63)
		o[first] |= 1 << length
		if 'a' <= first && first <= 'z' {
			o[first&^0x20] |= 1 << length
		}
	}
	return &o
}

func (o *lengthSets) has(word []byte) bool { return o[word[0]]&(1<<min(len(word), 63)) != 0 }

// pair is an adjacent pair of a phrase's words in a text.
type pair struct {
	first int // its position in the phrase
	word  int // the number of its second word in the text
	at    int // byte offset of its first word
}

func distinct(hits []pair) int {
	var seen uint64
	n := 0
	for _, h := range hits {
		if bit := uint64(1) << h.first; seen&bit == 0 {
			seen |= bit
			n++
		}
	}
	return n
}

// confidence returns how certain that many pairs prove the phrase, from 0 to 1.
func (p phrase) confidence(pairs int) float64 {
	all := len(p) - 1
	if pairs < min(all, minPhrase-1) {
		return 0
	}
	return min(1, float64(pairs)/float64(min(all, provingPairs)))
}
