package graph

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"ploke-lsp/index/postings"
	"ploke-lsp/index/shards"
	"ploke-lsp/index/traits"
	"ploke-lsp/internal/syntax"
)

// RelatedSymbol is a symbol that refers to another symbol, or that another refers to.
type RelatedSymbol struct {
	shards.Unit
	Relation Relation
	To       shards.Unit // the symbol that it is related to
	Among    int         // with Implements: how many symbols have this relation to To, of which only the first are listed
}

// Relation says how a symbol is related to another: it "calls" To, or is "called by" it.
type Relation string

// The relations.
const (
	Calls    Relation = "calls"
	CalledBy Relation = "called by"
	Uses     Relation = "uses"
	UsedBy   Relation = "used by"
	Tests    Relation = "tests"

	// ReceiverOf is the relation of a type to a method of it that is declared outside of it.
	ReceiverOf Relation = "receiver of"
	// Implements is the relation of a type to one that it directly inherits from or implements.
	Implements Relation = "implements"
)

// More frequent names are skipped: they say little, and cost the most.
const (
	maxDeclaring   = 3
	maxReferencing = 12
)

// relatedWordBudget bounds the text that is loaded for all related symbols, in words. Of
// 20 queries about Go's library 19 need less; the others took several times as long as
// most.
const relatedWordBudget = 150_000

// maxRelatedEach bounds the related symbols of each symbol, in each direction.
const maxRelatedEach = 3

// RelatedSymbols returns symbols that call, test, use or implement the given symbols, or that these
// call or use, and the receivers of methods, in the order of the given symbols. It is fast rather
// than complete: it considers only rare names, and leaves out uncertain references.
func (o *Overlay) RelatedSymbols(ctx context.Context, of []shards.Unit) ([]RelatedSymbol, error) {
	var all []RelatedSymbol
	err := o.resolving(ctx, func(r *resolver) {
		n := relatedSymbols{resolver: r, seen: map[symbol]bool{}, rareNames: map[string]bool{}}
		n.wordBudget = relatedWordBudget
		selves := make([]symbol, len(of))
		for i, u := range of {
			self, ok := r.find(u)
			if selves[i] = self; ok {
				n.seen[self] = true
			}
		}
		for i, self := range selves {
			if self.Module != nil {
				n.to = of[i]
				n.implementing(self)
				n.receiver(self)
				n.outward(self)
				n.inward(self)
			}
		}
		all = n.withUnits()
	})
	if err != nil {
		return nil, fmt.Errorf("looking for related symbols: %w", err)
	}
	return all, nil
}

// relatedSymbols collects related symbols.
type relatedSymbols struct {
	*resolver
	seen    map[symbol]bool // related symbols, and the given ones
	to      shards.Unit
	all     []RelatedSymbol // their units are those of symbols
	symbols []symbol
	// rareNames are the results of rare. Symbols refer to some names more than once.
	rareNames map[string]bool
}

// outward adds the symbols that a symbol refers to.
func (n *relatedSymbols) outward(self symbol) {
	added, span := 0, *self.full()
	for _, ref := range self.references().InRange(span.Start, span.End) {
		if added == maxRelatedEach || n.err != nil {
			return
		}
		if !n.rare(ref.Name) {
			continue
		}
		// what is too large may be a table of thousands of lines
		if unloadedWords(n.modulesOf(&n.declaring(ref.Name).all)) > n.wordBudget {
			continue
		}
		v := n.resolveCheaply(self.Module, ref)
		if n.budgetExceeded {
			return
		}
		if target, ok := v.best(self.Module); ok && v.confidence() >= NameInScope && !n.isPartOf(target, self) {
			added += n.add(target, inverseRelation(ref))
		}
	}
}

// resolveCheaply resolves a reference. If only one symbol has the name, it does not
// resolve the type of the qualifier, which would only confirm that symbol.
func (n *relatedSymbols) resolveCheaply(m *Module, ref syntax.Ref) resolution {
	if ref.Qualifier != "" && ref.Receiver == "" && !m.references().Imported(ref.Qualifier) {
		if named := n.modulesOf(&n.declaring(ref.Name).all); len(named) <= maxDeclaring &&
			len(n.declared(ref.Name, named)) == 1 {
			if v := n.byName(m, ref, membersOnly); v.confidence() >= NameInScope {
				return v
			}
		}
	}
	return n.resolve(m, ref)
}

// inward adds the symbols that refer to a symbol, tests last.
//
// Tests have a number of their own: they are the most frequent callers, and would leave no place for the code that
// uses the symbol. A name that many files have is left out before any of them is loaded, because to resolve each
// mention of it costs more than all other symbols together.
func (n *relatedSymbols) inward(self symbol) {
	name := n.to.Name
	if self.decl().Kind == syntax.KindConstructor && self.owner() != "" {
		name = self.owner()
	}
	if n.frequent(termsOf(name)) {
		return
	}
	modules := n.referencing(name)
	slices.SortFunc(modules, func(a, b *Module) int {
		return cmp.Or(compareBools(traits.IsTest(a.Rel), traits.IsTest(b.Rel)), cmp.Compare(a.Rel, b.Rel))
	})
	added := map[bool]int{} // by whether they are tests
	for _, m := range modules {
		if m.languageFamily != self.Module.languageFamily {
			continue
		}
		test := traits.IsTest(m.Rel)
		for ref := range m.references().ToName(name) {
			if added[test] == maxRelatedEach {
				break
			}
			from := symbol{m, ref.From}
			if from.at < 0 || n.seen[from] || n.isPartOf(from, self) {
				continue
			}
			v := n.resolveCheaply(m, ref)
			if n.budgetExceeded {
				return
			}
			if v.means(self) && v.confidence() >= NameInScope {
				added[test] += n.add(from, relationOf(ref, test))
			}
		}
	}
}

// inverseRelation returns how the target of a reference is related to the symbol that contains it.
func inverseRelation(ref syntax.Ref) Relation {
	if ref.Kind == syntax.RefCall {
		return CalledBy
	}
	return UsedBy
}

// relationOf returns how the symbol that contains a reference is related to its target.
func relationOf(ref syntax.Ref, test bool) Relation {
	switch {
	case test:
		return Tests
	case ref.Kind == syntax.RefCall:
		return Calls
	}
	return Uses
}

// frequent reports whether even the rarest of the terms is in more than maxReferencing
// files, or there are no terms.
func (n *relatedSymbols) frequent(terms []string) bool {
	return !slices.ContainsFunc(terms, func(term string) bool {
		return n.filesWith(term, maxReferencing+1) <= maxReferencing
	})
}

// rare reports whether files declare a name, but at most maxDeclaring.
func (n *relatedSymbols) rare(name string) bool {
	rare, known := n.rareNames[name]
	if !known {
		declaring := n.filesWith(postings.Exact(name), maxDeclaring+1)
		rare = declaring > 0 && declaring <= maxDeclaring
		n.rareNames[name] = rare
	}
	return rare
}

// filesWith returns the number of files with a term, but not more than limit.
func (n *relatedSymbols) filesWith(term string, limit int) (files int) {
	key := postings.NewKey(term)
	for _, v := range n.views {
		files += v.ServedWith(key, limit-files)
	}
	return files
}

// add adds a symbol unless it is in seen, and returns how many were added.
func (n *relatedSymbols) add(s symbol, relation Relation) int {
	if n.seen[s] {
		return 0
	}
	n.seen[s] = true
	n.all, n.symbols = append(n.all, RelatedSymbol{Relation: relation, To: n.to}), append(n.symbols, s)
	return 1
}

// withUnits returns the related symbols whose texts still exist.
func (n *relatedSymbols) withUnits() (all []RelatedSymbol) {
	units := n.unitsOf(n.symbols)
	for i, s := range n.symbols {
		if u := units[s]; u != nil {
			n.all[i].Unit = *u
			all = append(all, n.all[i])
		}
	}
	return all
}

// isPartOf reports whether a symbol is another symbol, or inside of it.
func (n *relatedSymbols) isPartOf(s, outer symbol) bool {
	return s.Module == outer.Module && outer.full().Start <= s.full().Start && s.full().End <= outer.full().End
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
