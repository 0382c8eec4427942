package embedded

import (
	"cmp"
	"slices"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/conventions"
	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/results"
)

// exitCode is a question for the status with which a program ends: it lists the lines that speak of one, and the
// places of the case that is asked about.
type exitCode struct{}

func (x exitCode) next(p progress) step {
	lines := p.of("search_text")
	asked := lexicon.WithoutExitCode(p.message)
	if len(lines) == 0 {
		return step{calls: []llm.Call{
			callTool("search_text", args{"pattern": lexicon.Exits, "limit": outcomeLines, "include": notTests,
				"context": aroundOutcome}),
			callTool("request_code_context", args{"token_budget": contextTokens, "hint": asked}),
		}}
	}
	of := outcome{lexicon.Case{Things: lexicon.Stems(asked)}}
	found := of.best(p.Folders, results.Decode[struct{ Matches []caseLine }](&lines[0]).Matches)
	if !lines[0].OK || len(found) == 0 {
		return p.search(nil)
	}
	if own := slices.DeleteFunc(slices.Clone(found), func(l caseLine) bool {
		return conventions.Upkeep.MatchString(p.Rel(l.File))
	}); len(own) > 0 {
		found = own
	}
	for i := range found {
		found[i].rank += lexicon.SetsStatus(found[i].Text)
	}
	slices.SortStableFunc(found, func(a, b caseLine) int { return cmp.Compare(b.rank, a.rank) })
	return p.reporting("The nearest line that speaks of an exit status, by its words", found, p.placesOf(of))
}

// placesOf lists the places that the search has found for a case.
func (p progress) placesOf(of outcome) (text string) {
	for _, r := range p.of("request_code_context") {
		near := results.Decode[results.SearchResult](&r).Results
		if !r.OK || len(near) == 0 || len(of.Things) == 0 {
			continue
		}
		text = "The nearest places of the case itself:\n\n" + p.First(near, nearest) + "\n"
	}
	return text
}
