package embedded

import (
	"fmt"
	"ploke-lsp/session/llm"
	"regexp"
	"slices"
	"strings"
)

// maxOccurrences is the maximum number of places that code_item_edges lists.
const maxOccurrences = 1000

// rename renames every identifier with the name of from, and its mentions in the
// symbol's own doc comment. The old name must have exactly one definition, and the
// new name none.
type rename struct {
	from string // canon or name
	to   string
}

// name returns the last part of the address: the identifier in the code.
func (x rename) name() string {
	parts := strings.Split(x.from, "::")
	name, _, _ := strings.Cut(parts[len(parts)-1], "#")
	return name
}

func (x rename) next(p progress) step {
	if x.name() == x.to {
		return answerWith(code(x.to) + " has that name already.")
	}
	lookups, edges, applied := p.of("code_item_lookup"), p.of("code_item_edges"), p.of("apply_code_edit")
	switch {
	case len(lookups) < 2:
		return step{calls: []llm.Call{
			callTool("code_item_lookup", args{"name": x.name()}),
			callTool("code_item_lookup", args{"name": x.to}),
		}}
	case len(edges) == 0:
		return x.check(p.folders, lookups[0], lookups[1])
	case len(applied) == 0:
		return x.edit(p.folders, edges[0])
	default:
		return p.staged(fmt.Sprintf("rename %s to %s", code(x.from), code(x.to)), applied[0],
			x.changeNote(edges[0])+x.unchangedText(p))
	}
}

// check continues only if the old name has one definition and the new name is free.
func (x rename) check(f folders, old, new toolResult) step {
	olds, news := decode[lookupResult](&old), decode[lookupResult](&new)
	switch {
	case !old.OK:
		return f.failed("I can't rename "+code(x.from), old)
	case len(olds.Items)+olds.Omitted > 1:
		return answerWith(fmt.Sprintf("I did not rename %s: the name has %s, and I can only rename one that has a single one.\n\n%s",
			code(x.name()), count(len(olds.Items)+olds.Omitted, "definition"), f.listSymbols(olds)))
	case len(olds.Items) == 0 || !named(olds.Items[0], x.from):
		return answerWith("I did not rename " + code(x.from) + ": there is no such symbol. What has that name:\n\n" + f.listSymbols(olds))
	case new.OK && len(news.Items) > 0:
		return answerWith(fmt.Sprintf("I did not rename %s: %s is taken.\n\n%s", code(x.from), code(x.to), f.listSymbols(news)))
	case !new.OK && new.Code != "not_found":
		return f.failed("It is unknown whether "+code(x.to)+" is free", new)
	}
	item := olds.Items[0]
	return step{calls: []llm.Call{
		callTool("code_item_edges", args{"canon": item.Canon, "file": item.File, "direction": "occurrences", "limit": maxOccurrences}),
		callTool("search_text", args{"pattern": `\b` + regexp.QuoteMeta(x.name()) + `\b`}),
	}}
}

// named reports whether from is the symbol's address or a suffix of it.
func named(s symbol, from string) bool {
	return s.Name == from || s.Canon == from || strings.HasSuffix(s.Canon, "::"+from)
}

func (f folders) listSymbols(found lookupResult) string {
	var b strings.Builder
	for _, s := range found.Items {
		b.WriteString(f.listed(s))
	}
	if found.Omitted > 0 {
		fmt.Fprintf(&b, "- and %d more\n", found.Omitted)
	}
	return b.String()
}

// edit renames all places, or none if some can't be listed.
func (x rename) edit(f folders, r toolResult) step {
	found := decode[edgesResult](&r)
	switch {
	case !r.OK:
		return f.failed("The places of "+code(x.from)+" could not be listed", r)
	case found.Partial:
		return answerWith("I did not rename " + code(x.from) + ": the index is still being built, so places could be missed. Try again when it is ready.")
	case found.Omitted > 0:
		return answerWith(fmt.Sprintf("I did not rename %s: it occurs in %d places, more than I can change at once.",
			code(x.from), len(found.Edges)+found.Omitted))
	case len(found.Edges) == 0:
		return answerWith("I did not rename " + code(x.from) + ": no place of it was found.")
	}
	var edits []args
	for _, e := range found.Edges {
		edits = append(edits, args{"mode": "splice", "file": e.File, "start_byte": e.StartByte, "end_byte": e.EndByte,
			"expected_file_hash": e.FileHash, "replacement": x.to})
	}
	return step{calls: []llm.Call{callTool("apply_code_edit", args{"edits": edits, "reason": "rename " + x.from + " to " + x.to})}}
}

// changeNote returns a sentence on the kinds of renamed places.
func (x rename) changeNote(r toolResult) string {
	also := ""
	if slices.ContainsFunc(decode[edgesResult](&r).Edges, func(e edge) bool { return e.Kind == "doc" }) {
		also = ", and so is its own doc comment"
	}
	return "Every identifier that reads " + code(x.name()) + " is changed" + also + "; they were found by name, so look through the places.\n"
}

// unchangedText lists the lines that contain the name but are not changed, such as
// other comments and strings. Only a reader can judge them.
func (x rename) unchangedText(p progress) string {
	renamed := map[string]bool{}
	for _, r := range p.of("code_item_edges") {
		for _, e := range decode[edgesResult](&r).Edges {
			renamed[fmt.Sprintf("%s:%d", e.File, e.Line)] = true
		}
	}
	var b strings.Builder
	for _, r := range p.of("search_text") {
		found := decode[searchedText](&r)
		if !r.OK {
			return "\nComments that name it could not be listed: " + r.Error + ".\n"
		}
		for _, m := range found.Matches {
			if place := fmt.Sprintf("%s:%d", m.File, m.Line); !renamed[place] {
				fmt.Fprintf(&b, "- %s:%d: %s\n", p.rel(m.File), m.Line, code(strings.TrimSpace(m.Text)))
			}
		}
		if found.Omitted > 0 {
			fmt.Fprintf(&b, "- perhaps more: %s were not looked at\n", count(found.Omitted, "line"))
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "\nLeft as they are, for you to judge: other comments, strings and text that name it.\n\n" + b.String()
}

type searchedText struct {
	Matches []edge
	Omitted int
}
