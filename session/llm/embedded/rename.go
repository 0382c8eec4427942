package embedded

import (
	"fmt"
	"path/filepath"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/conventions"
	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/modules"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// maxOccurrences is the maximum number of places that code_item_edges lists.
const maxOccurrences = 1000

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
		return p.staged(fmt.Sprintf("rename %s to %s", code(x.from), code(x.to)), applied[0],
			x.changeNote(p.folders, x.meant(p, lookups[0])[0], lookups[0], edges[0], applied[0])+x.unchangedText(p, edges[0]))
	}
}

// check continues only if one definition fits the old name, and the new name is free.
func (x rename) check(p progress, old, new toolResult) step {
	f := p.folders
	olds, news := decode[lookupResult](&old), decode[lookupResult](&new)
	meant := x.meant(p, old)
	switch {
	case !old.OK:
		return failed(f, "I can't rename "+code(x.from), old)
	case len(meant) == 0:
		return answerWith("I did not rename " + code(x.from) + ": there is no such symbol. What has that name:\n\n" +
			f.listSymbols(olds))
	case len(meant)+olds.Omitted > 1:
		return answerWith(fmt.Sprintf("I did not rename %s: the name has %s. Say which one, as in %s.\n\n%s",
			code(x.from), count(len(meant)+olds.Omitted, "definition"), code("rename "+meant[0].named(meant)+" to "+x.to),
			f.listSymbols(lookupResult{Items: meant, Omitted: olds.Omitted})))
	case new.OK && len(meant[0].clashing(news)) > 0:
		return answerWith(fmt.Sprintf("I did not rename %s: %s is taken.\n\n%s", code(x.from), code(x.to),
			f.listSymbols(lookupResult{Items: definitions(meant[0].clashing(news)), Omitted: news.Omitted})))
	case !new.OK && new.Code != "not_found":
		return failed(f, "It is unknown whether "+code(x.to)+" is free", new)
	}
	item := meant[0]
	places := args{"canon": item.Canon, "file": item.File, "direction": "occurrences", "limit": maxOccurrences}
	calls := []llm.Call{
		callTool("code_item_edges", places),
		callTool("search_text", args{"pattern": `\b` + regexp.QuoteMeta(x.name()) + `\b`}),
	}
	if item.Kind == "method" {
		calls = append(calls, relations["implementers"].call(item, foundEdges))
		for _, s := range item.namesakes(olds) {
			calls = append(calls, relations["implementers"].call(s, foundEdges))
		}
	}
	return step{calls: calls}
}

// clashing returns the symbols that have a name which s is to have: of members those of the same type, of others those
// that are no members. Packages of Go have names of their own.
func (s symbol) clashing(named lookupResult) []symbol {
	return slices.DeleteFunc(public(named.all()), func(other symbol) bool {
		return other.owner() != s.owner() ||
			s.owner() == "" && isGoFile(s.path()) && filepath.Dir(other.path()) != filepath.Dir(s.path())
	})
}

// namesakes returns the methods of other types that a method may implement.
func (s symbol) namesakes(named lookupResult) []symbol {
	others := slices.DeleteFunc(named.all(), func(other symbol) bool {
		return other.Kind != "method" || other.owner() == s.owner() || filepath.Ext(other.path()) != filepath.Ext(s.path())
	})
	return others[:min(subjects, len(others))]
}

// owner returns the address of what a symbol is declared in, "" for a file.
func (s symbol) owner() string {
	canon := plainCanon(s.Canon)
	return canon[:max(0, strings.LastIndex(canon, "::"))]
}

// meant returns the definitions that fit the old name.
func (x rename) meant(p progress, old toolResult) []symbol {
	all := decode[lookupResult](&old)
	fitting := slices.DeleteFunc(all.all(), func(s symbol) bool {
		return !named(s, x.from) || x.file != "" && !s.inFile(x.file)
	})
	found := distinct(definitions(public(exact(p.ofKind(fitting, x.name()), x.from))))
	return slices.DeleteFunc(slices.Clone(found), func(s symbol) bool { return slices.ContainsFunc(found, s.declares) })
}

// declared returns the declarations of a symbol in files of declarations alone, which are renamed with it; none if they
// may be of another symbol with the same address.
func (x rename) declared(item symbol, old toolResult) []symbol {
	var found []symbol
	for _, s := range distinct(definitions(decode[lookupResult](&old).all())) {
		switch {
		case s.declares(item):
			found = append(found, s)
		case plainCanon(s.Canon) == plainCanon(item.Canon) && s.path() != item.path() && !isTest(s.path()):
			return nil
		}
	}
	return found
}

// declares reports whether a symbol only declares another one, in a file that has no code: what has the same address,
// such as a method in a .d.ts next to that of a class in JavaScript.
func (s symbol) declares(other symbol) bool {
	return conventions.Declaring.MatchString(s.path()) && !conventions.Declaring.MatchString(other.path()) &&
		plainCanon(s.Canon) == plainCanon(other.Canon) && s.Name == other.Name
}

// exact returns the symbols that have a qualified name as their whole address, or all if none has.
func exact(items []symbol, name string) []symbol {
	whole := slices.DeleteFunc(slices.Clone(items), func(s symbol) bool { return plainCanon(s.Canon) != name })
	if strings.Contains(name, "::") && len(whole) > 0 {
		return whole
	}
	return items
}

// dotted returns an address as people write it.
func dotted(canon string) string { return strings.ReplaceAll(plainCanon(canon), "::", ".") }

// named reports whether from is the symbol's address or a suffix of it, behind the names of its package and its file.
func named(s symbol, from string) bool {
	canon := plainCanon(s.Canon)
	if s.Name == from || s.Canon == from || canon == from || strings.HasSuffix(canon, "::"+from) {
		return true
	}
	owner, rest, ok := strings.Cut(from, "::")
	return ok && s.within(owner) && named(s, rest)
}

func (f folders) listSymbols(found lookupResult) string {
	var b strings.Builder
	for _, s := range found.all() {
		b.WriteString(f.listed(s))
	}
	if found.Omitted > 0 {
		fmt.Fprintf(&b, "- and %d more\n", found.Omitted)
	}
	return b.String()
}

// edit renames the symbol, or nothing if some places can't be listed.
func (x rename) edit(p progress, old toolResult, edges []toolResult) step {
	f, found := p.folders, decode[edgesResult](&edges[0])
	switch {
	case !edges[0].OK:
		return failed(f, "The places of "+code(x.from)+" could not be listed", edges[0])
	case found.Partial:
		return answerWith("I did not rename " + code(x.from) + ": the index is still being built, so places could be " +
			"missed. Try again when it is ready.")
	case found.Omitted > 0:
		return answerWith(fmt.Sprintf("I did not rename %s: it occurs in %d places, more than I can change at once.",
			code(x.from), len(found.Edges)+found.Omitted))
	case len(found.Edges) == 0:
		return answerWith("I did not rename " + code(x.from) + ": no place of it was found.")
	}
	item := x.meant(p, old)[0]
	if of := item.implements(decode[lookupResult](&old), edges); of != nil && x.implementers != "only" {
		return x.askWhetherImplemented(item, *of)
	}
	renamed := append([]symbol{item}, x.declared(item, old)...)
	if len(edges) > 1 && x.implementers != "only" {
		others := implementing(item, decode[edgesResult](&edges[1]))
		if len(others) > 0 && x.implementers == "" {
			return x.askWhetherOthers(f, item, others)
		}
		renamed = append(renamed, others...)
	}
	var all []args
	for _, s := range renamed {
		all = append(all, args{"mode": "rename", "file": s.File, "canon": s.Canon, "kind": s.Kind, "new_name": x.to})
	}
	return step{calls: []llm.Call{
		callTool("apply_code_edit", args{"edits": all, "reason": "rename " + x.from + " to " + x.to}),
	}}
}

// implements returns a method that s implements, with those that check asked for, nil for none.
func (s symbol) implements(named lookupResult, edges []toolResult) *symbol {
	for i, other := range s.namesakes(named) {
		if at := i + 2; at < len(edges) && slices.ContainsFunc(decode[edgesResult](&edges[at]).Edges, func(e edge) bool {
			return e.sure() && e.Target != nil && e.Target.Canon == s.Canon && e.Target.File == s.path()
		}) {
			return &other
		}
	}
	return nil
}

// askWhetherImplemented asks whether a method is renamed with what it implements.
func (x rename) askWhetherImplemented(item, of symbol) step {
	name := dotted(of.Canon)
	return answerWith(fmt.Sprintf("I changed nothing yet: %s implements %s. Say %s, or %s.\n", code(dotted(item.Canon)),
		code(name), code("rename "+name+" and its implementers to "+x.to),
		code("rename only "+dotted(item.Canon)+" to "+x.to)))
}

// implementing returns the methods that implement one, each once.
func implementing(item symbol, found edgesResult) (others []symbol) {
	for _, e := range found.Edges {
		if e.Target == nil || !e.sure() || e.Target.Canon == item.Canon && e.Target.File == item.File {
			continue
		}
		s := symbol{ID: fmt.Sprintf("%s#%d:%d", e.Target.File, e.Target.Line, e.Target.Line), Canon: e.Target.Canon,
			File: e.Target.File, Kind: "method"}
		if !slices.ContainsFunc(others, func(o symbol) bool { return o.ID == s.ID }) {
			others = append(others, s)
		}
	}
	return others
}

// askWhetherOthers asks whether a method is renamed with those that implement it.
func (x rename) askWhetherOthers(f folders, item symbol, others []symbol) step {
	name := dotted(item.Canon)
	listed := others[:min(furtherPlaces, len(others))]
	return answerWith(fmt.Sprintf("I changed nothing yet: %s is implemented by %s. Say %s, or %s.\n\n%s",
		code(name), count(len(others), "method"), code("rename "+name+" and its implementers to "+x.to),
		code("rename only "+name+" to "+x.to),
		f.listSymbols(lookupResult{Items: listed, Omitted: len(others) - len(listed)})))
}

// changeNote returns a sentence on the kinds of renamed places, and lists those that may mean a namesake.
func (x rename) changeNote(f folders, item symbol, old, r, applied toolResult) string {
	note := "The places were found by name, so look through them."
	for _, s := range x.declared(item, old) {
		note += " Its declaration at " + f.location(s.ID) + " is renamed, too."
	}
	if slices.ContainsFunc(decode[edgesResult](&r).Edges, func(e edge) bool { return e.Kind == "doc" }) {
		note += " The symbol's own doc comment is changed, too."
	}
	hides := unicode.IsUpper([]rune(x.name())[0]) && unicode.IsLower([]rune(x.to)[0])
	if hides && slices.ContainsFunc(decode[stagedResult](&applied).Files, isGo) {
		note += " **Other packages can't see " + code(x.to) + ":** in Go, their names begin with a capital."
	}
	left, places := "", 0
	for _, e := range decode[stagedResult](&applied).Edits {
		for _, place := range e.Left {
			left += fmt.Sprintf("- %s:%d: %s\n", f.rel(place.File), place.Line, code(strings.TrimSpace(place.Text)))
		}
		if e.LeftOmitted > 0 {
			left += fmt.Sprintf("- and %d more\n", e.LeftOmitted)
		}
		places += len(e.Left) + e.LeftOmitted
	}
	if foreign := x.fitsElsewhere(item); foreign != "" {
		note += "\n\n**Perhaps it is not whole:** " + foreign
	}
	if left != "" {
		note += "\n\n**Perhaps it is not whole:** the old name stays in " + count(places, "place") + ", which may mean a " +
			"namesake, since the text does not show which is meant:\n\n" + strings.TrimSuffix(left, "\n")
	}
	return note + "\n"
}

// fitsElsewhere says what of other modules may need a method's old name, "" for nothing. They are not in the index.
func (x rename) fitsElsewhere(item symbol) string {
	switch {
	case item.Kind != "method" || !isGoFile(item.path()):
		return ""
	case !strings.HasPrefix(item.Signature, "func"):
		return "types of other modules that implement " + code(dotted(item.owner())) + " have " + code(x.name()) +
			", and no longer fit."
	case lexicon.Wanted[x.name()]:
		return "interfaces of the standard library want a method " + code(x.name()) + "."
	}
	return ""
}

func isGoFile(path string) bool { return filepath.Ext(path) == ".go" }

func isGo(f stagedFile) bool { return isGoFile(f.File) }

// unchangedText lists the lines that contain the name but are not changed, such as
// other comments and strings. Only a reader can judge them.
func (x rename) unchangedText(p progress, occurrences toolResult) string {
	renamed := map[string]bool{}
	for _, e := range decode[edgesResult](&occurrences).Edges {
		renamed[fmt.Sprintf("%s:%d", e.File, e.Line)] = true
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

// attribute renames what methods of a class set on their object, where the text shows that it is the class's, with what
// declares it in files of declarations alone. It reports false if the old name is that of another symbol.
func (x rename) attribute(p progress, lookups []toolResult) (s step, ok bool) {
	old := lookups[0]
	if !strings.Contains(x.from, "::") || !old.OK && old.Code != "not_found" {
		return step{}, false
	}
	declared := x.meant(p, old)
	if slices.ContainsFunc(declared, func(s symbol) bool {
		return !conventions.Declaring.MatchString(s.path()) ||
			s.Kind == "method"
	}) {
		return step{}, false
	}
	s = x.attributeOf(p, lookups, declared)
	return s, s.text != "" || len(s.calls) > 0
}

// attributeOf returns the next step for an attribute, an empty one if no class sets it that is declared.
func (x rename) attributeOf(p progress, lookups []toolResult, declared []symbol) step {
	owner := x.from[:strings.LastIndex(x.from, "::")]
	if len(lookups) == 2 {
		return step{calls: []llm.Call{callTool("code_item_lookup", args{"name": owner})}}
	}
	found := decode[lookupResult](&lookups[2])
	types := slices.DeleteFunc(definitions(found.all()), func(s symbol) bool {
		return !slices.Contains(classes, s.Kind) || !modules.HasAttributes(s.path()) || x.file != "" && !s.inFile(x.file)
	})
	types = slices.DeleteFunc(types, func(s symbol) bool { return conventions.Declaring.MatchString(s.path()) })
	if len(types) != 1 {
		return step{}
	}
	first, last := types[0].withDoc()
	of := modules.Attribute{Class: types[0].Name, Name: x.name(), File: types[0].path(), First: first, Last: last}
	searches, applied := p.of("search_text"), p.of("apply_code_edit")
	if len(searches) == 0 && len(p.of("code_item_edges")) == 0 {
		return step{calls: []llm.Call{callTool("search_text", args{"pattern": of.Pattern(x.to), "limit": replacedLines,
			"include": modules.Sources(of.File)})}}
	}
	lines := decode[countedText](&searches[0])
	var places []modules.Place
	for _, m := range lines.Matches {
		places = append(places, modules.Place{File: m.File, Line: m.Line, Text: m.Text})
	}
	named, others, sets := of.Places(places)
	switch {
	case !searches[0].OK:
		return p.failed("I did not rename "+code(dotted(x.from)), searches[0])
	case lines.Omitted > 0:
		return answerWith(fmt.Sprintf("I did not rename %s: %s may name it, more than I look at.\n", code(dotted(x.from)),
			count(len(places)+lines.Omitted, "line")))
	case !sets && len(declared) > 0:
		return step{}
	case !sets:
		text := fmt.Sprintf("I did not rename %s: there is no such symbol, and no method of the class at %s sets %s "+
			"on its object.",
			code(dotted(x.from)), p.location(types[0].ID), code(x.name()))
		if lookups[0].OK {
			text += " What has that name:\n\n" + p.listSymbols(decode[lookupResult](&lookups[0]))
		}
		return answerWith(text + "\n")
	case of.Takes(places, x.to):
		return answerWith(fmt.Sprintf("I did not rename %s: %s is taken, an attribute of the class, too.\n",
			code(dotted(x.from)),
			code(x.to)))
	case len(others) > listedEdges:
		return answerWith(fmt.Sprintf("I did not rename %s: besides %s that set or read it for certain, "+
			"%s name a %s of objects "+
			"whose class the text does not show, such as %s:%d.\n", code(dotted(x.from)),
			count(len(named), "line"), count(len(others), "line"), code(x.name()), p.rel(others[0].File), others[0].Line))
	case len(applied) > 0:
		note := "The index does not know attributes: these places are those of the class's own methods, " +
			"and of variables that " +
			"are set to a " + code(of.Class) + " in their file.\n"
		if len(others) > 0 {
			note += "\n**Perhaps it is not whole:** what these lines name may be the attribute, too:\n\n"
		}
		for _, place := range others[:min(listedEdges, len(others))] {
			note += fmt.Sprintf("- %s:%d: %s\n", p.rel(place.File), place.Line, code(clip(strings.TrimSpace(place.Text))))
		}
		if more := len(others) - listedEdges; more > 0 {
			note += fmt.Sprintf("- and %d more\n", more)
		}
		return p.staged("rename "+code(dotted(x.from))+" to "+code(x.to), applied[0], note)
	}
	var edits []args
	for _, s := range declared {
		edits = append(edits, args{"mode": "rename", "file": s.File, "canon": s.Canon, "kind": s.Kind, "new_name": x.to})
	}
	for _, place := range named {
		edits = append(edits, args{"mode": "replace", "file": place.File, "line": place.Line, "old": place.Text,
			"new": of.Renamed(place, places, x.to)})
	}
	return step{calls: []llm.Call{callTool("apply_code_edit", args{"edits": edits, "reason": "rename " +
		dotted(x.from) + " to " +
		x.to})}}
}
