package graph

import (
	"context"
	"fmt"
	"slices"

	"ploke-lsp/index/shards"
	"ploke-lsp/internal/syntax"
)

// ThroughInterfaces returns the references to the methods of interfaces that a Go method implements, in the order of
// [Overlay.Incoming]: they may mean the method, too. Edge.Through names the interface.
func (o *Overlay) ThroughInterfaces(ctx context.Context, of shards.Unit) (edges []Edge, err error) {
	err = o.resolving(ctx, func(r *resolver) {
		edges = nil
		if self, ok := r.find(of); ok {
			edges = o.throughInterfaces(newHierarchy(r), self, of)
		}
	})
	if err != nil {
		return nil, fmt.Errorf("looking for references to %s through interfaces: %w", of.Canon, err)
	}
	sortEdges(edges)
	return edges, nil
}

func (o *Overlay) throughInterfaces(h hierarchy, self symbol, of shards.Unit) (edges []Edge) {
	implemented := h.implementedBy(self)
	units := h.unitsOf(implemented)
	seen := map[ReferencePlace]bool{}
	for _, method := range implemented {
		unit := units[method]
		if unit == nil {
			continue
		}
		for _, e := range o.incoming(h.resolver, method, *unit).Edges {
			at := ReferencePlace{e.Path, e.StartByte, e.Kind}
			if seen[at] {
				continue
			}
			seen[at] = true
			e.Target, e.Through = &of, method.owner()
			e.Confidence = min(e.Confidence, Structural)
			edges = append(edges, e)
		}
	}
	return edges
}

// implementedBy returns the methods of Go interfaces that a method implements: its type has all of their methods.
func (h hierarchy) implementedBy(self symbol) (found []symbol) {
	if self.name != "go" || self.decl().Kind != syntax.KindMethod || self.decl().Parent >= 0 {
		return nil
	}
	name, want := string(self.decl().Name), h.shape(self)
	files := &h.declaring(name).all
	if !exported(name) {
		files = h.declaring(name).in(self.Dir)
	}
	own := h.enclosingTypes(self.Module, self.at).symbols
	for _, method := range h.declared(name, h.modulesOf(files)) {
		if method.name != "go" || method.decl().Parent < 0 || !want.fits(h.shape(method), method.Dir == self.Dir) {
			continue
		}
		of := symbol{method.Module, method.decl().Parent}
		if of.decl().Kind == syntax.KindInterface &&
			slices.ContainsFunc(own, func(t symbol) bool { return h.hasAll(t, h.methodsOf(of, maxAncestry)) }) {
			found = append(found, method)
		}
	}
	return found
}

// hasAll reports whether a Go type, or what it embeds, has methods with these names and shapes.
func (h hierarchy) hasAll(t symbol, methods []symbol) bool {
	return !slices.ContainsFunc(methods, func(method symbol) bool {
		name := string(method.decl().Name)
		if !exported(name) && t.Dir != method.Dir {
			return true
		}
		having := h.asMember(resolution{symbols: []symbol{t}, level: Proven}, syntax.Ref{Name: name, Kind: syntax.RefCall})
		return !slices.ContainsFunc(having.symbols,
			func(s symbol) bool {
				return s.decl().Kind == syntax.KindMethod && h.shape(s).fits(h.shape(method), s.Dir == method.Dir)
			})
	})
}
