package embedded

import (
	"slices"
	"strings"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/lexicon"
)

const lookedUpWords = 3 // maximum number of words that are looked up as names

// missingWords returns the words of a message that no result has, if these are more than
// half of its words.
func missingWords(message string, results []symbol) (missing []string) {
	asked, text := lexicon.Asked(message), textOf(results)
	for _, w := range asked {
		if !strings.Contains(text, lexicon.Stem(w)) {
			missing = append(missing, w)
		}
	}
	if len(missing)*2 <= len(asked) {
		return nil
	}
	return missing
}

// onlyWeak reports whether a message has words about code, but only weak ones.
func onlyWeak(message string) bool {
	asked := lexicon.Asked(message)
	return len(asked) > 0 && !slices.ContainsFunc(asked, func(w string) bool { return !lexicon.Weak[w] })
}

// fitting is the share of the question's words from which the best results are quoted.
const fitting = 0.4

// fits reports whether the results have enough of the words of a message that are not weak.
func fits(message string, results []symbol) bool {
	text := textOf(results)
	asked, found := 0, 0
	for _, w := range lexicon.Asked(message) {
		if lexicon.Weak[w] {
			continue
		}
		asked++
		if strings.Contains(text, lexicon.Stem(w)) {
			found++
		}
	}
	return asked == 0 || float64(found) >= fitting*float64(asked)
}

func textOf(results []symbol) string {
	var b strings.Builder
	for _, s := range results {
		for _, part := range append([]string{s.ID, s.Canon, s.Signature, s.Doc, s.Snippet, s.Relation}, s.Siblings...) {
			b.WriteString(strings.ToLower(part) + "\n")
		}
	}
	return b.String()
}

// lookUp looks words up as names, for symbols that come close.
func lookUp(words []string) (calls []llm.Call) {
	for _, w := range words[:min(lookedUpWords, len(words))] {
		calls = append(calls, callTool("code_item_lookup", args{"name": w}))
	}
	return calls
}

// alike lists the symbols whose names come close to words that were looked up.
func (p progress) alike() string {
	var near []candidate
	for _, r := range p.of("code_item_lookup") {
		for _, s := range decode[lookupResult](&r).Items {
			near = append(near, candidate{ID: s.ID, Canon: s.Canon, Kind: s.Kind})
		}
		near = append(near, r.Candidates...)
	}
	return p.near(near[:min(furtherPlaces, len(near))])
}
