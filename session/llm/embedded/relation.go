package embedded

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/results"
)

const (
	foundEdges  = 600 // maximum number of edges of all of them
	listedEdges = 20  // maximum number of places that are all listed
	firstEdges  = 10  // number of listed places if there are more; the others are counted by file
)

// relation lists what a symbol is connected to.
type relation struct {
	target
	about string // a key of relations
	weak  bool   // the name may as well be an ordinary word
}

// relationOf is one way to be connected.
type relationOf struct {
	direction string                  // of code_item_edges
	verb      string                  // with the place's symbol as its subject
	none      string                  // with the symbol
	outward   bool                    // the subject is the symbol, and the object is at the place
	keep      func(results.Edge) bool // nil for all
	kinds     [][]string              // of symbols that are meant: the first kinds that there are
}

var relations = map[string]relationOf{
	"callers": {direction: "callers", verb: "calls", none: "No calls of %s were found", kinds: [][]string{results.Callables,
		results.Classes}},
	"references": {direction: "references", verb: "uses", none: "No uses of %s were found"},
	"importers": {direction: "references", verb: "imports", none: "No import that names %s was found",
		keep: func(e results.Edge) bool { return e.Kind == "import" }, kinds: [][]string{slices.Concat(results.Classes, results.Abstract),
			{"function",
				"macro"}}},
	"implementers": {direction: "implementers", verb: "implements", none: "No implementations of %s were found",
		kinds: [][]string{results.Abstract, results.Classes, results.Callables}},
	"tests": {direction: "references", verb: "uses", none: "No test that names %s was found", keep: results.Edge.InTest},
	"callees": {direction: "callees", verb: "calls", none: "%s calls nothing that is declared", outward: true,
		kinds: [][]string{results.Callables, results.Classes}, keep: results.Edge.IsCall},
	"dependencies": {direction: "callees", verb: "uses", none: "%s uses nothing that is declared", outward: true},
	"supertypes": {direction: "callees", verb: "extends", none: "%s names no type that it extends and that is declared",
		outward: true, kinds: [][]string{results.Classes, results.Abstract},
		keep: func(e results.Edge) bool { return e.Kind == "inherit" }},
}

func (x relation) next(p progress) step {
	if uses, foreign := usesOf(x.name); foreign && len(p.of("code_item_lookup")) == 0 {
		uses.otherwise = declaredHere{x}
		return uses.next(p)
	}
	return declaredHere{x}.next(p)
}

// declaredHere is a relation of what the workspace declares.
type declaredHere struct{ relation }

func (x declaredHere) next(p progress) step {
	x.mostUsed = x.about == "callers" && !strings.Contains(x.name, "::")
	found, calls := x.resolve(p)
	switch {
	case calls != nil:
		return step{calls: calls}
	case len(found.items) == 0:
		return x.notFound(p, found.failure)
	case x.about == "implemented":
		return x.implemented(found).next(p)
	}
	how := relations[x.about]
	meant := results.WithoutPrototypes(how.meant(found.items))
	asked := meant[:min(results.Subjects, len(meant))]
	edges := p.of("code_item_edges")
	if len(edges) == 0 {
		for _, s := range asked {
			calls = append(calls, how.call(s, foundEdges/len(asked)))
		}
		return step{calls: calls}
	}
	if x.about == "importers" {
		if lexicon.AsksTests(p.message) {
			how.keep = func(e results.Edge) bool { return e.Kind == "import" && e.InTest() }
		}
		if how.without(edges) || len(p.of("search_text")) > 0 || slices.ContainsFunc(edges, omits) {
			return x.importersByText(p, how, edges)
		}
	}
	places := how.answer(p.Folders, asked, edges)
	if x.about == "importers" {
		places += withoutImport(p.Folders, edges)
	}
	if (x.about == "callers" || x.about == "references") && unconnected(edges) {
		if len(p.of("search_text")) == 0 {
			return step{calls: []llm.Call{naming(asked[0])}}
		}
		places += unconnectedUses(p, asked[0])
	}
	if x.about == "tests" && how.without(edges) {
		named, calls := x.testsByName(p)
		if calls != nil {
			return step{calls: calls}
		}
		places = cmp.Or(named, places)
	}
	return answerWith(places + x.note(found) +
		p.OtherNamesakes(results.LookupResult{Items: meant[len(asked):], Omitted: found.omitted}) +
		results.FoundBy(edges))
}

// notFound goes on without a symbol of the name.
func (x relation) notFound(p progress, failure results.ToolResult) step {
	unknown := failure.Code == "not_found"
	switch {
	case x.weak && x.about == "references" && lexicon.Keywords[x.name]:
		return grep{pattern: `\b` + x.name + `\b`, said: x.name}.next(p)
	case (x.about == "references" || x.about == "importers") && (x.weak || unknown):
		return x.importsOr(failure).next(p)
	case x.weak:
		return question{}.next(p)
	case x.about == "implementers" && unknown:
		return x.byText(failure).next(p)
	}
	return x.orSearch(p, failure)
}

// importersByText looks for imports by their text, where edges have none or are not all.
func (x relation) importersByText(p progress, how relationOf, edges []results.ToolResult) step {
	g := importing(x.name)
	g.otherwise = said(fmt.Sprintf(how.none+" in the workspace. ", results.Code(x.name)) +
		withoutImport(p.Folders, edges))
	return g.next(p)
}

// omits reports whether edges are left out.
func omits(r results.ToolResult) bool { return results.Decode[results.EdgesResult](&r).Omitted > 0 }

// withoutImport says which files use symbols and have no import that names them.
func withoutImport(f results.Folders, edges []results.ToolResult) string {
	uses, importing := map[string]bool{}, map[string]bool{}
	for _, r := range edges {
		for _, e := range results.Decode[results.EdgesResult](&r).Edges {
			if uses[e.File] = true; e.Kind == "import" {
				importing[e.File] = true
			}
		}
	}
	var others []string
	for _, file := range slices.Sorted(maps.Keys(uses)) {
		if !importing[file] {
			others = append(others, f.Rel(file))
		}
	}
	if len(others) == 0 {
		return ""
	}
	listed := others[:min(results.Subjects, len(others))]
	text := "Without such an import, its name is used in " + strings.Join(listed, ", ")
	if n := len(others) - len(listed); n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text + ".\n\n"
}

// importsOr finds what imports a module of that name, which the index does not know as a symbol.
func (x relation) importsOr(failure results.ToolResult) instruction {
	g := importing(x.name)
	if g.otherwise = (notDeclared{x.target, failure}); x.weak {
		g.otherwise = question{}
	}
	return g
}

// byText finds what implements a type that is declared outside of the workspace, by the lines that say so.
func (x relation) byText(failure results.ToolResult) instruction {
	names := x.names()
	name := regexp.QuoteMeta(names[len(names)-1])
	return grep{said: "implementations of " + x.name, code: true, otherwise: notDeclared{x.target, failure},
		pattern: `\bimpl\b.*\b` + name + `\b.*\bfor\b|\b(?:extends|implements)\b.*\b` + name + `\b|^\s*class \w+\(.*\b` +
			name +
			`\b`}
}

// notDeclared says that a target is not declared in the workspace, and searches for it.
type notDeclared struct {
	target
	failure results.ToolResult
}

func (x notDeclared) next(p progress) step { return x.orSearch(p, x.failure) }

// implemented answers where something is implemented: an interface in its
// implementers, anything else where it is defined.
func (x relation) implemented(found resolved) instruction {
	if kind := found.items[0].Kind; kind == "interface" || kind == "trait" {
		return relation{x.target, "implementers", x.weak}
	}
	return explain{target: x.target, brief: true, weak: x.weak}
}

// meant returns the symbols that can have such a relation, or all if none can.
func (how relationOf) meant(items []results.Symbol) []results.Symbol {
	for _, kinds := range how.kinds {
		meant := slices.DeleteFunc(slices.Clone(items), func(s results.Symbol) bool {
			return !slices.Contains(kinds,
				s.Kind)
		})
		if len(meant) > 0 {
			return meant
		}
	}
	return items
}

func (how relationOf) call(s results.Symbol, limit int) llm.Call {
	return callTool("code_item_edges", args{"canon": s.Canon, "file": s.File, "kind": s.Kind, "direction": how.direction,
		"limit": limit})
}

// answer lists the places that symbols are connected to: the certain ones of each
// symbol, then those that only share the name.
func (how relationOf) answer(f results.Folders, asked []results.Symbol, edges []results.ToolResult) string {
	var sections, none string
	var vague []results.Edge
	unlikely := 0
	for i, r := range edges[:min(len(asked), len(edges))] {
		found := results.Decode[results.EdgesResult](&r)
		places := how.places(found.Edges)
		sure := slices.DeleteFunc(slices.Clone(places), func(e results.Edge) bool { return !e.Sure() })
		in := "in the workspace"
		for _, e := range places {
			if !e.Sure() {
				in = "for certain"
			}
			if !e.Sure() && !slices.ContainsFunc(vague, e.SamePlace) {
				vague = append(vague, e)
			}
		}
		switch s := asked[i]; {
		case !r.OK:
			none += "The places of " + results.Code(s.Canon) + " could not be listed: " + r.Error + ".\n\n"
		case len(sure) == 0:
			none += fmt.Sprintf(how.none+" %s. It is the %s at %s.\n\n", results.Code(lexicon.Shown(s.Canon)), in, s.Kind,
				f.Location(s.ID))
		default:
			sections += how.describe(f, s, sure, found.Omitted)
		}
		if found.Partial {
			none += "The index is still being built, so places may be missing: try again when it is ready.\n\n"
		}
		unlikely += found.Unlikely
	}
	text := sections + none + how.listVague(f, vague)
	if sections == "" && len(vague) > 0 {
		text += vague[0].Quoted()
	}
	if unlikely > 0 && how.keep == nil && len(asked) == 1 {
		text += fmt.Sprintf("%s with that name hardly mean this one.\n\n", results.Count(unlikely, "further place"))
	}
	return text
}

// describe lists the certain places of one symbol, the best one with its code.
func (how relationOf) describe(f results.Folders, s results.Symbol, sure []results.Edge, omitted int) string {
	best := sure[0]
	at := best.Location()
	text := fmt.Sprintf("%s, at %s:%d.\n\n%s", how.sentence(s, best), f.Rel(at.File), at.Line, best.Quoted())
	if len(sure)+omitted == 1 {
		return text
	}
	return text + results.Count(len(sure)+omitted, "place") + " in all:\n\n" + how.list(f, sure, omitted)
}

// listVague lists places that only share the name.
func (how relationOf) listVague(f results.Folders, vague []results.Edge) string {
	switch {
	case len(vague) == 0:
		return ""
	case how.outward:
		return "It also names these, which are outside of the workspace or uncertain:\n\n" + how.list(f, vague, 0)
	}
	return "These have the name, but may mean a namesake:\n\n" + how.list(f, vague, 0)
}

// places returns the edges that belong to the relation, those in tests last. Of a symbol's
// own edges those come last that lead out of the workspace.
func (how relationOf) places(edges []results.Edge) []results.Edge {
	kept := slices.DeleteFunc(slices.Clone(edges), func(e results.Edge) bool { return how.keep != nil && !how.keep(e) })
	for i := range kept {
		if e := &kept[i]; how.outward && (e.Target == nil || e.Confidence < results.Certain) {
			e.Target, e.Confidence = nil, min(e.Confidence, results.Certain/2)
			if e.Confidence == 0 {
				e.Confidence = results.Certain / 2
			}
		}
	}
	if !how.outward {
		slices.SortStableFunc(kept, func(a,
			b results.Edge) int {
			return results.Order(a.InTest()) - results.Order(b.InTest())
		})
	}
	return kept
}

func (how relationOf) sentence(s results.Symbol, e results.Edge) string {
	if how.outward {
		return results.Code(lexicon.Shown(s.Canon)) + " " + how.verb + " " + results.Code(lexicon.Shown(e.Object()))
	}
	return results.Code(lexicon.Shown(e.Subject())) + " " + how.verb + " " + results.Code(lexicon.Shown(s.Canon))
}

// note says which name was taken if it is not the one that was asked for.
func (t target) note(found resolved) string {
	if t.name == found.as || t.name == "" || found.items[0].Within(strings.Split(t.name, "::")[0]) &&
		strings.HasSuffix(t.name, "::"+found.as) {
		return ""
	}
	return "There is no " + results.Code(t.name) + ", so this is about " + results.Code(found.as) + ".\n\n"
}

// orSearch reports what was not found. If nothing comes close, it searches for it.
func (t target) orSearch(p progress, r results.ToolResult) step {
	searches := p.of("request_code_context")
	if len(r.Candidates) == 0 && len(searches) == 0 {
		return step{calls: []llm.Call{callTool("request_code_context", args{"token_budget": contextTokens,
			"hint": t.String()})}}
	}
	text := t.missing(p, r)
	for _, s := range searches {
		if found := results.Decode[results.SearchResult](&s); s.OK && len(found.Results) > 0 {
			text += "\nA search for it found this instead. " + p.Quote(found, t.String())
		}
	}
	return answerWith(text)
}
