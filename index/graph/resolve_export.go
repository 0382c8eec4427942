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

// exporting finds what files export: what they declare, and what they import.
type exporting struct{ *resolver }

// throughExports resolves what importedSymbols does in the file that an import names: what that declares, and what it
// imports and exports again.
func (r exporting) throughExports(from *Module, i syntax.Import, name string, kind syntax.RefKind) resolution {
	file := r.fileOf(from, i)
	member := i.Member
	switch {
	case file == nil, member == "*" && name == "", member == syntax.OwnPackage:
		return resolution{}
	case member == "" && from.name == javascript && name == "":
		member = syntax.ModuleExports
	case member == "" && from.name == javascript:
		if found := r.exports(file, name); len(found) > 0 {
			return bestSuited(Imported, kind, found)
		}
		member = syntax.ModuleExports
	case member == "" || member == "*":
		return bestSuited(Imported, kind, r.exports(file, name))
	}
	if name == "" {
		return bestSuited(Imported, kind, r.exports(file, member))
	}
	if space := r.namespace(file, member, map[exportKey]bool{}); space != nil {
		return bestSuited(Imported, kind, r.exports(space, name))
	}
	types := bestSuited(Imported, syntax.RefType, r.exports(file, member))
	return r.asMember(types, syntax.Ref{Name: name, Kind: kind, From: -1})
}

// namespace returns the file whose exports a module of JavaScript exports as the members of a name, nil for none.
func (r exporting) namespace(m *Module, name string, seen map[exportKey]bool) *Module {
	if seen[exportKey{m, name}] || !r.spendBudget([]*Module{m}) {
		return nil
	}
	seen[exportKey{m, name}] = true
	if r.load(m); m.name != javascript {
		return nil
	}
	for _, i := range m.references().Imports {
		of := i.Member
		switch {
		case i.Local == name && of == "":
			return r.fileOf(m, i)
		case i.Local == "" && of == "*":
			of = name
		case i.Local != name:
			continue
		}
		if next := r.fileOf(m, i); next != nil {
			if space := r.namespace(next, of, seen); space != nil {
				return space
			}
		}
	}
	return nil
}

// exports returns what a module exports under a name. Whether it says so of what it declares or imports is not looked
// at. Only the whole result is kept: within a cycle, that of a module depends on where the cycle was entered.
func (r exporting) exports(m *Module, name string) []symbol {
	key := exportKey{m, name}
	found, known := r.exported[key]
	if !known {
		found = r.findExports(key, map[exportKey]bool{})
		r.exported[key] = found
	}
	return found
}

func (r exporting) findExports(key exportKey, seen map[exportKey]bool) (found []symbol) {
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
		of := i.Member
		switch {
		case i.Local == "" && of == "*":
			of = name
		case i.Local != name || of == "*" || of == "" && m.name != javascript:
			continue
		case of == "":
			of = syntax.ModuleExports
		}
		if next := r.fileOf(m, i); next != nil {
			found = append(found, r.findExports(exportKey{next, of}, seen)...)
		}
	}
	if len(found) == 0 && name == syntax.Default && m.name == javascript {
		return r.findExports(exportKey{m, syntax.ModuleExports}, seen)
	}
	return found
}

// importKey identifies what a module imports from.
type importKey struct {
	in   *Module
	path string
}

// fileOf returns the file that an import of JavaScript, Python or Rust names, nil if it is not known.
func (r exporting) fileOf(m *Module, i syntax.Import) *Module {
	if i.Path == syntax.OwnFile {
		return m
	}
	key := importKey{m, i.Path}
	found, known := r.files[key]
	if !known {
		if rel := r.sourceOf(m, i); rel != "" {
			found = r.unloadedAt(m.Shard.Path(rel))
		}
		r.files[key] = found
	}
	return found
}

// sourceOf returns the path in the shard of the file that an import names, "" if it is not known.
func (l *loader) sourceOf(m *Module, i syntax.Import) string {
	switch {
	case m.name == javascript && strings.HasPrefix(i.Path, "."):
		return l.source(m.Shard, path.Join(path.Dir(m.Rel), i.Path), javascriptEndings)
	case m.name == javascript:
		of, _ := m.fromPackage(i.Path)
		return of.rel
	case m.name == "python":
		if t := m.target(i); t.exact {
			return l.source(m.Shard, t.address, pythonEndings)
		}
	case m.name == "rust":
		return l.rustSource(m, i)
	}
	return ""
}

// rustSource returns the file of the module that an import of Rust names, or that has it between its braces.
func (l *loader) rustSource(m *Module, i syntax.Import) string {
	first, _, _ := strings.Cut(i.Path, "::")
	of, ok := m.crate(first)
	if !ok && first == "crate" {
		of, ok = m.Dir.packages.ownCrate(m.Rel)
	}
	t := m.target(i)
	if !t.exact { // a module that the file declares
		if len(m.modules(first)) == 0 {
			return ""
		}
		t.address = path.Join(m.rustFolder(), t.address)
	}
	if ok && of.inside == t.address {
		return l.source(m.Shard, strings.TrimSuffix(of.rel, ".rs"), rustEndings)
	}
	for _, address := range []string{t.address, path.Dir(t.address)} {
		if rel := l.source(m.Shard, address, rustEndings); rel != "" {
			return rel
		}
	}
	return ""
}

// rustFolder returns the folder where the modules are that a file declares.
func (m *Module) rustFolder() string {
	if of, ok := m.Dir.packages.ownCrate(m.Rel); ok && of.rel == m.Rel {
		return of.inside
	}
	return m.prefix
}
