package embedded

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/results"
)

// remove deletes a symbol, and names what still uses it.
type remove struct{ target }

func (x remove) next(p progress) step {
	found, calls := x.resolve(p)
	edges, applied := p.of("code_item_edges"), p.of("apply_code_edit")
	if calls != nil {
		return step{calls: calls}
	}
	item, question := x.only(p, found, "deleted", "delete %s")
	switch {
	case question != "":
		return answerWith(question)
	case len(item.OverloadsIn(found.items)) > 1 && !strings.Contains(x.name, "#"):
		return answerWith(p.AskOverload("deleted", "delete %s", item, found.items))
	case len(edges) == 0:
		return step{calls: []llm.Call{relations["references"].call(item, foundEdges)}}
	case unconnected(edges) && len(p.of("search_text")) == 0:
		return step{calls: []llm.Call{naming(item)}}
	case len(applied) == 0:
		var edits []args
		for _, s := range append([]results.Symbol{item}, item.PrototypesIn(found.items)...) {
			edits = append(edits, args{"mode": "canonical", "file": s.File, "canon": s.Canon, "kind": s.Kind, "at": "delete"})
		}
		return step{calls: []llm.Call{callTool("apply_code_edit", args{"edits": edits, "reason": "delete " + item.Canon})}}
	}
	s := p.staged("delete "+results.Code(item.Canon), applied[0], "")
	if maybe := unconnectedUses(p, item); applied[0].OK && maybe != "" {
		s.text = "**It may still be used.** " + maybe + s.text
		return s
	}
	if len(item.PrototypesIn(found.items)) == 0 && applied[0].OK { // else they are deleted, too
		if stays := p.Prototypes(item, p.of("search_text")); stays != "" {
			s.text = "**It is not whole.** " + stays + s.text
		}
	}
	if uses := results.Decode[results.EdgesResult](&edges[0]); applied[0].OK && len(uses.Edges) > 0 {
		s.text = fmt.Sprintf("%s is named in %s, which a deletion leaves behind. %s\n%s", results.Code(item.Canon),
			results.Count(len(uses.Edges)+uses.Omitted, "place"), s.text, p.UsedBy(item, edges[0]))
	} else {
		s.text += p.UsedBy(item, edges[0])
	}
	return s
}

// naming returns the call that finds the lines with a symbol's name, but those of prose.
func naming(item results.Symbol) llm.Call {
	return callTool("search_text", args{"pattern": `\b` + regexp.QuoteMeta(item.Name) + `\b`, "limit": namingLines,
		"include": slices.Concat(notProse, notLocked)})
}

const namingLines = 500

// unconnected reports whether the index knows no use of a symbol, by the edges that it was asked for.
func unconnected(edges []results.ToolResult) bool {
	return !slices.ContainsFunc(edges, func(r results.ToolResult) bool {
		found := results.Decode[results.EdgesResult](&r)
		return !r.OK || found.Partial || found.ByCompiler() || len(found.Edges) > 0
	})
}

// unconnectedUses lists the lines of [naming] that look like uses of a symbol, "" for none.
func unconnectedUses(p progress, item results.Symbol) string {
	for _, r := range p.of("search_text") {
		return p.UnconnectedUses(item, results.Decode[countedText](&r).Matches)
	}
	return ""
}

// only returns the one symbol that an instruction means, or what it says because there is none, or more than one. done
// is what was not done, and form the instruction for a name.
func (t target) only(p progress, found resolved, done, form string) (item results.Symbol, question string) {
	if len(found.items) == 0 {
		return results.Symbol{}, "I " + done + " nothing. " + t.missing(p, found.failure)
	}
	ofKind := p.ofKind(found.items, t.name[strings.LastIndexByte(t.name, ':')+1:])
	meant := results.Distinct(results.Public(exact(ofKind, t.name)))
	item = meant[0]
	switch n := len(meant) + found.omitted; {
	case t.note(found) != "":
		return item, fmt.Sprintf("I %s nothing: there is no %s. What has that name:\n\n%s", done, results.Code(t.String()),
			p.ListSymbols(results.LookupResult{Items: meant, Omitted: found.omitted}))
	case n > 1:
		return item, fmt.Sprintf("I %s nothing: %s may mean one of %d. Say which one, as in %s.\n\n%s", done,
			results.Code(t.String()), n,
			results.Code(fmt.Sprintf(form, item.Named(meant))), p.ListSymbols(results.LookupResult{Items: meant,
				Omitted: found.omitted}))
	case secretFile.MatchString(item.File):
		return item, refuseSecret(item.File).text
	}
	return item, ""
}
