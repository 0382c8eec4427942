package graph

import (
	"slices"

	"ploke-lsp/internal/syntax"
)

// names finds the names under which files export symbols, and what may name a symbol so.
type names struct{ *resolver }

// exportedName is a name under which a file exports a symbol.
type exportedName struct {
	name string
	of   file // that exports it, if files that import it may call it as they like
}

// unnamed reports whether files that import the name may call it as they like, without saying it.
func unnamed(name string) bool { return name == syntax.Default || name == syntax.ModuleExports }

// aliases returns the names by which other files may import a symbol from a module: those that its imports and its
// exports give it. name is the one by which the module names it.
func (r names) aliases(m *Module, name string, self symbol) (found []exportedName) {
	local := m.localNames(name)
	for _, i := range m.references().Imports {
		exports := i.Path == syntax.OwnFile && slices.Contains(local, i.Member)
		if i.Local == "" || i.Local == i.Path || i.Local == name && !unnamed(name) || i.Member != name && !exports {
			continue
		}
		if v := r.importedSymbols(m, i, "", syntax.RefUse); !v.ambiguous && v.means(self) {
			alias := exportedName{name: i.Local}
			if unnamed(i.Local) {
				alias.of = file{m.Shard, m.Rel}
			}
			found = append(found, alias)
		}
	}
	return found
}

// placesOf returns the places of the modules that may name a symbol by a name. What a file exports as its default, or
// as a whole, has any name in the files that import it.
func (r names) placesOf(self symbol, name exportedName) []modulePlace {
	if !unnamed(name.name) || self.Module.name != javascript {
		return r.placesHaving(termsOf(name.name))
	}
	of := name.of
	if of.Shard == nil {
		of = file{self.Shard, self.Rel}
	}
	return r.placesLoading(self.Module.languageFamily, of)
}

// naming returns the loaded module of one of these places, nil if it can't name the symbol.
func (r names) naming(p modulePlace, name string) *Module {
	if !unnamed(name) {
		return r.mentioning(p, name)
	}
	m := r.moduleOf(p)
	r.load(m)
	return m
}
