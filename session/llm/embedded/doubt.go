package embedded

import (
	"cmp"
	"slices"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/results"
)

const lookedUpWords = 3 // maximum number of words that are looked up as names

// bestFirst returns the results of a search in its order, but those that the message names first, and tests, examples
// and changelogs last, unless the message speaks of them.
func bestFirst(message string, found []results.Symbol) []results.Symbol {
	aside := !asksAside.MatchString(message)
	return slices.SortedStableFunc(slices.Values(found), func(a, b results.Symbol) int {
		return cmp.Or(results.Order(b.IsNamed(message))-results.Order(a.IsNamed(message)),
			results.Order(aside && a.IsAside())-results.Order(aside && b.IsAside()))
	})
}

var (
	asksAside = lazyregexp.New(`(?i)\b(?:tests?|tested|testing|specs?|examples?|bench\w*|fixtures?|mocks?` +
		`|change(?:s|d|log)?|release\w*|history)\b`)
)

// lookUp looks words up as names, for symbols that come close.
func lookUp(words []string) (calls []llm.Call) {
	for _, w := range words[:min(lookedUpWords, len(words))] {
		calls = append(calls, callTool("code_item_lookup", args{"name": w}))
	}
	return calls
}

// alike lists the symbols whose names come close to words that were looked up.
func (p progress) alike() string {
	var near []results.Candidate
	for _, r := range p.of("code_item_lookup") {
		for _, s := range results.Decode[results.LookupResult](&r).Items {
			near = append(near, results.Candidate{ID: s.ID, Canon: s.Canon, Kind: s.Kind})
		}
		near = append(near, r.Candidates...)
	}
	return p.Near(near[:min(results.FurtherPlaces, len(near))])
}

// declining are the beginnings of answers that do not do what was asked, or that have found nothing. Programs that ask
// are told so, since they do not read the text.
var declining = lazyregexp.New(`^(?:I understand English best\. )?` +
	`(?:I (?:can't|could not|did not|found no(?:thing)?|changed nothing|deleted nothing|moved nothing)\b|` +
	`Documenting code needs |There (?:is no file |are no commits)|` +
	`Where\? |Which one do you mean\? \x60|No (?:calls|uses|implementations|imports?|tests?|line)\b|No file (?:of` +
	`|that)\b)`)

// declines reports whether an answer does not do what was asked.
func declines(answer string) bool { return declining.MatchString(answer) }
