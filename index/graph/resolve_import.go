package graph

import (
	"path"
	"strings"

	"ploke-lsp/internal/syntax"
)

// asImport resolves a name in an import.
func (r *resolver) asImport(m *Module, ref syntax.Ref) resolution {
	for _, i := range m.references().Imports {
		if i.Start <= ref.Start && ref.End <= i.End &&
			(i.Member == ref.Name || i.Member == "" || i.Member == syntax.Default && i.Local == ref.Name) {
			return r.importedSymbols(m, i, "", ref.Kind)
		}
	}
	return resolution{}
}

// throughImport resolves a name whose qualifier is an import. If ok is true there is such
// an import, and no other meaning is possible.
func (r *resolver) throughImport(m *Module, ref syntax.Ref) (v resolution, ok bool) {
	for _, i := range m.references().Imports {
		if i.Local == ref.Qualifier {
			if v = r.importedSymbols(m, i, ref.Name, ref.Kind); !v.none() {
				return v, true
			}
			ok = true
		}
	}
	return v, ok
}

// importedSymbols resolves a name in what an import refers to, or the import itself if
// name is "".
func (r *resolver) importedSymbols(from *Module, i syntax.Import, name string, kind syntax.RefKind) resolution {
	t := from.target(i)
	switch i.Member {
	case "":
		if from.name == javascript && name == "" && (exporting{r}).fileOf(from, i) != nil { // not what has the file's name
			return (exporting{r}).throughExports(from, i, name, kind)
		}
	case "*", syntax.OwnPackage:
	case syntax.Default:
		if v := (exporting{r}).throughExports(from, i, name, kind); !v.none() {
			return v
		}
		t = t.within(i.Local)
	default:
		t = t.within(i.Member)
	}
	if name != "" {
		t = t.within(name)
	}
	found := r.reach(from, t, i.Local == "")
	for _, symbols := range [][]symbol{found[exactMatch], found[partialMatch]} {
		if v := bestSuited(Imported, kind, symbols); !v.none() {
			return v
		}
	}
	if v := (exporting{r}).throughExports(from, i, name, kind); !v.none() {
		return v
	}
	return bestSuited(Reexported, kind, found[reexported])
}

// reachKey identifies a call of reach.
type reachKey struct {
	*languageFamily
	importTarget
	all bool // a whole file is imported
}

// reachedSymbols are symbols by how well they match. Those that don't match are left out.
type reachedSymbols [exactMatch + 1][]symbol

// reach returns the symbols that a target refers to in a module of from's family.
func (r *resolver) reach(from *Module, t importTarget, all bool) reachedSymbols {
	key := reachKey{from.languageFamily, t, all}
	found, ok := r.reached[key]
	if ok {
		return found
	}
	for _, s := range r.declared(path.Base(t.address), r.plausible(t, from)) {
		if s.Module.languageFamily != from.languageFamily {
			continue
		}
		if how := r.reaches(t, s, all); how != noMatch {
			found[how] = append(found[how], s)
		}
	}
	r.reached[key] = found
	return found
}

// plausible returns the files that may declare the target of an import. Most are not
// loaded yet.
func (r *resolver) plausible(t importTarget, from *Module) (files []*Module) {
	d := r.declaring(path.Base(t.address))
	if from.name == "go" {
		return goPackage(r, d, path.Dir(t.address))
	}
	if !from.rooted && len(d.all.places) <= maxDeclaringFiles {
		return r.modulesOf(&d.all) // a namespace need not be a folder
	}
	parent := path.Base(path.Dir(t.address))
	for _, m := range r.modulesOf(&d.all) {
		home := from.prefixOf(m.Rel)
		base := path.Base(home)
		if base == "." || strings.Contains(t.address, base) || from.reexports && strings.Contains(home, parent) {
			files = append(files, m)
		}
	}
	return files
}

// goPackage returns the files in the folders of a Go package, by its import path.
func goPackage(r *resolver, d *declaringFiles, importPath string) (files []*Module) {
	for _, dir := range r.withBase(d, path.Base(importPath)) {
		if r.goPath(dir) == importPath {
			files = append(files, r.modulesOf(d.in(dir))...)
		}
	}
	return files
}

// reaches returns how well a symbol matches a target. If a whole file is imported, symbols
// that are only inside of namespaces count as the file's own. So do the symbols of a table
// that a Lua file returns.
func (r *resolver) reaches(t importTarget, s symbol, all bool) match {
	if s.Module.name == php && !all {
		if s.fullName() == t.address {
			return exactMatch
		}
		return noMatch
	}
	home := r.importPrefix(s.Module)
	names := s.parts()
	best := t.matches(s.Module.languageFamily, path.Join(home, strings.Join(names, "/")))
	if len(names) > 1 && (all && s.top() || s.Module.name == "lua") {
		best = max(best, t.matches(s.Module.languageFamily, path.Join(home, string(s.decl().Name))))
	}
	return best
}

// ImportAddresses returns the addresses of what the module imports, slash-separated.
func (m *Module) ImportAddresses() (addresses []string) {
	for _, t := range m.targets() {
		addresses = append(addresses, t.address)
	}
	return addresses
}

// targets returns the targets of the module's imports.
func (m *Module) targets() []importTarget {
	if m.importTargets == nil {
		for _, i := range m.references().Imports {
			m.importTargets = append(m.importTargets, m.target(i))
		}
	}
	return m.importTargets
}

// importPrefix returns what the addresses of a module's symbols begin with in an import.
func (l *loader) importPrefix(m *Module) string {
	if m.name != "go" {
		return m.prefix
	}
	return l.goPath(m.Dir)
}
