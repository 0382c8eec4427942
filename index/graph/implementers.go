package graph

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"ploke-lsp/index/records"
	"ploke-lsp/index/shards"
	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/internal/syntax"
)

// Structural is the confidence that a Go type implements an interface if it has all of its
// methods, with parameters and results of the same types as far as their texts say.
const Structural = 0.8

// Implementers returns the types that declare to inherit from a type, and the types that
// implement a Go interface. For a method it returns the methods of such types that
// override or implement it. Target is the type or method. The order is that of Incoming.
func (o *Overlay) Implementers(ctx context.Context, of shards.Unit) ([]Edge, error) {
	var edges []Edge
	err := o.resolving(ctx, func(r *resolver) {
		edges = nil
		if self, ok := r.find(of); ok {
			edges = newHierarchy(r).implementers(self)
		}
	})
	if err != nil {
		return nil, fmt.Errorf("looking for what implements %s: %w", of.Canon, err)
	}
	sortEdges(edges)
	return edges, nil
}

// implementer is a type that inherits from another type, or a method that overrides
// another method.
type implementer struct {
	symbol
	ref        syntax.Ref // where the type is named; without a kind: nowhere
	level      float64
	candidates int // see Edge.Candidates
}

// hierarchy finds what inherits from types, implements them, and overrides their methods.
type hierarchy struct {
	*resolver
	shapes map[symbol]shape // see shape
}

func newHierarchy(r *resolver) hierarchy { return hierarchy{r, map[symbol]shape{}} }

func (h hierarchy) implementers(self symbol) (edges []Edge) {
	found := h.implementersOf(self)
	symbols := make([]symbol, len(found))
	for i, f := range found {
		symbols[i] = f.symbol
	}
	units := h.unitsOf(symbols)
	for _, f := range found {
		src, target := h.text(f.Module), units[f.symbol]
		if src == nil || target == nil {
			continue
		}
		if f.ref.Kind == "" {
			f.ref = syntax.Ref{Kind: syntax.RefInherit, Start: target.NameStart, End: target.NameEnd, Line: target.StartLine,
				From: f.symbol.at}
		}
		edges = append(edges,
			Edge{Reference: f.Module.reference(src, &records.LineCounter{Text: src.Text}, f.ref), Target: target,
				Confidence: f.level / float64(max(f.candidates, 1)), Candidates: f.candidates})
	}
	return edges
}

// implementersOf returns what inherits from a symbol, what inherits from that, and so on.
func (h hierarchy) implementersOf(self symbol) (found []implementer) {
	if !isType(self.decl().Kind) {
		return h.overriding(self)
	}
	found = h.direct(self)
	if self.name == "go" && self.decl().Kind == syntax.KindInterface {
		return found // what embeds an implementer may hide a method
	}
	for i := 0; i < len(found) && i < maxInheriting; i++ {
		for _, further := range h.inheriting(found[i].symbol) {
			further.level = min(further.level, found[i].level)
			if further.symbol != self &&
				!slices.ContainsFunc(found, func(known implementer) bool { return known.symbol == further.symbol }) {
				found = append(found, further)
			}
		}
	}
	return found
}

// direct returns what inherits from a type, or implements it, in one step.
func (h hierarchy) direct(self symbol) (found []implementer) {
	found = h.inheriting(self)
	if self.name == "go" && self.decl().Kind == syntax.KindInterface {
		for _, s := range h.structuralImplementers(self) {
			if !slices.ContainsFunc(found, func(known implementer) bool { return known.symbol == s.symbol }) {
				found = append(found, s)
			}
		}
	}
	return found
}

// maxInheriting bounds for how many types it is asked what inherits from them.
const maxInheriting = 100

// overriding returns the methods with a method's name in the types that inherit from its
// type.
func (h hierarchy) overriding(self symbol) (found []implementer) {
	if self.decl().Kind != syntax.KindMethod {
		return nil
	}
	for _, t := range h.enclosingTypes(self.Module, self.at).symbols {
		for _, i := range h.implementersOf(t) {
			for _, method := range h.membersOf(i.symbol, string(self.decl().Name)) {
				found = append(found, implementer{symbol: method, level: i.level, candidates: i.candidates})
			}
		}
	}
	return found
}

// structuralImplementers returns the types that have all methods of a Go interface, or embed what has some.
func (h hierarchy) structuralImplementers(self symbol) (found []implementer) {
	methods := h.methodsOf(self, maxAncestry)
	if len(methods) == 0 {
		return nil
	}
	having := map[receiver]int{} // how many of the methods
	for _, method := range methods {
		for t := range h.receivers(method) {
			having[t]++
		}
	}
	var partly []symbol
	for t, count := range having {
		for _, s := range h.declared(t.name, h.modulesOf(h.declaring(t.name).in(t.dir))) {
			switch {
			case s.name != "go" || !isType(s.decl().Kind):
			case count == len(methods):
				found = append(found, implementer{symbol: s, level: Structural, candidates: 1})
				fallthrough
			default:
				partly = append(partly, s)
			}
		}
	}
	return append(found, h.embedding(partly, methods, found)...)
}

// embedding returns the types with all methods that are among the types, or embed one, or what embeds one, and are not
// known.
func (h hierarchy) embedding(types, methods []symbol, known []implementer) (found []implementer) {
	slices.SortFunc(types, func(a, b symbol) int {
		return cmp.Or(cmp.Compare(a.Rel, b.Rel), cmp.Compare(a.at, b.at))
	})
	for i := 0; i < len(types) && i < maxInheriting; i++ {
		t := types[i]
		if t.decl().Kind != syntax.KindInterface &&
			!slices.ContainsFunc(known, func(of implementer) bool { return of.symbol == t }) && h.hasAll(t, methods) {
			found = append(found, implementer{symbol: t, level: Structural, candidates: 1})
		}
		for _, outer := range h.inheriting(t) {
			if !slices.Contains(types, outer.symbol) {
				types = append(types, outer.symbol)
			}
		}
	}
	return found
}

// receiver identifies a Go type by its folder and name.
type receiver struct {
	dir  *shardFolder
	name string
}

// methodsOf returns the methods of a Go interface, and of the interfaces that it embeds.
func (h hierarchy) methodsOf(self symbol, depth int) (methods []symbol) {
	for i := range self.table().Count() {
		if s := self.table().At(i); s.Parent == self.at && s.Kind == syntax.KindMethod {
			methods = append(methods, symbol{self.Module, i})
		}
	}
	if depth > 0 {
		for _, embedded := range h.parents(self) {
			methods = append(methods, h.methodsOf(embedded, depth-1)...)
		}
	}
	return methods
}

// receivers returns the types that have a method with that name and shape.
func (h hierarchy) receivers(method symbol) map[receiver]bool {
	name := string(method.decl().Name)
	files := &h.declaring(name).all
	if !exported(name) {
		files = h.declaring(name).in(method.Dir)
	}
	having := map[receiver]bool{}
	want := h.shape(method)
	for _, s := range h.declared(name, h.modulesOf(files)) {
		if s.name == "go" && s.decl().Kind == syntax.KindMethod && s.decl().Parent < 0 &&
			h.shape(s).fits(want, s.Dir == method.Dir) {
			having[receiver{s.Dir, s.owner()}] = true
		}
	}
	return having
}

// shape is the types of a Go method's parameters and results, as its text has them.
type shape struct{ parameters, results []string }

// fits reports whether a method with this shape implements one with another in the same package, or in another one.
func (s shape) fits(o shape, samePackage bool) bool {
	fit := func(a, b string) bool { return sameType(a, b, samePackage) }
	return slices.EqualFunc(s.parameters, o.parameters, fit) && slices.EqualFunc(s.results, o.results, fit)
}

// sameType reports whether two texts may be of one type. A package has different names in different files, and none in
// its own; a single capital letter is a type parameter.
func sameType(a, b string, samePackage bool) bool {
	if a == b {
		return true
	}
	aType, aPackage := cutPackage(a)
	bType, bPackage := cutPackage(b)
	switch {
	case len(aType) == 1 && exported(aType) || len(bType) == 1 && exported(bType):
		return true
	case samePackage && (aPackage == "") != (bPackage == ""):
		return false
	}
	return aType == bType
}

// cutPackage returns a type without the packages in its text, and the first of these.
func cutPackage(text string) (bare, of string) {
	qualifiers := goQualifier.FindAllString(text, -1)
	if len(qualifiers) == 0 {
		return text, ""
	}
	return goQualifier.ReplaceAllString(text, ""), qualifiers[0]
}

var goQualifier = lazyregexp.New(`\b\w+\.`)

func (h hierarchy) shape(method symbol) (s shape) {
	known, ok := h.shapes[method]
	if ok {
		return known
	}
	src := h.text(method.Module)
	sym := method.full()
	if src == nil || sym.End > len(src.Text) {
		return s
	}
	end := sym.BodyStart
	if sym.BodyStart <= sym.NameEnd {
		end = sym.End
	}
	parameters, rest := cutList(strings.TrimSpace(string(src.Text[sym.NameEnd:end])))
	s.parameters = typesOfList(parameters)
	if rest = strings.TrimSpace(rest); strings.HasPrefix(rest, "(") {
		rest, _ = cutList(rest)
	}
	s.results = typesOfList(rest)
	h.shapes[method] = s
	return s
}

// typesOfList returns the types in a list of parameters or results, which may have names.
func typesOfList(list string) (types []string) {
	elements := splitList(list)
	named := slices.ContainsFunc(elements, func(e string) bool { return goNamed.MatchString(e) })
	of := ""
	for _, e := range slices.Backward(elements) {
		if name := goNamed.FindString(e); named && name != "" {
			of = e[len(name):]
		} else if !named || of == "" {
			of = e
		}
		types = append(types, strings.ReplaceAll(strings.ReplaceAll(of, " ", ""), "interface{}", "any"))
	}
	slices.Reverse(types)
	return types
}

// goNamed matches the name of a parameter with its type behind it.
var goNamed = lazyregexp.New(`^\w+\s+(?:\.\.\.)?`)

// cutList splits a text that begins with a parenthesized list into the content of the list
// and the remaining text.
func cutList(text string) (list, rest string) {
	depth := 0
	for i, c := range text {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return text[1:i], text[i+1:]
			}
		}
	}
	return text, ""
}

// splitList returns the elements of a list.
func splitList(list string) (elements []string) {
	start, depth := 0, 0
	add := func(end int) {
		if e := strings.TrimSpace(list[start:end]); e != "" {
			elements = append(elements, e)
		}
		start = end + 1
	}
	for i, c := range list {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 0 {
				add(i)
			}
		}
	}
	if start < len(list) {
		add(len(list))
	}
	return elements
}
