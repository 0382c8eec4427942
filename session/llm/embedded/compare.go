package embedded

import (
	"fmt"
	"strings"

	"ploke-lsp/session/llm"
)

// compare shows the documentation of two symbols, one after the other.
type compare struct{ a, b target }

const comparedLines = 12 // maximum number of lines of each doc comment

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
		found := decode[lookupResult](&lookups[i])
		if !lookups[i].OK || len(found.Items) == 0 {
			return question{}.next(p)
		}
		items := t.ranked(p.folders, definitions(public(found.all())), t.name)
		item := items[0]
		for _, s := range items { // the one with the most to say is the one that people use
			if len(s.Doc) > len(item.Doc) && p.rank(s) == p.rank(item) {
				item = s
			}
		}
		text += fmt.Sprintf("%s is %s %s in %s.\n\n", code(item.Canon), article(item.Kind), item.Kind, p.location(item.ID))
		text += item.shownSignature() + item.docs()
		if len(items) > 1 {
			text += fmt.Sprintf("The name has %s. `explain %s` lists them.\n\n", count(len(items)-1, "further definition"),
				t.name)
		}
	}
	return answerWith(text + "This is what their documentation says; I can't judge what differs.\n")
}

// docs returns the beginning of a symbol's doc comment as a quotation.
func (s symbol) docs() string {
	if strings.TrimSpace(s.Doc) == "" {
		return "It has no documentation.\n\n"
	}
	lines := strings.Split(strings.TrimSpace(s.Doc), "\n")
	text := ""
	for _, line := range lines[:min(comparedLines, len(lines))] {
		text += strings.TrimRight("> "+line, " ") + "\n"
	}
	if len(lines) > comparedLines {
		text += "> …\n"
	}
	return text + "\n"
}
