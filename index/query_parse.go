package index

import (
	"path"
	"path/filepath"
	"strings"

	"ploke-lsp/index/postings"
)

// question is a query cut into what is searched for.
type parsedQuery struct {
	terms    []queryTerm
	mentions []nameMention
	words    map[string]bool // in lower case, as they may call a file by its name
	traits   traits          // of files that its first line is about
	paths    []pathMention
	phrases  []phrase
	cursor   bool // it means the place of the cursor
}

type queryTerm struct {
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
	laterLinesShare = 1.0
	// stemWeight is of calling a file by its name without the extension.
	stemWeight = 0.5
	minStem    = 3 // bytes
)

// ask cuts a query. A word that is repeated counts more, but less each time.
func parseQuery(text string) parsedQuery {
	q := parsedQuery{words: map[string]bool{}, paths: pathMentions(text), phrases: phrases(text), cursor: refersToCursor(text)}
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
		terms := postings.Terms(word)
		for _, term := range terms {
			add(term, wordWeight(terms))
		}
		if before != "" && len(before)+len(lower) >= minJoined && !(postings.StopWord(before) && postings.StopWord(lower)) {
			add(before+lower, joinedWeight)
			add(before+"_"+lower, joinedWeight)
		}
		before = lower
		if at < len(first) {
			firstTerms = len(q.terms)
			q.traits |= requestedTrait(lower)
		}
	})
	for i := range q.terms {
		n := counts[q.terms[i].term]
		q.terms[i].weight = min(n, n*2/(n+1))
	}
	for _, word := range strings.FieldsFunc(text, isSeparator) {
		q.addFileName(word)
	}
	q.addMentions(text)
	balance(q.terms[:firstTerms], q.terms[firstTerms:])
	return q
}

// between says what stands between the words that may be names or paths.
func isSeparator(r rune) bool { return strings.ContainsRune(" \t\r\n,;?!\"'()[]{}<>", r) }

// balance has the rest of a query count no more than its share beside the first line.
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

// call takes a word for a file's name, or the end of a path for one.
func (q *parsedQuery) addFileName(word string) {
	word = strings.ToLower(strings.Trim(word, "`.:"))
	q.words[path.Base(filepath.ToSlash(word))] = true
}

// calls says how well the query calls a file by its name, 1 with its extension, or by
// that of a folder that it is in.
func (q *parsedQuery) fileNameMatch(rel string) float64 {
	base := strings.ToLower(path.Base(rel))
	stem, _, _ := strings.Cut(base, ".")
	switch {
	case q.words[base]:
		return 1
	case q.hasName(stem):
		return stemWeight
	}
	for dir := range strings.SplitSeq(strings.ToLower(path.Dir(rel)), "/") {
		if q.hasName(dir) {
			return folderWeight
		}
	}
	return 0
}

// callsName says whether the query has a name as a word of its own; short ones are chance.
func (q *parsedQuery) hasName(name string) bool { return len(name) >= minStem && q.words[name] }
