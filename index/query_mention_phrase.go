package index

import (
	"regexp"
	"slices"
	"strings"

	"ploke-lsp/index/postings"
)

// phrase is a text that a query quotes, which the code may have in a string: its words in
// lower case, in their order.
type phrase []string

var (
	// quotePatterns match what stands in quotes, which are no apostrophes. One of the marks
	// opens each; where there is none, the pattern need not be tried.
	quotePatterns = []struct {
		marks   string
		pattern *regexp.Regexp
	}{
		{`"`, regexp.MustCompile(`"([^"\n]+)"`)},
		{"`", regexp.MustCompile("`([^`\n]+)`")},
		{"“„«", regexp.MustCompile(`[“„«]([^”“»\n]+)[”“»]`)},
		{"'‘", regexp.MustCompile(`(?:^|[\s(\[{=:,])['‘]([^'\n]+)['’](?:$|[\s)\]}.,;:])`)},
	}
	// complaintPattern matches what programs write about what went wrong, behind what says
	// that it is one: "error: ", "panic: ", "ValueError: ", "[ERROR] ".
	errorPattern = regexp.MustCompile(`(?mi)\b\w*(?:` + strings.Join(errorWords, "|") + `)(?:\[\w+\])?(?:\]|[^:\n]{0,40}:) *(.+)$`)
	// flagPattern matches an option of a command line of several words.
	flagPattern = regexp.MustCompile(`(?:^|[\s"'(=\[` + "`" + `])--([\pL\pN]+(?:-[\pL\pN]+)+)`)
)

// complaints are the words by which programs say that something went wrong.
var errorWords = []string{"error", "exception", "panic", "fatal", "warning", "failed", "failure", "assertion"}

const (
	maxPhrases    = 4
	minPhrase     = 3  // words; two are often next to each other
	maxPhrase     = 24 // words
	phraseFiles   = 8  // that are read for each, at most
	phraseSpread  = 2  // of words of the text for each of the phrase, within which it is looked for
	provingPairs  = 3  // pairs of neighbours that prove a phrase, whatever else was filled in
	sharedPhrases = 2  // places may have a phrase before each of them says less
)

// phrases are those that a text quotes.
func phrases(text string) (all []phrase) {
	for _, option := range flags(text) {
		all = append(all, phraseOf(option))
	}
	for _, quoted := range quotes(text) {
		if p := phraseOf(quoted); len(p) >= minPhrase {
			all = append(all, p)
		}
	}
	return all[:min(len(all), maxPhrases)]
}

// flags are the options of a command line of several words in a text, without the dashes
// before them.
func flags(text string) []string {
	if !strings.Contains(text, "--") {
		return nil
	}
	return allGroups(flagPattern, text)
}

// quotes are what stands in quotes in a text, and what programs complain about.
func quotes(text string) (all []string) {
	for _, q := range quotePatterns {
		if strings.ContainsAny(text, q.marks) {
			all = append(all, allGroups(q.pattern, text)...)
		}
	}
	for line := range strings.Lines(text) { // to try the pattern on all of a log takes long
		lower := strings.ToLower(line)
		if slices.ContainsFunc(errorWords, func(word string) bool { return strings.Contains(lower, word) }) {
			all = append(all, allGroups(errorPattern, line)...)
		}
	}
	return all
}

// allGroups are the first groups of all matches.
func allGroups(pattern *regexp.Regexp, text string) (all []string) {
	for _, m := range pattern.FindAllStringSubmatch(text, -1) {
		all = append(all, m[1])
	}
	return all
}

func phraseOf(text string) (p phrase) {
	postings.Words([]byte(text), func(_ int, word []byte) {
		if len(p) < maxPhrase {
			p = append(p, strings.ToLower(string(word)))
		}
	})
	return p
}

// terms are what the files with a phrase are found by.
func (p phrase) terms() (terms []queryTerm) {
	seen := map[string]bool{}
	for _, word := range p {
		for _, term := range postings.Terms(word) {
			if !seen[term] {
				seen[term] = true
				terms = append(terms, queryTerm{term, 1})
			}
		}
	}
	return terms
}

// in looks for the phrase in a text, where values may have been filled into it: for the
// place with the most pairs of neighbours, each counted once. at is the byte of the first.
func (p phrase) find(text []byte) (pairs, at int) {
	firsts := map[string][]int{} // where in the phrase a pair begins, by its first word
	for i, word := range p[:max(len(p)-1, 0)] {
		firsts[word] = append(firsts[word], i)
	}
	outlines := p.outlines()
	var hits []pair // in the order of the text, those that are near to the last
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

// outlines tell most words that a phrase does not have: of each first byte, a bit for each
// length of the words that begin with it, and one for all that are longer.
type outlines [256]uint64

func (p phrase) outlines() *outlines {
	var o outlines
	for _, word := range p {
		first, length := word[0], min(len(word), 63)
		o[first] |= 1 << length
		if 'a' <= first && first <= 'z' {
			o[first&^0x20] |= 1 << length
		}
	}
	return &o
}

func (o *outlines) has(word []byte) bool { return o[word[0]]&(1<<min(len(word), 63)) != 0 }

// pair is two neighbours of a phrase in a text.
type pair struct {
	first int // its number in the phrase
	word  int // the number of the second in the text
	at    int // byte of the first
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

// worth is how sure so many pairs make it that a text has the phrase, from 0 to 1.
func (p phrase) confidence(pairs int) float64 {
	all := len(p) - 1
	if pairs < min(all, minPhrase-1) {
		return 0
	}
	return min(1, float64(pairs)/float64(min(all, provingPairs)))
}
