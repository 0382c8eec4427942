package graph

import (
	"context"
	"fmt"
	"strings"

	"ploke-lsp/index/records"
	"ploke-lsp/index/shards"
	"ploke-lsp/internal/syntax"
)

// Structural is the confidence that a Go type implements an interface if it has all of its
// methods, with the same numbers of parameters and results.
const Structural = 0.8

// Implementers returns the types that declare to inherit from a type, and the types that
// implement a Go interface. For a method it returns the methods of such types that
// override or implement it. Target is the type or method. The order is that of Incoming.
func (o *Overlay) Implementers(ctx context.Context, of shards.Unit) ([]Edge, error) {
	var edges []Edge
	err := o.resolving(ctx, func(r *resolver) {
		edges = nil
		if self, ok := r.find(of); ok {
			edges = hierarchy{r}.implementers(self)
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
type hierarchy struct{ *resolver }

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

func (h hierarchy) implementersOf(self symbol) (found []implementer) {
	if !isType(self.decl().Kind) {
		return h.overriding(self)
	}
	for _, m := range h.referencing(string(self.decl().Name)) {
		if m.languageFamily != self.Module.languageFamily {
			continue
		}
		for _, ref := range m.inherited() {
			if ref.Name != string(self.decl().Name) || ref.From < 0 {
				continue
			}
			if v := h.resolve(m, ref); v.means(self) {
				found = append(found, implementer{symbol{m, ref.From}, ref, v.level, v.candidates()})
			}
		}
	}
	if self.name == "go" && self.decl().Kind == syntax.KindInterface {
		found = append(found, h.structuralImplementers(self)...)
	}
	return found
}

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

// structuralImplementers returns the types that have all methods of a Go interface.
func (h hierarchy) structuralImplementers(self symbol) (found []implementer) {
	var fit map[receiver]bool
	for _, method := range h.methodsOf(self, maxAncestry) {
		having := h.receivers(method)
		for t := range fit {
			if !having[t] {
				delete(fit, t)
			}
		}
		if fit == nil {
			fit = having
		}
	}
	for t := range fit {
		for _, s := range h.declared(t.name, h.modulesOf(h.declaring(t.name).in(t.dir))) {
			if s.name == "go" && isType(s.decl().Kind) {
				found = append(found, implementer{symbol: s, level: Structural, candidates: 1})
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
		if s.name == "go" && s.decl().Kind == syntax.KindMethod && s.decl().Parent < 0 && h.shape(s) == want {
			having[receiver{s.Dir, s.owner()}] = true
		}
	}
	return having
}

// shape is the number of a Go method's parameters and results.
type shape struct{ parameters, results int }

func (h hierarchy) shape(method symbol) (s shape) {
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
	s.parameters = countElements(parameters)
	if rest = strings.TrimSpace(rest); strings.HasPrefix(rest, "(") {
		rest, _ = cutList(rest)
	}
	s.results = countElements(rest)
	return s
}

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

// countElements returns the number of elements of a list.
func countElements(list string) int {
	if strings.TrimSpace(list) == "" {
		return 0
	}
	n, depth := 1, 0
	for i, c := range list {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 0 && strings.TrimSpace(list[i+1:]) != "" {
				n++
			}
		}
	}
	return n
}
