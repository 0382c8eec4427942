package graph

import "ploke-lsp/internal/syntax"

// bare resolves a name without a qualifier: to symbols around it, in its package, or in
// its imports.
func (r *resolver) bare(m *Module, ref syntax.Ref) resolution {
	if ref.Kind == syntax.RefCall && m.name == javascript { // of a constant that has what require returns
		if v, ok := r.asLocal(m, ref); ok && !v.none() {
			return v
		}
	}
	if v := m.inScope(ref); !v.none() {
		return v
	}
	if m.bareMembers {
		if v := r.asMember(r.enclosingTypes(m, ref.From), ref); !v.none() {
			return v
		}
	}
	if v, ok := r.asLocal(m, ref); ok {
		return v
	}
	if m.name == php {
		if v := (namespaces{r}).inOwnNamespace(m, ref); !v.none() {
			return v
		}
	}
	if v := r.inPackage(m, ref); !v.none() {
		return v
	}
	if v := r.fromWildcards(m, ref); !v.none() {
		return v
	}
	// The qualifier of a call's or an index expression's result has no name, so a member
	// may be meant.
	if m.strict {
		return r.byName(m, ref, membersOnly)
	}
	return r.byName(m, ref, anySymbol)
}

// asLocal resolves the local name of an import. ok is false if the name is none.
func (r *resolver) asLocal(m *Module, ref syntax.Ref) (v resolution, ok bool) {
	for _, i := range m.references().Imports {
		if i.Local == ref.Name && i.Path != syntax.OwnFile {
			return r.importedSymbols(m, i, "", ref.Kind), true
		}
	}
	return v, false
}

// inScope resolves a name to what the file declares around the reference, from the inside
// outward.
func (m *Module) inScope(ref syntax.Ref) resolution {
	named := m.named(ref.Name)
	for p := ref.From; len(named) > 0; p = m.table().At(p).Parent {
		var seen []symbol
		for _, s := range named {
			if s.decl().Parent == p && s.visibleIn(p) {
				seen = append(seen, s)
			}
		}
		if v := bestSuited(Proven, ref.Kind, seen); !v.none() || p < 0 {
			return v
		}
	}
	return resolution{}
}

// named returns the module's symbols of that name.
func (m *Module) named(name string) []symbol {
	found, ok := m.names[name]
	if !ok {
		for _, i := range m.table().Named(name) {
			found = append(found, symbol{m, i})
		}
		m.names[name] = found
	}
	return found
}

// visibleIn reports whether code in p, the symbol's parent, sees the symbol by its bare
// name.
func (s symbol) visibleIn(p int) bool {
	if p < 0 {
		return s.owner() == "" || s.top()
	}
	if k := s.table().At(p).Kind; !isType(k) && k != syntax.KindImpl {
		return true
	}
	return s.bareMembers || isType(s.decl().Kind)
}

// inPackage resolves a name to what the files of the folder declare, if they are one
// package, else to what the package of the file declares in other folders.
func (r *resolver) inPackage(m *Module, ref syntax.Ref) resolution {
	if m.languageFamily.prefixKind != folderPrefix {
		return resolution{}
	}
	if v := r.topInSameFolder(m, ref.Name, ref.Kind); !v.none() {
		return v
	}
	for _, i := range m.references().Imports {
		if i.Member == syntax.OwnPackage {
			v := r.importedSymbols(m, i, ref.Name, ref.Kind)
			v.level = min(v.level, SamePackage)
			return v
		}
	}
	return resolution{}
}

// topInSameFolder resolves a name to symbols that are visible in the whole of the module's
// folder.
func (r *resolver) topInSameFolder(m *Module, name string, kind syntax.RefKind) resolution {
	return r.suited(name, r.declaring(name).in(m.Dir), nameRule{m.languageFamily, kind, SamePackage, topOnly})
}

// fromWildcards resolves a name to the symbols of modules that are imported completely.
func (r *resolver) fromWildcards(m *Module, ref syntax.Ref) resolution {
	var all []symbol
	level := Imported
	for _, i := range m.references().Imports {
		if i.Local == "" && i.Member == "*" {
			v := r.importedSymbols(m, i, ref.Name, ref.Kind)
			if len(v.symbols) > 0 {
				level = min(level, v.level)
			}
			all = append(all, v.symbols...)
		}
	}
	return bestSuited(level, ref.Kind, all)
}
