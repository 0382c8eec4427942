package graph

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"ploke-lsp/index/records"
	"ploke-lsp/index/shards"
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
	var partly []symbol
	for t, count := range h.methodCounts(methods) {
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

// methodCounts returns how many of the methods each type has.
func (h hierarchy) methodCounts(methods []symbol) map[receiver]int {
	having := map[receiver]int{}
	for _, method := range methods {
		for t := range h.receivers(method) {
			having[t]++
		}
	}
	return having
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
