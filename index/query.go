package index

import (
	"path"
	"path/filepath"
	"strings"

	"ploke-lsp/index/postings"
)

// question is a query cut into what is searched for.
type question struct {
	terms    []queryTerm
	mentions []mention
	words    map[string]bool // in lower case, as they may call a file by its name
	tests    bool            // it is about tests
}

type queryTerm struct {
	term   string
	weight float64
}

// mention is an identifier in a query, as a term of postings.Exact.
type mention struct {
	term   string
	weight float64
}

const (
	// joinedWeight is of two words that stand next to each other as one: "shut down"
	// may be called Shutdown, "parse duration" ParseDuration.
	joinedWeight = 0.5
	minJoined    = 6 // bytes; shorter ones are often words of their own
	// restShare is what all of a query after its first line counts beside that: most say
	// what they want first.
	restShare = 1.0
	// stemWeight is of calling a file by its name without the extension.
	stemWeight = 0.5
	minStem    = 3 // bytes
	// memberWeight is of being a member of what the query mentions.
	memberWeight = 0.5
)

// ask cuts a query. A word that is repeated counts more, but less each time.
func ask(text string) question {
	q := question{words: map[string]bool{}}
	counts := map[string]float64{}
	first, _, _ := strings.Cut(text, "\n")
	firstTerms := 0 // of the first line; those of the rest come after them
	add := func(term string, weight float64) {
		if _, ok := counts[term]; !ok {
			q.terms = append(q.terms, queryTerm{term: term})
		}
		counts[term] += weight
	}
	before := ""
	postings.Words([]byte(text), func(at int, raw []byte) {
		word := string(raw)
		lower := strings.ToLower(word)
		q.tests = q.tests || strings.HasPrefix(lower, "test")
		for _, term := range postings.Terms(word) {
			add(term, 1)
		}
		if before != "" && len(before)+len(lower) >= minJoined && !(postings.StopWord(before) && postings.StopWord(lower)) {
			for _, name := range []string{before + lower, before + "_" + lower} {
				add(name, joinedWeight)
				q.exact(name, joinedWeight)
			}
		}
		before = lower
		if at < len(first) {
			firstTerms = len(q.terms)
		}
	})
	for i := range q.terms {
		n := counts[q.terms[i].term]
		q.terms[i].weight = n * 2 / (n + 1)
	}
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n,;?!\"'()[]{}<>", r) }) {
		q.mention(word)
		q.call(word)
	}
	balance(q.terms[:firstTerms], q.terms[firstTerms:])
	return q
}

// balance has the rest of a query count no more than its share beside the first line.
func balance(first, rest []queryTerm) {
	sum := func(terms []queryTerm) (sum float64) {
		for _, t := range terms {
			sum += t.weight
		}
		return sum
	}
	if share := restShare * sum(first) / max(sum(rest), 1e-9); len(first) > 0 && share < 1 {
		for i := range rest {
			rest[i].weight *= share
		}
	}
}

// call takes a word for a file's name, or the end of a path for one.
func (q *question) call(word string) {
	word = strings.ToLower(strings.Trim(word, "`.:"))
	q.words[path.Base(filepath.ToSlash(word))] = true
}

// calls says how well the query calls a file by its name: 1 with its extension.
func (q *question) calls(rel string) float64 {
	base := strings.ToLower(path.Base(rel))
	stem, _, _ := strings.Cut(base, ".")
	switch {
	case q.words[base]:
		return 1
	case len(stem) >= minStem && q.words[stem]:
		return stemWeight
	}
	return 0
}

// mention takes a word for an identifier if it is written like one: camelCase,
// snake_case, quoted by `…`, or names joined by "." or "::".
func (q *question) mention(word string) {
	quoted := strings.Contains(word, "`")
	word = strings.Trim(word, "`.:*&")
	if strings.ContainsAny(word, "/\\") {
		return // a path
	}
	names := strings.FieldsFunc(word, func(r rune) bool { return r == '.' || r == ':' || r == '#' })
	for i, name := range names {
		last := i == len(names)-1
		if !identifier(name) && !(last && (quoted || i > 0)) {
			continue
		}
		q.exact(name, 1)
		if last {
			q.exact(name+"::", memberWeight)
		}
		if last && i > 0 {
			q.exact(names[i-1]+"::"+name, 1)
		}
	}
}

func (q *question) exact(name string, weight float64) {
	q.mentions = append(q.mentions, mention{postings.Exact(name), weight})
}

// identifier says whether a word can't be prose: it has an underscore, or a capital
// after its first letter and a small one.
func identifier(word string) bool {
	return strings.Trim(word, "_") != "" && (strings.Contains(word, "_") ||
		strings.ContainsFunc(word, isLower) && strings.LastIndexFunc(word, isUpper) > 0)
}

func isLower(r rune) bool { return 'a' <= r && r <= 'z' }
func isUpper(r rune) bool { return 'A' <= r && r <= 'Z' }
