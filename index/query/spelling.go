package query

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"ploke-lsp/index/postings"
	"ploke-lsp/index/shards"
)

// Respelling is a word of a query that the index does not know, with what was searched for instead.
type Respelling struct {
	Word string   `json:"word"` // as the query has it
	As   []string `json:"as"`   // in lower case, the nearest first
}

// String says what was done, for a person or a model.
func (r Respelling) String() string {
	return fmt.Sprintf("no file has %q; this searched for %s", r.Word, strings.Join(r.As, ", "))
}

const (
	minRespelled = 5  // bytes of a word that is compared with others; shorter ones have too many neighbors
	maxRespelled = 8  // words of a query that are compared
	maxJoined    = 4  // words that may be one name
	maxNear      = 3  // names or words that stand for one of the query
	nearMargin   = .1 // by how much they may be farther than the nearest

	// maxNearDistance is the distance up to which a name stands for a word of the query: one edit of five letters, or
	// two of eight.
	maxNearDistance = .25
	// completedDistance is the distance of a name that begins with a word, at most. It is less than that of a mistake:
	// who has typed so much of a name rarely means another one.
	completedDistance = .1
	maxCompleted      = 256 // names of a segment that begin with a word and are looked at
	// nearWeight is the weight of a name or word that is near one of the query's.
	nearWeight = .8
	// beginningWeight is the weight of a word that only begins as the query's does.
	beginningWeight = .4
	minBeginning    = 5 // bytes that such words have in common
	sameBeginning   = 2 // bytes that names have in common that are compared; words have one more
)

// respell adds to a query the names that its words spell in another way, and, for words that no file has, the nearest
// names and words that a file has. An ordinary word is spelled as it is meant, unless the query quotes it as a name.
func (c *corpus) respell(q *parsedQuery) (all []Respelling) {
	c.addJoined(q)
	var unknown []string
	for _, word := range q.line {
		if !c.knows(word) {
			unknown = append(unknown, word.text)
		}
	}
	translated, compared := c.translate(q, unknown), 0
	foreign := inOtherLanguage(q.line, nil)
	for _, word := range unknown {
		if foreign || strings.ContainsFunc(word, notASCII) {
			q.dontAsk(word)
		}
		if translated[strings.ToLower(word)] || len(word) < minRespelled || len(word) > maxPattern ||
			compared == maxRespelled || q.inPath(word) || random(word) || ordinary(word) && !q.quotes(word) {
			continue
		}
		compared++
		if as := c.addNear(q, word); len(as) > 0 && !inflected(word, as[0]) {
			all = append(all, Respelling{word, as})
		}
	}
	return all
}

// quotes reports whether the query has a word in quotation marks or backticks.
func (q *parsedQuery) quotes(word string) bool {
	return slices.ContainsFunc([]string{"`", `"`, "'"},
		func(mark string) bool { return strings.Contains(q.text, mark+word+mark) })
}

// inflected reports whether a word is probably another form of one that was found, though their stems differ: saved and
// save.
func inflected(word, found string) bool {
	const ending = 2 // bytes
	stem := wholeTerm(word)
	return len(word)-len(stem) >= ending && strings.HasPrefix(found, stem) && len(found)-len(stem) <= ending
}

// inPath reports whether a word is a part of a path that the query names. Paths are matched by themselves.
func (q *parsedQuery) inPath(word string) bool {
	return slices.ContainsFunc(q.paths, func(p pathMention) bool { return strings.Contains(p.path, word) })
}

// knows reports whether a file has a word, or a symbol has it as its name in one of the usual notations.
func (c *corpus) knows(word lineWord) bool {
	words := appendNameWords(nil, word.text)
	if word.whole == "" || c.has(word.whole) && (word.whole == strings.ToLower(word.text) || !cutOff(words)) {
		return true
	}
	return slices.ContainsFunc(notations(words),
		func(name string) bool { return c.has(postings.Exact(name)) })
}

// cutOff reports whether a name probably lacks its end. The term of all of it may be that of its first words, since
// stems lack endings, too: StreamE is no stream.
func cutOff(words []string) bool {
	const ending = 2 // bytes
	return len(words) > 1 && len(words[len(words)-1]) <= ending
}

func (c *corpus) has(term string) bool {
	key := postings.NewKey(term)
	return slices.ContainsFunc(c.views, func(v *shards.View) bool { return v.ServedWith(key, 1) > 0 })
}

// notations returns the name of several words in camelCase and in snake_case, in lower case.
func notations(words []string) []string {
	if len(words) < 2 {
		return words
	}
	return []string{strings.Join(words, ""), strings.Join(words, "_")}
}

// addJoined adds the names that words of the query are in camelCase or snake_case: a single word, consecutive words, of
// as many as possible, or all words.
func (c *corpus) addJoined(q *parsedQuery) {
	var words []string
	var starts []int // of each word of the line, in words
	for _, word := range q.line {
		starts = append(starts, len(words))
		words = appendNameWords(words, word.text)
	}
	if c.addNotations(q, words, 1) {
		q.alone = true
		return
	}
	for i, start := range starts {
		end := len(words)
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		if end-start > 1 && c.addNotations(q, words[start:end], 1) {
			continue
		}
		for n := min(maxJoined, len(words)-start); n > 1; n-- {
			some := words[start : start+n]
			if !postings.StopWord(some[0]) && !postings.StopWord(some[n-1]) && c.addNotations(q, some, joinedNameWeight) {
				break
			}
		}
	}
}

// addNotations adds the names of words, and reports whether there are any.
func (c *corpus) addNotations(q *parsedQuery, words []string, weight float64) (found bool) {
	for _, name := range notations(words) {
		term := postings.Exact(name)
		if !c.has(term) {
			continue
		}
		found = true
		if !slices.ContainsFunc(q.mentions, func(m nameMention) bool { return m.term == term }) {
			q.addExact(name, weight)
			q.addTerms(name, weight)
		}
	}
	return found
}

// joinedNameWeight is the weight of a name that words of the query are if they are joined.
const joinedNameWeight = .4

// addTerms adds the terms of a word that the query lacks.
func (q *parsedQuery) addTerms(word string, weight float64) {
	for _, term := range postings.Terms(word) {
		if !slices.ContainsFunc(q.terms, func(t queryTerm) bool { return t.term == term }) {
			q.terms = append(q.terms, queryTerm{term: term, weight: weight})
		}
	}
}

func notASCII(r rune) bool { return r > unicode.MaxASCII }

// dontAsk marks the terms of a word that others stand for.
func (q *parsedQuery) dontAsk(word string) {
	terms := postings.Terms(word)
	for i, t := range q.terms {
		if slices.Contains(terms, t.term) {
			q.terms[i].asked = false
		}
	}
}
