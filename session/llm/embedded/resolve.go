package embedded

import (
	"cmp"
	"slices"
	"strings"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/results"
)

// resolved is how looking up a target ended.
type resolved struct {
	items   []results.Symbol // the likeliest first; empty if there are none
	omitted int              // of further ones
	as      string           // the name that was found
	failure results.ToolResult
}

// resolve looks a target up, by shorter and shorter names, and at last by a name that
// differs in case only. Until it is done, it returns the calls to make next.
func (t target) resolve(p progress) (resolved, []llm.Call) {
	if t.name == "" {
		return t.resolveLine(p)
	}
	names, lookups := t.names(), p.of("code_item_lookup")
	for i, r := range lookups {
		found := results.Decode[results.LookupResult](&r)
		switch as := t.nameOf(i, lookups); {
		case r.OK && i == 1 && t.orType && strings.Contains(t.name, "::") && !slices.Contains(slices.Concat(results.Classes,
			results.Abstract), found.Items[0].Kind):
		case r.OK && len(definitions(found.All())) > 0:
			return t.byUse(p, resolved{items: t.ranked(p.Folders, definitions(found.All()), as), omitted: found.Omitted, as: as})
		case !r.OK && r.Code != "not_found", i >= len(names):
			return resolved{failure: r}, nil
		}
	}
	if next := t.nameOf(len(lookups), lookups); next != "" {
		look := args{"name": next}
		if t.file != "" {
			look["file"] = t.file
		}
		return resolved{}, []llm.Call{callTool("code_item_lookup", look)}
	}
	failure := lookups[0]
	if failure.OK {
		failure.Error, failure.Code = "only settings name it", "not_found"
	}
	return resolved{failure: failure}, nil
}

// byUse puts that first of the likeliest namesakes which is used most. Until the uses are counted, it returns the call
// that counts them.
func (t target) byUse(p progress, found resolved) (resolved, []llm.Call) {
	tied := 1
	for tied < len(found.items) && (p.Rank(found.items[tied]) == p.Rank(found.items[0]) ||
		t.mostUsed && !found.items[tied].IsAside()) {
		tied++
	}
	if len(results.Distinct(found.items[:tied])) < 2 {
		return found, nil
	}
	counted := p.facts("uses")
	if len(counted) == 0 {
		return resolved{}, []llm.Call{callTool("project_facts", args{"about": "uses", "words": []string{found.as},
			"limit": 1})}
	}
	uses := map[string]int{}
	for _, u := range results.Decode[results.ProjectFacts](&counted[0]).Uses {
		uses[u.ID] = u.Uses
	}
	slices.SortStableFunc(found.items[:tied], func(a, b results.Symbol) int { return cmp.Compare(uses[b.ID], uses[a.ID]) })
	return found, nil
}

// nameOf returns the name of the lookup number i, "" if there is none.
func (t target) nameOf(i int, lookups []results.ToolResult) string {
	names := t.names()
	if i < len(names) {
		return names[i]
	}
	for _, name := range names {
		for _, r := range lookups[:len(names)] {
			for _, c := range r.Candidates {
				if tail := c.Canon[max(0, len(c.Canon)-len(name)):]; strings.EqualFold(tail, name) &&
					strings.HasSuffix("::"+c.Canon, "::"+tail) {
					return tail
				}
			}
		}
	}
	return ""
}

// ranked sorts namesakes. If some are in the package or the file that the name begins
// with, only these are returned.
func (t target) ranked(f results.Folders, items []results.Symbol, as string) []results.Symbol {
	for _, owner := range strings.Split(strings.TrimSuffix(strings.TrimSuffix(t.name, as), "::"), "::") {
		within := slices.DeleteFunc(slices.Clone(items), func(s results.Symbol) bool {
			return owner == "" ||
				!s.Within(owner)
		})
		if len(within) > 0 {
			items = within
		}
	}
	return slices.SortedStableFunc(slices.Values(items), func(a, b results.Symbol) int {
		return cmp.Or(cmp.Compare(f.Rank(a), f.Rank(b)), cmp.Compare(strings.Count(a.File, "/"), strings.Count(b.File, "/")))
	})
}

// resolveLine finds the symbol around a line: the search knows it.
func (t target) resolveLine(p progress) (resolved, []llm.Call) {
	searches := p.of("request_code_context")
	if len(searches) == 0 {
		return resolved{}, []llm.Call{callTool("request_code_context", args{"hint": t.String(),
			"token_budget": contextTokens})}
	}
	found := results.Decode[results.SearchResult](&searches[0])
	var innermost results.Symbol
	for _, s := range found.Results {
		if s.Encloses(t.line) && s.InFile(t.file) && (innermost.ID == "" || s.FirstLine() > innermost.FirstLine()) {
			s.File = s.Path()
			innermost = s
		}
	}
	if innermost.ID != "" {
		return resolved{items: []results.Symbol{innermost}, as: innermost.Canon}, nil
	}
	if searches[0].OK {
		searches[0].Error = "no symbol has that line"
	}
	return resolved{failure: searches[0]}, nil
}

// missing says that a target was not found, and what comes close.
func (t target) missing(p progress, r results.ToolResult) string {
	text := "I could not look up " + results.Code(t.String()) + ": " + r.Error + ".\n"
	if names := t.names(); len(names) > 1 {
		text += "I also tried `" + strings.Join(names[1:], "`, `") + "`.\n"
	}
	return text + p.Near(r.Candidates)
}
