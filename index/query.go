package index

import (
	"strings"

	"ploke-lsp/index/postings"
)

// question is a query cut into what is searched for.
type question struct {
	terms []queryTerm
	exact []string // names that the query mentions as identifiers, for postings.Exact
	tests bool     // it is about tests
}

type queryTerm struct {
	term   string
	weight float64
}

// ask cuts a query. A word that is repeated counts more, but less each time.
func ask(text string) question {
	var q question
	counts := map[string]int{}
	add := func(term string) {
		if counts[term]++; counts[term] == 1 {
			q.terms = append(q.terms, queryTerm{term: term})
		}
	}
	postings.Words([]byte(text), func(_ int, word []byte) {
		if lower := strings.ToLower(string(word)); strings.HasPrefix(lower, "test") {
			q.tests = true
		}
		for _, term := range postings.Terms(string(word)) {
			add(term)
		}
	})
	for i := range q.terms {
		n := float64(counts[q.terms[i].term])
		q.terms[i].weight = n * 2 / (n + 1)
	}
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n,;?!\"'()[]{}<>", r) }) {
		q.mention(word)
	}
	return q
}

// mention takes a word for an identifier if it is written like one: camelCase,
// snake_case, quoted by `…`, or names joined by "." or "::".
func (q *question) mention(word string) {
	quoted := strings.Contains(word, "`")
	word = strings.Trim(word, "`.:*&")
	names := strings.FieldsFunc(word, func(r rune) bool { return r == '.' || r == ':' || r == '#' || r == '-' || r == '>' })
	if len(names) == 0 || strings.ContainsAny(word, "/\\") {
		return
	}
	if n := len(names); n > 1 {
		q.exact = append(q.exact, postings.Exact(names[n-2]+"::"+names[n-1]))
	}
	for i, name := range names {
		if last := i == len(names)-1; quoted && last || len(names) > 1 && last || identifier(name) {
			q.exact = append(q.exact, postings.Exact(name))
		}
	}
}

// identifier says whether a word can't be prose: it has an underscore, or a capital
// after its first letter and a small one.
func identifier(word string) bool {
	return strings.Trim(word, "_") != "" && (strings.Contains(word, "_") ||
		strings.ContainsFunc(word, isLower) && strings.LastIndexFunc(word, isUpper) > 0)
}

func isLower(r rune) bool { return 'a' <= r && r <= 'z' }
func isUpper(r rune) bool { return 'A' <= r && r <= 'Z' }
