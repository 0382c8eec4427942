package graph

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"

	"ploke-lsp/index/postings"
	"ploke-lsp/index/records"
	"ploke-lsp/index/shards"
	"ploke-lsp/internal/syntax"
)

// Incoming returns the references to a symbol anywhere: first by falling confidence, then
// in the order of paths and offsets. It leaves out references that resolve to another
// symbol of the same name.
func (o *Overlay) Incoming(ctx context.Context, of shards.Unit) ([]Edge, error) {
	uses, err := o.References(ctx, of)
	return uses.Edges, err
}

// References are the references to a symbol, and those that may be some.
type References struct {
	Edges []Edge // as [Overlay.Incoming] returns them
	// Unresolved are the references by the symbol's name, in files of its language, whose meaning is not
	// known: neither the symbol nor, with some certainty, another one. They are in the order of paths and offsets.
	Unresolved []ReferencePlace
}

// ReferencePlace is where a reference is.
type ReferencePlace struct {
	Path  string // absolute
	Start int    // byte offset
	Kind  syntax.RefKind
}

// References is like [Overlay.Incoming], and returns what could not be resolved, too.
func (o *Overlay) References(ctx context.Context, of shards.Unit) (uses References, err error) {
	err = o.resolving(ctx, func(r *resolver) {
		uses = References{}
		if self, ok := r.find(of); ok {
			uses = o.incoming(r, self, of)
		}
	})
	if err != nil {
		return References{}, fmt.Errorf("looking for references to %s: %w", of.Canon, err)
	}
	sortEdges(uses.Edges)
	slices.SortFunc(uses.Unresolved,
		func(a, b ReferencePlace) int {
			return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Start, b.Start))
		})
	return uses, nil
}

// sharesEach is the number of shares of the files that a resolver works on, one after the
// other, on average. Files of a folder are mostly in the same share, because they resolve
// alike.
const sharesEach = 8

// incoming returns the references to a symbol by all of its names. Files may export it under others, see aliases.
func (o *Overlay) incoming(r *resolver, self symbol, of shards.Unit) (all References) {
	names := []exportedName{{name: of.Name}}
	if of.Kind == syntax.KindConstructor && self.owner() != "" {
		names[0].name = self.owner() // a constructor is called by the name of its type
	}
	seen := map[ReferencePlace]bool{}
	for i := 0; i < len(names) && i < maxNames; i++ {
		uses, aliases := o.incomingBy(r, self, of, names[i])
		for _, alias := range aliases {
			if !slices.Contains(names, alias) {
				names = append(names, alias)
			}
		}
		if len(names) == 1 {
			return uses
		}
		for _, e := range uses.Edges {
			if at := (ReferencePlace{e.Path, e.StartByte, e.Kind}); !seen[at] {
				seen[at] = true
				all.Edges = append(all.Edges, e)
			}
		}
		if i == 0 { // other files have an alias for other symbols
			all.Unresolved = uses.Unresolved
		}
	}
	return all
}

// maxNames bounds under how many names a symbol is looked for.
const maxNames = 8

// incomingBy returns the references to a symbol by one of its names, in the order of files, and further names of it.
// Several resolvers take shares of the files.
func (o *Overlay) incomingBy(r *resolver, self symbol, of shards.Unit,
	name exportedName) (all References, aliases []exportedName) {
	places := names{r}.placesOf(self, name)
	workers := runtime.GOMAXPROCS(0)
	shares := make([]namedReferences, workers*sharesEach)
	var taken atomic.Int64
	o.inParallel(r, workers, func(r *resolver) {
		err := postings.Read(func() error {
			for i := int(taken.Add(1)) - 1; i < len(shares) && r.err == nil; i = int(taken.Add(1)) - 1 {
				shares[i] = r.incoming(self, of, name.name, places[i*len(places)/len(shares):(i+1)*len(places)/len(shares)])
			}
			return nil
		})
		r.err = cmp.Or(r.err, err)
	})
	for _, share := range shares {
		all.Edges = append(all.Edges, share.Edges...)
		all.Unresolved = append(all.Unresolved, share.Unresolved...)
		aliases = append(aliases, share.aliases...)
	}
	return all, aliases
}

// namedReferences are references by one name, and the other names under which files export the symbol.
type namedReferences struct {
	References
	aliases []exportedName
}

// incoming returns the references to a symbol, by a name, in some files.
func (r *resolver) incoming(self symbol, of shards.Unit, name string, files []modulePlace) (uses namedReferences) {
	for _, p := range files {
		m := names{r}.naming(p, name)
		if m == nil || m.languageFamily != self.Module.languageFamily {
			continue
		}
		if m.languageFamily.aliases {
			uses.aliases = append(uses.aliases, names{r}.aliases(m, name, self)...)
		}
		meanings, unresolved := r.refsMeaning(m, name, self)
		if len(meanings) == 0 {
			uses.addUnresolved(m, unresolved) // they are only counted, so the file is not read
			continue
		}
		src := r.text(m)
		if src == nil {
			continue
		}
		if src.Parsed != nil {
			meanings, unresolved = r.refsMeaning(m, name, self)
		}
		lines := records.LineCounter{Text: src.Text}
		for _, v := range meanings {
			uses.Edges = append(uses.Edges,
				Edge{Reference: m.reference(src, &lines, v.ref), Target: &of, Confidence: v.confidence(),
					Candidates: v.candidates()})
		}
		uses.addUnresolved(m, unresolved)
	}
	return uses
}

func (u *References) addUnresolved(m *Module, refs []syntax.Ref) {
	for _, ref := range refs {
		u.Unresolved = append(u.Unresolved, ReferencePlace{m.Shard.Path(m.Rel), ref.Start, ref.Kind})
	}
}

// resolvedElsewhere is the confidence from which a reference means another symbol.
const resolvedElsewhere = 0.5

// refsMeaning returns the references in a module that may mean the symbol, by its name or
// by its local name in an import, and those by its name whose meaning is not known.
func (r *resolver) refsMeaning(m *Module, name string, self symbol) (found []resolvedRef, unresolved []syntax.Ref) {
	for ref := range m.references().ToAny(m.localNames(name)) {
		if r.rulesOut(self, m, ref) {
			continue
		}
		switch v := r.resolve(m, ref); {
		case v.means(self):
			found = append(found, resolvedRef{ref, v})
		case ref.Name == name && v.confidence() < resolvedElsewhere:
			unresolved = append(unresolved, ref)
		}
	}
	return found, unresolved
}

// localNames returns a name with those that the module's imports give to what is exported under it.
func (m *Module) localNames(name string) []string {
	names := []string{name}
	for _, i := range m.references().Imports {
		if i.Local != "" && i.Path != syntax.OwnFile &&
			(i.Member == name || unnamed(name) && (i.Member == "" || i.Member == syntax.Default)) {
			names = append(names, i.Local)
			if i.Member == syntax.Default && i.Member != name {
				names = append(names, i.Member)
			}
		}
	}
	return names
}
