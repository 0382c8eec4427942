package query

import (
	"path"
	"path/filepath"
	"strings"

	"ploke-lsp/index/postings"
	"ploke-lsp/internal/lazyregexp"
)

// parsedQuery is a query, split into the parts that a search uses.
type parsedQuery struct {
	text     string
	terms    []queryTerm
	mentions []nameMention
	words    map[string]bool      // in lower case, as possible names of files
	line     []lineWord           // the words of the first line
	naming   []namingWord         // of it
	alone    bool                 // the query is nothing but a name
	traits   requestedTraits      // by the first line
	settings []*lazyregexp.Regexp // of paths of settings that it asks for
	paths    []pathMention
	phrases  []quotedPhrase
	frames   []traceFrame // of a stack trace, the innermost first
}

// lineWord is a word of a query.
type lineWord struct {
	text  string
	whole string // the term of all of it, see wholeTerm
}

type queryTerm struct {
	term   string
	weight float64
	asked  bool // the query has it as a word, so a result that lacks it may not be meant
}

const (
	// joinedWeight is the weight of two adjacent words joined to one: "shut down" may mean
	// Shutdown, "parse duration" ParseDuration.
	joinedWeight = 0.5
	minJoined    = 5 // bytes; shorter ones are often other words
	// laterLinesShare bounds the total weight of the later lines, relative to the first
	// line: most queries begin with what they want.
	laterLinesShare = 1.0
	// moduleWeight is the weight of a file's path without its extension, as imports have it.
	moduleWeight = 0.5
)

// parseQuery parses the text of a query. Repeating a word raises its weight, each time by
// less.
func parseQuery(text string) parsedQuery { return parse(text, true, true) }

// parse parses a query. Only if reports is set, it treats stack traces and messages of compilers as such, and only if
// kinds is set, it requests kinds of files.
func parse(text string, reports, kinds bool) parsedQuery {
	q := parsedQuery{text: text, words: map[string]bool{}, paths: pathMentions(text), phrases: phrases(text)}
	text, question := unwrapped(text)
	if reports {
		r := newReport(text)
		text, q.frames = r.text, r.frames
		for _, name := range r.names {
			q.addName("`" + name + "`")
		}
	}
	places := map[string]int{} // of the terms in q.terms, whose weights are how often they occur at first
	first, _, _ := strings.Cut(text, "\n")
	firstTerms := 0 // number of terms of the first line, which precede the others
	add := func(term string, weight float64, asked bool) {
		at, ok := places[term]
		if !ok {
			at, places[term] = len(q.terms), len(q.terms)
			q.terms = append(q.terms, queryTerm{term: term})
		}
		q.terms[at].weight += weight
		q.terms[at].asked = q.terms[at].asked || asked
	}
	before := ""
	var splitter postings.Splitter
	var terms []string // of the last word
	postings.Words([]byte(text), func(at int, raw []byte) {
		word := string(raw)
		lower := strings.ToLower(word)
		terms = terms[:0]
		splitter.Terms(raw, func(term []byte) { terms = append(terms, string(term)) })
		for _, term := range terms {
			add(term, wordWeight(terms), true)
		}
		if before != "" && len(before)+len(lower) >= minJoined && !(postings.StopWord(before) && postings.StopWord(lower)) {
			add(before+lower, joinedWeight, false)
			add(before+"_"+lower, joinedWeight, false)
		}
		before = lower
		if at < len(first) {
			firstTerms = len(q.terms)
			q.line = append(q.line, lineWord{word, lastOf(terms)})
			if kinds {
				q.traits.add(lower, q.inPath(lower))
			}
			q.addNamingWord(word, terms)
		}
	})
	if kinds {
		q.ask(question, func(term string) {
			if at, ok := places[term]; ok {
				q.terms[at].weight *= kindWordWeight
			}
		})
	}
	for i := range q.terms {
		n := q.terms[i].weight
		q.terms[i].weight = min(n, n*2/(n+1))
	}
	for _, word := range strings.FieldsFunc(text, isSeparator) {
		q.addFileName(word)
	}
	q.addMentions(text)
	balance(q.terms[:firstTerms], q.terms[firstTerms:])
	return q
}

// isSeparator reports whether a character separates words that may be names or paths.
func isSeparator(r rune) bool {
	switch r {
	case ' ', '\t', '\r', '\n', ',', ';', '?', '!', '"', '\'', '(', ')', '[', ']', '{', '}', '<', '>':
		return true
	}
	return false
}

// balance reduces the weights of later lines to laterLinesShare of the first line's.
func balance(first, rest []queryTerm) {
	sum := func(terms []queryTerm) (sum float64) {
		for _, t := range terms {
			sum += t.weight
		}
		return sum
	}
	if share := laterLinesShare * sum(first) / max(sum(rest), 1e-9); len(first) > 0 && share < 1 {
		for i := range rest {
			rest[i].weight *= share
		}
	}
}

// addFileName adds a word, or the last name of a path, as a possible name of a file.
func (q *parsedQuery) addFileName(word string) {
	word = strings.ToLower(strings.Trim(word, "`.:"))
	q.words[path.Base(filepath.ToSlash(word))] = true
}

// namesFile reports whether a word of the query is the full name of a file.
func (q *parsedQuery) namesFile(rel string) bool { return q.words[strings.ToLower(path.Base(rel))] }
