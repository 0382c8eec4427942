package graph

import (
	"cmp"
	"slices"

	"ploke-lsp/internal/syntax"
)

const (
	// typesWordBudget bounds the text that is loaded to find who implements a type, in words. The
	// types that half of the workspace implements are not worth more.
	typesWordBudget = 100_000
	// maxImplementers bounds the related symbols that implement a type.
	maxImplementers = 5
)

// direct returns what implements a type itself, within a budget of its own; nothing if that is exceeded.
func (n *relatedSymbols) direct(self symbol) []implementer {
	left, exceeded := n.wordBudget, n.budgetExceeded
	defer func() { n.wordBudget, n.budgetExceeded = left, exceeded }()
	n.wordBudget, n.budgetExceeded = typesWordBudget, false
	found := newHierarchy(n.resolver).direct(self)
	if n.budgetExceeded {
		return nil
	}
	return found
}

// implementing adds the types that directly inherit from a type, or implement it.
func (n *relatedSymbols) implementing(self symbol) {
	if !isType(self.decl().Kind) {
		return
	}
	var types []symbol
	for _, f := range n.direct(self) {
		if f.symbol != self && f.level/float64(max(f.candidates, 1)) >= NameInScope && !slices.Contains(types, f.symbol) {
			types = append(types, f.symbol)
		}
	}
	for _, t := range types {
		n.seen[t] = true
	}
	slices.SortFunc(types,
		func(a, b symbol) int { return cmp.Or(cmp.Compare(a.Module.Rel, b.Module.Rel), cmp.Compare(a.at, b.at)) })
	for _, t := range types[:min(len(types), maxImplementers)] {
		n.all, n.symbols = append(n.all,
			RelatedSymbol{Relation: Implements, To: n.to, Among: len(types)}), append(n.symbols, t)
	}
}

// receiver adds the type of a method, unless the method is inside of it.
func (n *relatedSymbols) receiver(self symbol) {
	if self.decl().Kind != syntax.KindMethod {
		return
	}
	for _, t := range n.enclosingTypes(self.Module, self.at).symbols {
		if !n.isPartOf(self, t) {
			n.add(t, ReceiverOf)
		}
	}
}
