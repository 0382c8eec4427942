package embedded

import (
	"slices"
	"strings"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/results"
)

const listedTests = 10 // maximum number of listed tests

// without reports whether the results are complete, and no place of them belongs to the relation.
func (how relationOf) without(edges []results.ToolResult) bool {
	return !slices.ContainsFunc(edges, func(r results.ToolResult) bool {
		found := results.Decode[results.EdgesResult](&r)
		return !r.OK || found.Partial || len(how.places(found.Edges)) > 0
	})
}

// testsByName lists tests that have the target's name in their own, for a target that no test uses directly. It returns
// "" if there are none, and first the call that finds them.
func (x relation) testsByName(p progress) (text string, calls []llm.Call) {
	searches := p.of("request_code_context")
	if len(searches) == 0 {
		return "", []llm.Call{callTool("request_code_context", args{"hint": "test " + x.String(),
			"token_budget": contextTokens})}
	}
	found := results.Decode[results.SearchResult](&searches[0]).Results
	names := x.names()
	name := names[len(names)-1]
	tests := slices.DeleteFunc(found, func(s results.Symbol) bool {
		return !results.IsTest(s.Path()) || !slices.Contains(results.Callables, s.Kind) ||
			!strings.Contains(strings.ToLower(s.Canon),
				strings.ToLower(name))
	})
	if len(tests) == 0 {
		return "", nil
	}
	listed := tests[:min(listedTests, len(tests))]
	list := p.ListSymbols(results.LookupResult{Items: listed, Omitted: len(tests) - len(listed)})
	return "No test that uses " + results.Code(name) + " directly was found. These have it in their own names:\n\n" +
			list + "\n",
		nil
}
