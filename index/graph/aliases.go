package graph

import (
	"path"

	"ploke-lsp/internal/syntax"
)

// names finds the names under which files export symbols, and what may name a symbol so.
type names struct{ *resolver }

// aliases returns the names by which other files may import a symbol from a module: those that its imports and its
// exports give it. name is the one by which the module names it.
func (r names) aliases(m *Module, name string, self symbol) (found []string) {
	for _, i := range m.references().Imports {
		if i.Member != name || i.Local == "" || i.Local == name {
			continue
		}
		if v := r.importedSymbols(m, i, "", syntax.RefUse); !v.ambiguous && v.means(self) {
			found = append(found, i.Local)
		}
	}
	return found
}

// placesOf returns the places of the modules that may name a symbol by a name. What a file exports as its default has
// any name in the files that import it.
func (r names) placesOf(self symbol, name string) []modulePlace {
	if name != syntax.Default || self.Module.name != javascript {
		return r.placesHaving(termsOf(name))
	}
	known := map[modulePlace]bool{}
	var places []modulePlace
	s, rel := self.Shard, self.Rel
	for _, base := range append(r.packagesOf(s).namesOf(rel), self.addressIn(rel)) {
		for _, p := range r.placesHaving(termsOf(path.Base(base))) {
			if !known[p] {
				known[p] = true
				places = append(places, p)
			}
		}
	}
	return places
}

// naming returns the loaded module of one of these places, nil if it can't name the symbol.
func (r names) naming(p modulePlace, name string) *Module {
	if name != syntax.Default {
		return r.mentioning(p, name)
	}
	m := r.moduleOf(p)
	r.load(m)
	return m
}
