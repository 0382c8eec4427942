package embedded

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/results"
)

// maxOccurrences is the maximum number of places that code_item_edges lists.
const maxOccurrences = 1000

// maxNamesakes is the maximum number of symbols whose uses a rename looks at.
const maxNamesakes = 9

// rename renames a symbol with its uses, and its mentions in its own doc comment. Exactly one definition must
// fit the old name, and none the new one. Titles of tests and what else hardly counts (see [public]) do not.
//
// A method that others implement is renamed with them, or alone, as the instruction says; if it does not say, the
// person is asked.
type rename struct {
	from         string // canon or name
	to           string
	file         string // path, "" if not given
	implementers string // "only", "with", or "" if not said
}

// name returns the last part of the address: the identifier in the code.
func (x rename) name() string {
	parts := strings.Split(x.from, "::")
	name, _, _ := strings.Cut(parts[len(parts)-1], "#")
	return name
}

// notLocked leaves out the files that package managers write, which name nothing of the code.
var notLocked = []string{"!*.lock", "!*-lock.json", "!*-lock.yaml", "!npm-shrinkwrap.json", "!go.sum", "!*.lockfile"}

func (x rename) next(p progress) step {
	if x.name() == x.to {
		return answerWith(results.Code(x.to) + " has that name already.")
	}
	lookups, edges, applied := p.of("code_item_lookup"), p.of("code_item_edges"), p.of("apply_code_edit")
	switch {
	case len(lookups) < 2:
		return step{calls: []llm.Call{
			callTool("code_item_lookup", args{"name": x.name()}),
			callTool("code_item_lookup", args{"name": x.to}),
		}}
	}
	if s, ok := x.attribute(p, lookups); ok {
		return s
	}
	switch {
	case len(edges) == 0:
		return x.check(p, lookups[0], lookups[1])
	case len(applied) == 0:
		return x.edit(p, lookups[0], edges)
	default:
		return p.staged(fmt.Sprintf("rename %s to %s", results.Code(x.from), results.Code(x.to)), applied[0],
			x.changeNote(p.Folders, x.meant(p, lookups[0])[0], lookups[0], edges[0], applied[0])+x.unchangedText(p, edges[0]))
	}
}

// check continues only if one definition fits the old name, and the new name is free.
func (x rename) check(p progress, old, new results.ToolResult) step {
	f := p.Folders
	olds, news := results.Decode[results.LookupResult](&old), results.Decode[results.LookupResult](&new)
	meant := x.meant(p, old)
	switch {
	case !old.OK:
		return failed(f, "I can't rename "+results.Code(x.from), old)
	case len(meant) == 0:
		return answerWith("I did not rename " + results.Code(x.from) + ": there is no such symbol. What has that name:\n\n" +
			f.ListSymbols(olds))
	case len(meant)+olds.Omitted > 1:
		return answerWith(fmt.Sprintf("I did not rename %s: the name has %s. Say which one, as in %s.\n\n%s",
			results.Code(x.from), results.Count(len(meant)+olds.Omitted, "definition"),
			results.Code("rename "+meant[0].Named(meant)+" to "+x.to),
			f.ListSymbols(results.LookupResult{Items: meant, Omitted: olds.Omitted})))
	case new.OK && len(meant[0].Clashing(news)) > 0:
		return answerWith(fmt.Sprintf("I did not rename %s: %s is taken.\n\n%s", results.Code(x.from), results.Code(x.to),
			f.ListSymbols(results.LookupResult{Items: definitions(meant[0].Clashing(news)), Omitted: news.Omitted})))
	case !new.OK && new.Code != "not_found":
		return failed(f, "It is unknown whether "+results.Code(x.to)+" is free", new)
	}
	item := meant[0]
	places := args{"canon": item.Canon, "file": item.File, "direction": "occurrences", "limit": maxOccurrences}
	calls := []llm.Call{
		callTool("code_item_edges", places),
		callTool("search_text", args{"pattern": `\b` + regexp.QuoteMeta(x.name()) + `\b`, "include": notLocked}),
	}
	if item.Kind == "method" {
		calls = append(calls, relations["implementers"].call(item, foundEdges))
		for _, s := range item.Namesakes(olds) {
			calls = append(calls, relations["implementers"].call(s, foundEdges))
		}
	}
	return step{calls: calls}
}

// meant returns the definitions that fit the old name.
func (x rename) meant(p progress, old results.ToolResult) []results.Symbol {
	all := results.Decode[results.LookupResult](&old)
	fitting := slices.DeleteFunc(all.All(), func(s results.Symbol) bool {
		return !named(s, x.from) || x.file != "" && !s.InFile(x.file)
	})
	found := results.Distinct(definitions(results.Public(exact(p.ofKind(fitting, x.name()), x.from))))
	return slices.DeleteFunc(slices.Clone(found), func(s results.Symbol) bool {
		return slices.ContainsFunc(found,
			s.Declares)
	})
}

// declared returns the declarations of a symbol in files of declarations alone, which are renamed with it; none if they
// may be of another symbol with the same address.
func (x rename) declared(item results.Symbol, old results.ToolResult) []results.Symbol {
	var found []results.Symbol
	for _, s := range results.Distinct(definitions(results.Decode[results.LookupResult](&old).All())) {
		switch {
		case s.Declares(item):
			found = append(found, s)
		case results.PlainCanon(s.Canon) == results.PlainCanon(item.Canon) && s.Path() != item.Path() &&
			!results.IsTest(s.Path()):
			return nil
		}
	}
	return found
}

// exact returns the symbols that have a qualified name as their whole address, or all if none has.
func exact(items []results.Symbol, name string) []results.Symbol {
	whole := slices.DeleteFunc(slices.Clone(items),
		func(s results.Symbol) bool { return results.PlainCanon(s.Canon) != name })
	if strings.Contains(name, "::") && len(whole) > 0 {
		return whole
	}
	return items
}

// named reports whether from is the symbol's address or a suffix of it, behind the names of its package and its file.
func named(s results.Symbol, from string) bool {
	canon := results.PlainCanon(s.Canon)
	if s.Name == from || s.Canon == from || canon == from || strings.HasSuffix(canon, "::"+from) {
		return true
	}
	owner, rest, ok := strings.Cut(from, "::")
	return ok && s.Within(owner) && named(s, rest)
}

// edit renames the symbol, or nothing if some places can't be listed.
func (x rename) edit(p progress, old results.ToolResult, edges []results.ToolResult) step {
	f, found := p.Folders, results.Decode[results.EdgesResult](&edges[0])
	switch {
	case !edges[0].OK:
		return failed(f, "The places of "+results.Code(x.from)+" could not be listed", edges[0])
	case found.Partial:
		return answerWith("I did not rename " + results.Code(x.from) +
			": the index is still being built, so places could be " +
			"missed. Try again when it is ready.")
	case found.Omitted > 0:
		return answerWith(fmt.Sprintf("I did not rename %s: it occurs in %d places, more than I can change at once.",
			results.Code(x.from), len(found.Edges)+found.Omitted))
	case len(found.Edges) == 0:
		return answerWith("I did not rename " + results.Code(x.from) + ": no place of it was found.")
	}
	item := x.meant(p, old)[0]
	if of := item.Implements(results.Decode[results.LookupResult](&old), edges); of != nil && x.implementers != "only" {
		return x.askWhetherImplemented(item, *of)
	}
	renamed := append([]results.Symbol{item}, x.declared(item, old)...)
	if len(edges) > 1 && x.implementers != "only" {
		others := implementing(item, results.Decode[results.EdgesResult](&edges[1]))
		if len(others) > 0 && x.implementers == "" {
			return x.askWhetherOthers(f, item, others)
		}
		renamed = append(renamed, others...)
	}
	left, calls := x.leftCalls(item, old, edges)
	switch {
	case len(calls) > 0:
		return step{calls: calls}
	case len(left) > 0:
		return x.askWhetherWhole(f, item, left)
	}
	var all []args
	for _, s := range renamed {
		all = append(all, args{"mode": "rename", "file": s.File, "canon": s.Canon, "kind": s.Kind, "new_name": x.to})
	}
	return step{calls: []llm.Call{
		callTool("apply_code_edit", args{"edits": all, "reason": "rename " + x.from + " to " + x.to}),
	}}
}

// askWhetherImplemented asks whether a method is renamed with what it implements.
func (x rename) askWhetherImplemented(item, of results.Symbol) step {
	name := results.Dotted(of.Canon)
	return answerWith(fmt.Sprintf("I changed nothing yet: %s implements %s. Say %s, or %s.\n",
		results.Code(results.Dotted(item.Canon)),
		results.Code(name), results.Code("rename "+name+" and its implementers to "+x.to),
		results.Code("rename only "+results.Dotted(item.Canon)+" to "+x.to)))
}

// implementing returns the methods that implement one, each once.
func implementing(item results.Symbol, found results.EdgesResult) (others []results.Symbol) {
	for _, e := range found.Edges {
		if e.Target == nil || !e.Sure() || e.Target.Canon == item.Canon && e.Target.File == item.File {
			continue
		}
		s := results.Symbol{ID: fmt.Sprintf("%s#%d:%d", e.Target.File, e.Target.Line, e.Target.Line), Canon: e.Target.Canon,
			File: e.Target.File, Kind: "method"}
		if !slices.ContainsFunc(others, func(o results.Symbol) bool { return o.ID == s.ID }) {
			others = append(others, s)
		}
	}
	return others
}

// askWhetherOthers asks whether a method is renamed with those that implement it.
func (x rename) askWhetherOthers(f results.Folders, item results.Symbol, others []results.Symbol) step {
	name := results.Dotted(item.Canon)
	listed := others[:min(results.FurtherPlaces, len(others))]
	return answerWith(fmt.Sprintf("I changed nothing yet: %s is implemented by %s. Say %s, or %s.\n\n%s",
		results.Code(name), results.Count(len(others), "method"),
		results.Code("rename "+name+" and its implementers to "+x.to),
		results.Code("rename only "+name+" to "+x.to),
		f.ListSymbols(results.LookupResult{Items: listed, Omitted: len(others) - len(listed)})))
}

// leftCalls returns the calls of the old name that a rename would leave, though nothing shows that they mean another
// symbol. edges are those that [rename.check] asked for, and then those of this function's own calls: until these are
// made, it returns them.
func (x rename) leftCalls(item results.Symbol, old results.ToolResult,
	edges []results.ToolResult) (left []results.Edge, calls []llm.Call) {
	named := results.Decode[results.LookupResult](&old)
	asked := 1
	if item.Kind == "method" {
		asked += 1 + len(item.Namesakes(named))
	}
	left = item.CallsOf(x.name(), edges[0])
	switch {
	case x.implementers == "only" || !slices.Contains(results.Callables, item.Kind) || len(left) == 0:
		return nil, nil
	case len(edges) > asked:
		return results.Unknown(left, edges[asked:]), nil
	}
	calls = []llm.Call{relations["references"].call(item, maxOccurrences)}
	for _, s := range results.Distinct(definitions(named.All())) {
		if s.ID != item.ID && !s.Declares(item) && s.Name == x.name() && results.SameLanguage(s.Path(), item.Path()) &&
			len(calls) < maxNamesakes {
			calls = append(calls, relations["references"].call(s, maxOccurrences))
		}
	}
	return nil, calls
}

// askWhetherWhole asks whether calls that may mean a symbol are left.
func (x rename) askWhetherWhole(f results.Folders, item results.Symbol, left []results.Edge) step {
	name, verb := results.Dotted(item.Canon), "are"
	if len(left) == 1 {
		verb = "is"
	}
	return answerWith(fmt.Sprintf("I changed nothing yet: %s of that name %s not known to mean %s, and would stay as %s. "+
		"Say %s to rename what is known, and change the others by hand.\n\n", results.Count(len(left), "call"), verb,
		results.Code(name), results.Code(x.name()), results.Code("rename only "+name+" to "+x.to)) +
		f.ListLines(left, listedEdges))
}

// changeNote returns a sentence on the kinds of renamed places, and lists those that may mean a namesake.
func (x rename) changeNote(f results.Folders, item results.Symbol, old, r, applied results.ToolResult) string {
	left, places, by := "", 0, ""
	for _, e := range results.Decode[stagedResult](&applied).Edits {
		for _, place := range e.Left {
			left += fmt.Sprintf("- %s:%d: %s\n", f.Rel(place.File), place.Line, results.Code(strings.TrimSpace(place.Text)))
		}
		if e.LeftOmitted > 0 {
			left += fmt.Sprintf("- and %d more\n", e.LeftOmitted)
		}
		places, by = places+len(e.Left)+e.LeftOmitted, cmp.Or(by, e.By)
	}
	note := "The places were found by name, so look through them."
	why := "which may mean a namesake, since the text does not show which is meant"
	if by != "" {
		note, why = "The places are those of "+by+".", "which looks like a use, but not to "+by
	}
	for _, s := range x.declared(item, old) {
		note += " Its declaration at " + f.Location(s.ID) + " is renamed, too."
	}
	if slices.ContainsFunc(results.Decode[results.EdgesResult](&r).Edges,
		func(e results.Edge) bool { return e.Kind == "doc" }) {
		note += " The symbol's own doc comment is changed, too."
	}
	hides := unicode.IsUpper([]rune(x.name())[0]) && unicode.IsLower([]rune(x.to)[0])
	if hides && slices.ContainsFunc(results.Decode[stagedResult](&applied).Files, isGo) {
		note += " **Other packages can't see " + results.Code(x.to) + ":** in Go, their names begin with a capital."
	}
	if foreign := x.fitsElsewhere(item); foreign != "" {
		note += "\n\n**Perhaps it is not whole:** " + foreign
	}
	if left != "" {
		note += "\n\n**Perhaps it is not whole:** the old name stays in " + results.Count(places, "place") + ", " +
			why + ":\n\n" + strings.TrimSuffix(left, "\n")
	}
	return note + "\n"
}

// fitsElsewhere says what of other modules may need a method's old name, "" for nothing. They are not in the index.
func (x rename) fitsElsewhere(item results.Symbol) string {
	switch {
	case item.Kind != "method" || !results.IsGoFile(item.Path()):
		return ""
	case !strings.HasPrefix(item.Signature, "func"):
		return "types of other modules that implement " + results.Code(results.Dotted(item.Owner())) + " have " +
			results.Code(x.name()) +
			", and no longer fit."
	case lexicon.Wanted[x.name()]:
		return "interfaces of the standard library want a method " + results.Code(x.name()) + "."
	}
	return ""
}

func isGo(f stagedFile) bool { return results.IsGoFile(f.File) }

// unchangedText lists the lines that contain the name but are not changed, such as
// other comments and strings. Only a reader can judge them.
func (x rename) unchangedText(p progress, occurrences results.ToolResult) string {
	renamed := results.Lines(results.Decode[results.EdgesResult](&occurrences).Edges)
	var b strings.Builder
	for _, r := range p.of("search_text") {
		found := results.Decode[searchedText](&r)
		if !r.OK {
			return "\nComments that name it could not be listed: " + r.Error + ".\n"
		}
		for _, m := range found.Matches {
			if place := fmt.Sprintf("%s:%d", m.File, m.Line); !renamed[place] {
				fmt.Fprintf(&b, "- %s:%d: %s\n", p.Rel(m.File), m.Line, results.Code(strings.TrimSpace(m.Text)))
			}
		}
		if found.Omitted > 0 {
			fmt.Fprintf(&b, "- perhaps more: %s were not looked at\n", results.Count(found.Omitted, "line"))
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "\nLeft as they are, for you to judge: other comments, strings and text that name it.\n\n" + b.String()
}

type searchedText struct {
	Matches []results.Edge
	Omitted int
}
