package embedded

import (
	"fmt"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/results"
)

// compare shows the documentation of two symbols, one after the other.
type compare struct{ a, b target }

func compareOf(m []string) instruction {
	a, isA := targetOf(m[0])
	b, isB := targetOf(m[1])
	if !isA || !isB || a.name == "" || b.name == "" {
		return nil
	}
	return compare{a, b}
}

func (x compare) next(p progress) step {
	lookups := p.of("code_item_lookup")
	if len(lookups) == 0 {
		return step{calls: []llm.Call{callTool("code_item_lookup", args{"name": x.a.name}), callTool("code_item_lookup",
			args{"name": x.b.name})}}
	}
	text := ""
	for i, t := range []target{x.a, x.b} {
		found := results.Decode[results.LookupResult](&lookups[i])
		if !lookups[i].OK || len(found.Items) == 0 {
			return question{}.next(p)
		}
		items := t.ranked(p.Folders, definitions(results.Public(found.All())), t.name)
		item := items[0]
		for _, s := range items { // the one with the most to say is the one that people use
			if len(s.Doc) > len(item.Doc) && p.Rank(s) == p.Rank(item) {
				item = s
			}
		}
		text += fmt.Sprintf("%s is %s %s in %s.\n\n", results.Code(item.Canon), article(item.Kind), item.Kind,
			p.Location(item.ID))
		text += item.ShownSignature() + item.Docs()
		if len(items) > 1 {
			text += fmt.Sprintf("The name has %s. `explain %s` lists them.\n\n", results.Count(len(items)-1,
				"further definition"),
				t.name)
		}
	}
	return answerWith(text + "This is what their documentation says; I can't judge what differs.\n")
}
