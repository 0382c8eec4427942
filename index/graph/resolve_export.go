package graph

import (
	"path"
	"strings"

	"ploke-lsp/internal/syntax"
)

// exportKey identifies what a module exports under a name.
type exportKey struct {
	of   *Module
	name string
}

// throughExports resolves what importedSymbols does in the file that an import names: what that declares, and what it
// imports and exports again.
func (r *resolver) throughExports(from *Module, i syntax.Import, name string, kind syntax.RefKind) resolution {
	file := r.fileOf(from, i)
	member := i.Member
	switch {
	case file == nil, member == "*" && name == "", member == syntax.OwnPackage:
		return resolution{}
	case member == "default":
		member = i.Local
	case member == "" || member == "*":
		return bestSuited(Imported, kind, r.exports(file, name))
	}
	if name == "" {
		return bestSuited(Imported, kind, r.exports(file, member))
	}
	types := bestSuited(Imported, syntax.RefType, r.exports(file, member))
	return r.asMember(types, syntax.Ref{Name: name, Kind: kind, From: -1})
}

// exports returns what a module exports under a name. Whether it says so of what it declares or imports is not looked
// at. Only the whole result is kept: within a cycle, that of a module depends on where the cycle was entered.
func (r *resolver) exports(m *Module, name string) []symbol {
	key := exportKey{m, name}
	found, known := r.exported[key]
	if !known {
		found = r.findExports(key, map[exportKey]bool{})
		r.exported[key] = found
	}
	return found
}

func (r *resolver) findExports(key exportKey, seen map[exportKey]bool) (found []symbol) {
	m, name := key.of, key.name
	if seen[key] {
		return nil
	}
	seen[key] = true
	for _, s := range r.declared(name, []*Module{m}) {
		if s.top() {
			found = append(found, s)
		}
	}
	var imports []syntax.Import
	if len(found) == 0 && m.languageFamily != nil {
		imports = m.references().Imports
	}
	for _, i := range imports {
		of := name
		switch {
		case i.Local == "" && i.Member == "*":
		case i.Local != name || i.Member == "" || i.Member == "*":
			continue
		case i.Member != "default":
			of = i.Member
		}
		if next := r.fileOf(m, i); next != nil {
			found = append(found, r.findExports(exportKey{next, of}, seen)...)
		}
	}
	return found
}

// fileOf returns the file that an import of JavaScript or Python names, nil if it is not known.
func (l *loader) fileOf(m *Module, i syntax.Import) *Module {
	rel := ""
	switch t := m.target(i); {
	case m.name == javascript && strings.HasPrefix(i.Path, "."):
		rel = l.source(m.Shard, path.Join(path.Dir(m.Rel), i.Path), javascriptEndings)
	case m.name == javascript:
		of, _ := m.fromPackage(i.Path)
		rel = of.rel
	case m.name == "python" && t.exact:
		rel = l.source(m.Shard, t.address, pythonEndings)
	}
	if rel == "" {
		return nil
	}
	return l.unloadedAt(m.Shard.Path(rel))
}
