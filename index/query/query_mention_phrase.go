package query

import (
	"iter"
	"slices"
	"strings"

	"ploke-lsp/index/postings"
	"ploke-lsp/internal/lazyregexp"
)

// phrase is a text that a query quotes and that a string in the code may contain: its
// words in lower case, in order.
type phrase []string

var (
	// quotePatterns match quoted texts, but not apostrophes. Each match begins with one of
	// the marks; without any of them the pattern is not tried.
	quotePatterns = []struct {
		marks   string
		pattern *lazyregexp.Regexp
	}{
		{`"`, lazyregexp.New(`"([^"\n]+)"`)},
		{"`", lazyregexp.New("`([^`\n]+)`")},
		{"“„«", lazyregexp.New(`[“„«]([^”“»\n]+)[”“»]`)},
		{"'‘", lazyregexp.New(`(?:^|[\s(\[{=:,])['‘]([^'\n]+)['’](?:$|[\s)\]}.,;:])`)},
	}
	// errorPattern matches the message after the start of an error report, such as "error:
	// ", "panic: ", "ValueError: " or "[ERROR] ".
	errorPattern = lazyregexp.New(`(?mi)\b\w*(?:` + strings.Join(errorWords, "|") +
		`)(?:\[\w+\])?(?:\]|[^:\n]{0,40}:) *(.+)$`)
	// flagPattern matches a command-line option of several words.
	flagPattern = lazyregexp.New(`(?:^|[\s"'(=\[` + "`" + `])--([\pL\pN]+(?:-[\pL\pN]+)+)`)
)

// errorWords are the words that begin an error report.
var errorWords = []string{"error", "exception", "panic", "fatal", "warning", "failed", "failure", "assertion"}

const (
	maxPhrases    = 4
	minPhrase     = 3  // words; two often follow each other by chance
	maxPhrase     = 24 // words
	phraseFiles   = 8  // the maximum number of files that are read for each phrase
	phraseSpread  = 2  // a phrase of n words is searched within this times n words
	provingPairs  = 3  // adjacent word pairs that prove a phrase, even if the other words were filled in
	sharedPhrases = 2  // more places than this share the weight of a phrase
)

// phrases returns the phrases that a text quotes.
func phrases(text string) (all []phrase) {
	for _, option := range flags(text) {
		all = append(all, phraseOf(option))
	}
	for quoted := range quotes(text) {
		if len(all) >= maxPhrases { // the patterns are slow on a long text
			break
		}
		if p := phraseOf(quoted); len(p) >= minPhrase {
			all = append(all, p)
		}
	}
	return all[:min(len(all), maxPhrases)]
}

// flags returns the command-line options of several words in a text, without their leading
// dashes.
func flags(text string) []string {
	if !strings.Contains(text, "--") {
		return nil
	}
	return allGroups(flagPattern, text)
}

// quotes returns the quoted texts and the error messages in a text.
func quotes(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, q := range quotePatterns {
			if !strings.ContainsAny(text, q.marks) {
				continue
			}
			for _, quoted := range allGroups(q.pattern, text) {
				if !yield(quoted) {
					return
				}
			}
		}
		for line := range strings.Lines(text) { // the pattern is slow on a whole log
			if !mayReportError(line) {
				continue
			}
			for _, message := range allGroups(errorPattern, line) {
				if !yield(message) {
					return
				}
			}
		}
	}
}

// mayReportError quickly excludes most lines that errorPattern does not match: those without an
// error word, or without one of the signs that end the start of a report behind it.
func mayReportError(line string) bool {
	line = strings.ToLower(line)
	last := strings.LastIndexAny(line, ":]")
	return last >= 0 && slices.ContainsFunc(errorWords,
		func(word string) bool { return strings.Contains(line[:last], word) })
}

// allGroups returns the first group of each match.
func allGroups(pattern *lazyregexp.Regexp, text string) (all []string) {
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

// terms returns the terms that find the files with a phrase.
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
