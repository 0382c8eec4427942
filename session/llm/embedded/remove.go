package embedded

import (
	"fmt"
	"strings"

	"ploke-lsp/session/llm"
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
	case len(item.overloadsIn(found.items)) > 1 && !strings.Contains(x.name, "#"):
		return answerWith(p.askOverload("deleted", "delete %s", item, found.items))
	case len(edges) == 0:
		return step{calls: []llm.Call{relations["references"].call(item, foundEdges)}}
	case len(applied) == 0:
		edit := args{"mode": "canonical", "file": item.File, "canon": item.Canon, "kind": item.Kind, "at": "delete"}
		return step{calls: []llm.Call{callTool("apply_code_edit", args{"edits": []args{edit}, "reason": "delete " +
			item.Canon})}}
	}
	s := p.staged("delete "+code(item.Canon), applied[0], "")
	if uses := decode[edgesResult](&edges[0]); applied[0].OK && len(uses.Edges) > 0 {
		s.text = fmt.Sprintf("%s is named in %s, which a deletion leaves behind. %s\n%s", code(item.Canon),
			count(len(uses.Edges)+uses.Omitted, "place"), s.text, p.usedBy(item, edges[0]))
	} else {
		s.text += p.usedBy(item, edges[0])
	}
	return s
}

// only returns the one symbol that an instruction means, or what it says because there is none, or more than one. done
// is what was not done, and form the instruction for a name.
func (t target) only(p progress, found resolved, done, form string) (item symbol, question string) {
	if len(found.items) == 0 {
		return symbol{}, "I " + done + " nothing. " + p.missing(t, found.failure)
	}
	meant := distinct(public(exact(p.ofKind(found.items, t.name[strings.LastIndexByte(t.name, ':')+1:]), t.name)))
	item = meant[0]
	switch n := len(meant) + found.omitted; {
	case t.note(found) != "":
		return item, fmt.Sprintf("I %s nothing: there is no %s. What has that name:\n\n%s", done, code(t.String()),
			p.listSymbols(lookupResult{Items: meant, Omitted: found.omitted}))
	case n > 1:
		return item, fmt.Sprintf("I %s nothing: %s may mean one of %d. Say which one, as in %s.\n\n%s", done,
			code(t.String()), n,
			code(fmt.Sprintf(form, item.named(meant))), p.listSymbols(lookupResult{Items: meant, Omitted: found.omitted}))
	case secretFile.MatchString(item.File):
		return item, refuseSecret(item.File).text
	}
	return item, ""
}

// overloadsIn returns the symbols that have the same address in the same file, but for their numbers.
func (s symbol) overloadsIn(items []symbol) (same []symbol) {
	for _, other := range items {
		if plainCanon(other.Canon) == plainCanon(s.Canon) && other.path() == s.path() {
			same = append(same, other)
		}
	}
	return same
}

// askOverload asks which one of several overloads an instruction means.
func (f folders) askOverload(done, form string, item symbol, items []symbol) string {
	same := item.overloadsIn(items)
	return fmt.Sprintf("I %s nothing: %s has %s. Say which one by its number, as in %s.\n\n%s", done,
		code(dotted(item.Canon)),
		count(len(same), "overload"), code(fmt.Sprintf(form, same[len(same)-1].Canon)),
		numbered(f, same))
}

// named returns the name by which an instruction means a symbol and not its namesakes: its address, or with its file.
func (s symbol) named(namesakes []symbol) string {
	for _, other := range namesakes {
		if other.ID != s.ID && strings.HasSuffix("::"+plainCanon(other.Canon), "::"+plainCanon(s.Canon)) {
			return dotted(s.Canon) + " in " + base(s.path())
		}
	}
	return dotted(s.Canon)
}

// numbered lists overloads with their numbers.
func numbered(f folders, same []symbol) (list string) {
	for _, s := range same {
		list += fmt.Sprintf("- %s (%s) — %s\n", code(s.Canon), s.Kind, f.location(s.ID))
	}
	return list
}
