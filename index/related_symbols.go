package index

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"ploke-lsp/index/postings"
	"ploke-lsp/internal/syntax"
)

// Neighbour is a symbol that the graph joins to another.
type RelatedSymbol struct {
	Unit
	Relation Relation
	To       Unit // what it is joined to
}

// Relation is how a symbol is joined to another.
type Relation string

// The relations.
const (
	Calls    Relation = "calls"
	CalledBy Relation = "called by"
	Uses     Relation = "uses"
	UsedBy   Relation = "used by"
	Tests    Relation = "tests"
)

// Names of which more files know are passed over: they say little, and cost the most.
const (
	maxDeclaring   = 3
	maxReferencing = 12
)

// neighbourWords bounds what is read for all neighbours, in words of files: 19 of 20 questions
// about Go's library need less, and the others took several times as long as most.
const relatedWordBudget = 150_000

// neighboursEach bounds those of a symbol, in each direction.
const maxRelatedEach = 3

// Neighbours are symbols that call, test or use some others, or are called or used by them,
// in the order of these. It is quick, not complete: rare names alone are looked at, and what
// is as likely to mean something else is left out.
func (d *Overlay) RelatedSymbols(ctx context.Context, of []Unit) ([]RelatedSymbol, error) {
	var all []RelatedSymbol
	err := d.resolving(ctx, func(r *resolver) {
		n := relatedSymbols{resolver: r, seen: map[symbol]bool{}}
		n.wordBudget = relatedWordBudget
		selves := make([]symbol, len(of))
		for i, u := range of {
			self, ok := r.find(u)
			if selves[i] = self; ok {
				n.seen[self] = true
			}
		}
		for i, self := range selves {
			if self.module != nil {
				n.to = of[i]
				n.outward(self)
				n.inward(self)
			}
		}
		all = n.withUnits()
	})
	if err != nil {
		return nil, fmt.Errorf("looking for neighbours: %w", err)
	}
	return all, nil
}

// neighbours are those that were found so far.
type relatedSymbols struct {
	*resolver
	seen    map[symbol]bool // and what they are neighbours of
	to      Unit
	all     []RelatedSymbol // but for their units, which are those of
	symbols []symbol
}

// outward adds what a symbol mentions.
func (n *relatedSymbols) outward(self symbol) {
	added, span := 0, *self.decl()
	for ref := range self.refs.inRange(span.Start, span.End) {
		if added == maxRelatedEach || n.err != nil {
			return
		}
		if declaring := n.filesWith(postings.Exact(ref.Name)); declaring == 0 || declaring > maxDeclaring {
			continue
		}
		if unloadedWords(n.declaring(ref.Name).all) > n.wordBudget { // as where one of them is a table of thousands
			continue
		}
		v := n.resolveCheaply(self.module, ref)
		if n.budgetExceeded {
			return
		}
		if target, ok := v.best(self.module); ok && v.confidence() >= NameInScope && !n.isPartOf(target, self) {
			relation := UsedBy
			if ref.Kind == syntax.RefCall {
				relation = CalledBy
			}
			added += n.add(target, relation)
		}
	}
}

// meaning is what a mention means. Of a name that one symbol alone has, the types of what
// stands before it would say no more than that this is near.
func (n *relatedSymbols) resolveCheaply(m *module, ref syntax.Ref) resolution {
	if ref.Qualifier != "" && ref.Receiver == "" && !m.refs.imported(ref.Qualifier) {
		if named := n.declaring(ref.Name).all; len(named) <= maxDeclaring && len(n.declared(ref.Name, named)) == 1 {
			if v := n.byName(m, ref, func(s symbol) bool { return !s.top() }); v.confidence() >= NameInScope {
				return v
			}
		}
	}
	return n.resolve(m, ref)
}

// inward adds what mentions a symbol, tests last.
func (n *relatedSymbols) inward(self symbol) {
	name := n.to.Name
	if self.decl().Kind == syntax.KindConstructor && self.owner() != "" {
		name = self.owner()
	}
	if n.frequent(termsOf(name)) {
		return
	}
	modules := n.referencing(name, 0, 1)
	slices.SortFunc(modules, func(a, b *module) int {
		return cmp.Or(compareBools(testFile(a.rel), testFile(b.rel)), cmp.Compare(a.rel, b.rel))
	})
	added := map[bool]int{} // by whether they are tests
	for _, m := range modules {
		if m.languageFamily != self.module.languageFamily {
			continue
		}
		test := testFile(m.rel)
		for ref := range m.refs.toName(name) {
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

// relationOf is how what makes a mention is joined to what is mentioned.
func relationOf(mention syntax.Ref, test bool) Relation {
	switch {
	case test:
		return Tests
	case mention.Kind == syntax.RefCall:
		return Calls
	}
	return Uses
}

// frequent says whether many files have all of the terms, as far as one of them can tell,
// or whether none can.
func (n *relatedSymbols) frequent(terms []string) bool {
	fewest := math.MaxInt
	for _, term := range terms {
		fewest = min(fewest, n.filesWith(term))
	}
	return fewest > maxReferencing
}

// filesWith is how many files have a term, or had it lately.
func (n *relatedSymbols) filesWith(term string) (files int) {
	for _, v := range n.views {
		list := v.Find(term)
		files += list.Docs
	}
	return files
}

// add adds a neighbour, unless it is known, and returns how many were added.
func (n *relatedSymbols) add(s symbol, relation Relation) int {
	if n.seen[s] {
		return 0
	}
	n.seen[s] = true
	n.all, n.symbols = append(n.all, RelatedSymbol{Relation: relation, To: n.to}), append(n.symbols, s)
	return 1
}

// described are those whose texts are still there.
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

// within says whether a symbol is another one or a part of it.
func (n *relatedSymbols) isPartOf(s, outer symbol) bool {
	return s.module == outer.module && outer.decl().Start <= s.decl().Start && s.decl().End <= outer.decl().End
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
