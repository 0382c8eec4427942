package embedded

import (
	"ploke-lsp/session/llm"
	"slices"
	"strings"
	"unicode"
)

const lookedUpWords = 3 // maximum number of words that are looked up as names

// common are words of questions that say nothing about the code.
var common = wordSet(`a about after all also an and any anything are as at be been before best between but by can ` +
	`code could did do does
	doing done each else ever every file files find first for from function functions get gets give happen happens has have
	how i if in
	inside into is it its kind like made make makes many me method methods more most much my need not of on one only or
	other our out
	over place places please project see should show so some something such take tell than that the their them then there
	these they
	thing things this those through to type types up us use used uses using very want was way we were what when where which
	while who
	whole whose why will with within without work works would you your`)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// weak are words that stand in most code, so that a place is not found by them alone.
var weak = wordSet(`add added change changed changes code current currently default everything explain explained ` +
	`function functions
	bad big difficult easy fast good hard nice quick simple slow small
	general important latest list main new old recent recently run running this work working write written`)

// askedWords returns the words of a message that say something about the code, each once.
func askedWords(message string) (asked []string) {
	for _, w := range strings.FieldsFunc(strings.ToLower(message), func(r rune) bool {
		return !unicode.IsLetter(r) &&
			!unicode.IsDigit(r) && r != '_'
	}) {
		if len(w) >= 3 && !common[w] && !slices.Contains(asked, w) {
			asked = append(asked, w)
		}
	}
	return asked
}

// missingWords returns the words of a message that no result has, if these are more than
// half of its words.
func missingWords(message string, results []symbol) (missing []string) {
	asked, text := askedWords(message), textOf(results)
	for _, w := range asked {
		if !strings.Contains(text, stem(w)) {
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
	asked := askedWords(message)
	return len(asked) > 0 && !slices.ContainsFunc(asked, func(w string) bool { return !weak[w] })
}

// fitting is the share of the question's words from which the best results are quoted.
const fitting = 0.4

// fits reports whether the results have enough of the words of a message that are not weak.
func fits(message string, results []symbol) bool {
	text := textOf(results)
	asked, found := 0, 0
	for _, w := range askedWords(message) {
		if weak[w] {
			continue
		}
		asked++
		if strings.Contains(text, stem(w)) {
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

// stem removes the ending of a word, roughly.
func stem(word string) string {
	for _, ending := range []string{"ations", "ation", "ingly", "ings", "ing", "ers", "ies", "ed", "es", "er", "ly", "s",
		"y", "e"} {
		if rest, ok := strings.CutSuffix(word, ending); ok && len(rest) >= 3 {
			return rest
		}
	}
	return word
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
