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
)

const (
	subjects    = 3    // maximum number of namesakes that are answered for
	foundEdges  = 600  // maximum number of edges of all of them
	listedEdges = 20   // maximum number of places that are all listed
	firstEdges  = 10   // number of listed places if there are more; the others are counted by file
	certain     = 0.65 // confidence from which a place does not only share the name
	cutLine     = 200  // bytes from which an edge's line may be cut
	longestLine = 120  // maximum number of bytes of a line in a list
)

// relation lists what a symbol is connected to.
type relation struct {
	target
	about string // a key of relations
	weak  bool   // the name may as well be an ordinary word
}

// relationOf is one way to be connected.
type relationOf struct {
	direction string          // of code_item_edges
	verb      string          // with the place's symbol as its subject
	none      string          // with the symbol
	outward   bool            // the subject is the symbol, and the object is at the place
	keep      func(edge) bool // nil for all
	kinds     [][]string      // of symbols that are meant: the first kinds that there are
}

var (
	callables = []string{"function", "method", "constructor", "macro"}
	classes   = []string{"class", "struct", "type", "enum"}
	abstract  = []string{"interface", "trait"}
)

var relations = map[string]relationOf{
	"callers": {direction: "callers", verb: "calls", none: "No calls of %s were found", kinds: [][]string{callables,
		classes}},
	"references": {direction: "references", verb: "uses", none: "No uses of %s were found"},
	"importers": {direction: "references", verb: "imports", none: "No import that names %s was found",
		keep: func(e edge) bool { return e.Kind == "import" }, kinds: [][]string{slices.Concat(classes, abstract),
			{"function",
				"macro"}}},
	"implementers": {direction: "implementers", verb: "implements", none: "No implementations of %s were found",
		kinds: [][]string{abstract, classes, callables}},
	"tests": {direction: "references", verb: "uses", none: "No test that names %s was found", keep: edge.inTest},
	"callees": {direction: "callees", verb: "calls", none: "%s calls nothing that is declared", outward: true,
		kinds: [][]string{callables, classes}, keep: edge.isCall},
	"dependencies": {direction: "callees", verb: "uses", none: "%s uses nothing that is declared", outward: true},
	"supertypes": {direction: "callees", verb: "extends", none: "%s names no type that it extends and that is declared",
		outward: true, kinds: [][]string{classes, abstract},
		keep: func(e edge) bool { return e.Kind == "inherit" }},
}

func (e edge) isCall() bool { return e.Kind == "call" }

func (e edge) inTest() bool {
	return isTest(e.File) || strings.HasPrefix(e.From, "tests::") // as a module of the file in Rust
}

func (x relation) next(p progress) step {
	x.mostUsed = x.about == "callers" && !strings.Contains(x.name, "::")
	found, calls := x.resolve(p)
	switch {
	case calls != nil:
		return step{calls: calls}
	case len(found.items) == 0 && x.weak && x.about == "references" && lexicon.Keywords[x.name]:
		return grep{pattern: `\b` + x.name + `\b`, said: x.name}.next(p)
	case len(found.items) == 0 && (x.about == "references" || x.about == "importers") && (x.weak ||
		found.failure.Code == "not_found"):
		return x.importsOr(found.failure).next(p)
	case len(found.items) == 0 && x.weak:
		return question{}.next(p)
	case len(found.items) == 0 && x.about == "implementers" && found.failure.Code == "not_found":
		return x.byText(found.failure).next(p)
	case len(found.items) == 0:
		return x.orSearch(p, found.failure)
	case x.about == "implemented":
		return x.implemented(found).next(p)
	}
	how := relations[x.about]
	meant := how.meant(found.items)
	asked := meant[:min(subjects, len(meant))]
	edges := p.of("code_item_edges")
	if len(edges) == 0 {
		for _, s := range asked {
			calls = append(calls, how.call(s, foundEdges/len(asked)))
		}
		return step{calls: calls}
	}
	if x.about == "importers" {
		if lexicon.AsksTests(p.message) {
			how.keep = func(e edge) bool { return e.Kind == "import" && e.inTest() }
		}
		if how.without(edges) || len(p.of("search_text")) > 0 || slices.ContainsFunc(edges, omits) {
			g := importing(x.name)
			g.otherwise = said(fmt.Sprintf(how.none+" in the workspace. ", code(x.name)) + withoutImport(p.folders, edges))
			return g.next(p)
		}
	}
	places := how.answer(p.folders, asked, edges)
	if x.about == "importers" {
		places += withoutImport(p.folders, edges)
	}
	if x.about == "tests" && how.without(edges) {
		named, calls := x.testsByName(p)
		if calls != nil {
			return step{calls: calls}
		}
		places = cmp.Or(named, places)
	}
	return answerWith(places + x.note(found) +
		p.otherNamesakes(lookupResult{Items: meant[len(asked):], Omitted: found.omitted}) +
		"The index finds places by their names. It does not compile the code.\n")
}

// omits reports whether edges are left out.
func omits(r toolResult) bool { return decode[edgesResult](&r).Omitted > 0 }

// withoutImport says which files use symbols and have no import that names them.
func withoutImport(f folders, edges []toolResult) string {
	uses, importing := map[string]bool{}, map[string]bool{}
	for _, r := range edges {
		for _, e := range decode[edgesResult](&r).Edges {
			if uses[e.File] = true; e.Kind == "import" {
				importing[e.File] = true
			}
		}
	}
	var others []string
	for _, file := range slices.Sorted(maps.Keys(uses)) {
		if !importing[file] {
			others = append(others, f.rel(file))
		}
	}
	if len(others) == 0 {
		return ""
	}
	more := ""
	if n := len(others) - subjects; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return "Without such an import, its name is used in " + strings.Join(others[:min(subjects, len(others))],
		", ") + more + ".\n\n"
}

// importsOr finds what imports a module of that name, which the index does not know as a symbol.
func (x relation) importsOr(failure toolResult) instruction {
	g := importing(x.name)
	if g.otherwise = (notDeclared{x.target, failure}); x.weak {
		g.otherwise = question{}
	}
	return g
}

// byText finds what implements a type that is declared outside of the workspace, by the lines that say so.
func (x relation) byText(failure toolResult) instruction {
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
	failure toolResult
}

func (x notDeclared) next(p progress) step { return x.orSearch(p, x.failure) }

// otherNamesakes lists symbols that the answer left out.
func (f folders) otherNamesakes(left lookupResult) string {
	if len(left.Items)+left.Omitted == 0 {
		return ""
	}
	return "The name is also that of:\n\n" + f.listSymbols(left) + "\nTo ask about one of them, name it with its type " +
		"or its file.\n\n"
}

// implemented answers where something is implemented: an interface in its
// implementers, anything else where it is defined.
func (x relation) implemented(found resolved) instruction {
	if kind := found.items[0].Kind; kind == "interface" || kind == "trait" {
		return relation{x.target, "implementers", x.weak}
	}
	return explain{target: x.target, brief: true, weak: x.weak}
}

// meant returns the symbols that can have such a relation, or all if none can.
func (how relationOf) meant(items []symbol) []symbol {
	for _, kinds := range how.kinds {
		meant := slices.DeleteFunc(slices.Clone(items), func(s symbol) bool { return !slices.Contains(kinds, s.Kind) })
		if len(meant) > 0 {
			return meant
		}
	}
	return items
}

func (how relationOf) call(s symbol, limit int) llm.Call {
	return callTool("code_item_edges", args{"canon": s.Canon, "file": s.File, "kind": s.Kind, "direction": how.direction,
		"limit": limit})
}

// answer lists the places that symbols are connected to: the certain ones of each
// symbol, then those that only share the name.
func (how relationOf) answer(f folders, asked []symbol, edges []toolResult) string {
	var sections, none string
	var vague []edge
	unlikely := 0
	for i, r := range edges[:min(len(asked), len(edges))] {
		found := decode[edgesResult](&r)
		places := how.places(found.Edges)
		sure := slices.DeleteFunc(slices.Clone(places), func(e edge) bool { return !e.sure() })
		in := "in the workspace"
		for _, e := range places {
			if !e.sure() {
				in = "for certain"
			}
			if !e.sure() && !slices.ContainsFunc(vague, e.samePlace) {
				vague = append(vague, e)
			}
		}
		switch s := asked[i]; {
		case !r.OK:
			none += "The places of " + code(s.Canon) + " could not be listed: " + r.Error + ".\n\n"
		case len(sure) == 0:
			none += fmt.Sprintf(how.none+" %s. It is the %s at %s.\n\n", code(lexicon.Shown(s.Canon)), in, s.Kind,
				f.location(s.ID))
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
		text += vague[0].quoted()
	}
	if unlikely > 0 && how.keep == nil && len(asked) == 1 {
		text += fmt.Sprintf("%s with that name hardly mean this one.\n\n", count(unlikely, "further place"))
	}
	return text
}

// describe lists the certain places of one symbol, the best one with its code.
func (how relationOf) describe(f folders, s symbol, sure []edge, omitted int) string {
	best := sure[0]
	at := best.location()
	text := fmt.Sprintf("%s, at %s:%d.\n\n%s", how.sentence(s, best), f.rel(at.File), at.Line, best.quoted())
	if len(sure)+omitted == 1 {
		return text
	}
	return text + count(len(sure)+omitted, "place") + " in all:\n\n" + how.list(f, sure, omitted)
}

// listVague lists places that only share the name.
func (how relationOf) listVague(f folders, vague []edge) string {
	switch {
	case len(vague) == 0:
		return ""
	case how.outward:
		return "It also names these, which are outside of the workspace or uncertain:\n\n" + how.list(f, vague, 0)
	}
	return "These have the name, but may mean a namesake:\n\n" + how.list(f, vague, 0)
}

// sure reports whether the place does not only share the name.
func (e edge) sure() bool { return e.Confidence == 0 || e.Confidence >= certain }

func (e edge) samePlace(other edge) bool {
	return e.File == other.File && e.StartByte == other.StartByte
}

// places returns the edges that belong to the relation, those in tests last. Of a symbol's
// own edges those come last that lead out of the workspace.
func (how relationOf) places(edges []edge) []edge {
	kept := slices.DeleteFunc(slices.Clone(edges), func(e edge) bool { return how.keep != nil && !how.keep(e) })
	for i := range kept {
		if e := &kept[i]; how.outward && (e.Target == nil || e.Confidence < certain) {
			e.Target, e.Confidence = nil, min(e.Confidence, certain/2)
			if e.Confidence == 0 {
				e.Confidence = certain / 2
			}
		}
	}
	if !how.outward {
		slices.SortStableFunc(kept, func(a, b edge) int { return order(a.inTest()) - order(b.inTest()) })
	}
	return kept
}

// order sorts false before true.
func order(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (how relationOf) sentence(s symbol, e edge) string {
	if how.outward {
		return code(lexicon.Shown(s.Canon)) + " " + how.verb + " " + code(lexicon.Shown(e.object()))
	}
	return code(lexicon.Shown(e.subject())) + " " + how.verb + " " + code(lexicon.Shown(s.Canon))
}

// subject returns the symbol or the file that names another one.
func (e edge) subject() string {
	switch {
	case e.Target != nil: // the type that implements
		return e.Target.Canon
	case e.From != "":
		return e.From
	}
	return base(e.File)
}

// object returns the symbol that is named.
func (e edge) object() string {
	if e.Target != nil {
		return e.Target.Canon
	}
	return e.Name
}

// location returns the edge, or the declaration that it leads to.
func (e edge) location() edgeTarget {
	if e.Target != nil {
		return *e.Target
	}
	return edgeTarget{File: e.File, Line: e.Line}
}

// quoted returns the line as a snippet, "" if only a part of it is known.
func (e edge) quoted() string {
	if e.Text == "" || len(e.Text) >= cutLine {
		return ""
	}
	return snippet(e.File, e.Line, e.Text)
}

// note says which name was taken if it is not the one that was asked for.
func (t target) note(found resolved) string {
	if t.name == found.as || t.name == "" || found.items[0].within(strings.Split(t.name, "::")[0]) &&
		strings.HasSuffix(t.name, "::"+found.as) {
		return ""
	}
	return "There is no " + code(t.name) + ", so this is about " + code(found.as) + ".\n\n"
}

// orSearch reports what was not found. If nothing comes close, it searches for it.
func (t target) orSearch(p progress, r toolResult) step {
	searches := p.of("request_code_context")
	if len(r.Candidates) == 0 && len(searches) == 0 {
		return step{calls: []llm.Call{callTool("request_code_context", args{"token_budget": contextTokens,
			"hint": t.String()})}}
	}
	text := p.missing(t, r)
	for _, s := range searches {
		if found := decode[searchResult](&s); s.OK && len(found.Results) > 0 {
			text += "\nA search for it found this instead. " + p.quote(found, t.String())
		}
	}
	return answerWith(text)
}
