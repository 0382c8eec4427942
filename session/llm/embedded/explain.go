package embedded

import (
	"fmt"
	"slices"
	"strings"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/results"
)

// explain describes one symbol.
type explain struct {
	target
	brief bool // only where it is and how it reads
	weak  bool // the name may as well be an ordinary word
	bare  bool // it is one without a definite article, so that only what is declared for all files is meant
	noun  bool // it is one with an indefinite article, so that a type is meant, in whatever case
	known bool // it is known not to be of the language
}

func (x explain) next(p progress) step {
	if uses, foreign := usesOf(x.name); foreign && !x.known {
		x.known = true
		uses.otherwise = x
		return uses.next(p)
	}
	x.orType = true
	found, calls := x.resolve(p)
	switch {
	case calls != nil:
		if !x.brief && !x.weak && len(p.results) == 0 {
			calls = append(calls, callTool("request_code_context", args{"token_budget": contextTokens, "hint": x.name}))
		}
		return step{calls: calls}
	case len(found.items) == 0 && x.weak, x.bare && !x.means(p.Folders, found):
		return called{}.next(p)
	case len(found.items) == 0:
		return x.orSearch(p, found.failure)
	}
	item := found.items[0]
	edges := p.of("code_item_edges")
	if len(edges) == 0 && !x.brief {
		calls := []llm.Call{callTool("code_item_edges", args{"canon": item.Canon, "file": item.File,
			"direction": item.UsedAs()})}
		if item.Cut != "" && len(found.items) > 1 { // of many namesakes, the lookup shows no code
			calls = append(calls, callTool("code_item_lookup", args{"canon": item.Canon, "file": item.File}))
		}
		return step{calls: calls}
	}
	found.items[0] = item.ShownIn(p.of("code_item_lookup"))
	return answerWith(x.describe(found, edges, p))
}

// means reports whether an ordinary word means what was found.
func (x explain) means(f results.Folders, found resolved) bool {
	if first := found.items[0]; x.noun {
		return slices.Contains(slices.Concat(results.Classes, results.Abstract), first.Kind) && strings.EqualFold(found.as,
			x.name) &&
			!results.IsTest(first.Path())
	}
	return f.Rank(found.items[0]) == 0 && found.as == x.name
}

func (x explain) describe(found resolved, callers []results.ToolResult, p progress) string {
	item := found.items[0]
	var b strings.Builder
	fmt.Fprintf(&b, "%s is %s %s in %s.\n\n", results.Code(lexicon.Shown(item.Canon)), article(item.Kind), item.Kind,
		p.Location(item.ID))
	b.WriteString(item.Described() + item.Quoted() + x.note(found))
	for _, r := range callers {
		b.WriteString(p.UsedBy(item, r))
	}
	if others := found.items[1:]; len(others) > 0 {
		list := p.ListSymbols(results.LookupResult{Items: others, Omitted: found.omitted})
		b.WriteString("The name is also that of:\n\n" + list + "\n")
	}
	seeAlso(&b, item, p)
	b.WriteString("This is what the index knows, quoted and not interpreted: the embedded model is not a language " +
		"model.\n")
	return b.String()
}

// article returns the indefinite article before a word.
func article(word string) string {
	if strings.ContainsAny(word[:min(1, len(word))], "aeiou") {
		return "an"
	}
	return "a"
}

// seeAlso lists search results other than the symbol.
func seeAlso(b *strings.Builder, item results.Symbol, p progress) {
	for _, r := range p.of("request_code_context") {
		var others []string
		for _, s := range results.Decode[results.SearchResult](&r).Results {
			if p.Location(s.ID) != p.Location(item.ID) && len(others) < 5 {
				others = append(others, p.Listed(s))
			}
		}
		results.ListFurther(b, others, 0)
	}
}
