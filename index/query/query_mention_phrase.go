package query

import (
	"iter"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

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

// quotedPhrase is a phrase with its weight.
type quotedPhrase struct {
	phrase
	weight float64
}

// phrases returns the phrases that a text quotes. What the body of a long text quotes is mostly what somebody else has
// said, unless it is the message of an error.
func phrases(text string) (all []quotedPhrase) {
	for _, option := range flags(text) {
		all = append(all, quotedPhrase{phraseOf(option), 1})
	}
	first, _, _ := strings.Cut(text, "\n")
	for quoted, message := range quotes(text) {
		if len(all) >= maxPhrases { // the patterns are slow on a long text
			break
		}
		weight := 1.
		if !message && !strings.Contains(first, quoted) {
			weight = laterPhraseWeight
		}
		if p := phraseOf(quoted); len(p) >= minPhrase {
			all = append(all, quotedPhrase{p, weight})
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

// quotes returns the quoted texts and the error messages in a text, and which they are.
func quotes(text string) iter.Seq2[string, bool] {
	return func(yield func(quoted string, message bool) bool) {
		for _, q := range quotePatterns {
			if !strings.ContainsAny(text, q.marks) {
				continue
			}
			for _, quoted := range allGroups(q.pattern, text) {
				if !yield(quoted, false) {
					return
				}
			}
		}
		for line := range strings.Lines(text) { // the pattern is slow on a whole log
			if !mayReportError(line) {
				continue
			}
			for _, message := range allGroups(errorPattern, line) {
				if !yield(message, true) {
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
