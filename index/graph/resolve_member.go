package graph

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"ploke-lsp/index/records"
	"ploke-lsp/internal/syntax"
)

// maxAncestry is the maximum depth of inheritance.
const maxAncestry = 8

// asMember resolves a name to a member of one of the types, or of their ancestors.
func (r *resolver) asMember(types resolution, ref syntax.Ref) resolution {
	level, seen := types.symbols, []symbol(nil)
	for range maxAncestry {
		var found, above []symbol
		for _, t := range level {
			found = append(found, r.membersOf(t, ref.Name)...)
		}
		if v := bestSuited(types.level, ref.Kind, found); !v.none() {
			return v
		}
		for _, t := range level {
			if !slices.Contains(seen, t) {
				seen = append(seen, t)
				above = append(above, r.parents(t)...)
			}
		}
		if level = above; len(level) == 0 {
			break
		}
	}
	return resolution{}
}

type memberKey struct {
	of   symbol
	name string
}

// membersOf returns the members of a type with that name: in the type's file, otherwise in
// its folder, otherwise anywhere, in an extension or another part of the type. A member
// that a header declares is also searched everywhere.
func (r *resolver) membersOf(t symbol, name string) (found []symbol) {
	key := memberKey{t, name}
	if known, ok := r.members[key]; ok {
		return known
	}
	owner := string(t.decl().Name)
	for reach := range t.memberReach + 1 {
		if len(found) > 0 && t.Module.languageFamily.prefixKind != pathPrefix {
			break
		}
		for _, s := range r.declared(name, r.memberFiles(t, owner+"::"+name, reach)) {
			if s.Module.languageFamily == t.Module.languageFamily && s.owner() == owner && !slices.Contains(found, s) {
				found = append(found, s)
			}
		}
	}
	r.members[key] = found
	return found
}

// memberFiles returns the files that may declare a member of a type, as far from it as the reach says.
func (r *resolver) memberFiles(t symbol, member string, reach declarationReach) []*Module {
	switch reach {
	case inFile:
		return []*Module{t.Module}
	case inFolder:
		return r.modulesOf(r.declaring(member).in(t.Dir))
	}
	return r.modulesOf(&r.declaring(member).all)
}

// parents returns the types that a type inherits from, embeds, or is an alias of.
func (r *resolver) parents(t symbol) (found []symbol) {
	if known, ok := r.ancestors[t]; ok {
		return known
	}
	r.ancestors[t] = nil // ends a cycle
	for _, ref := range t.inherited() {
		if ref.From == t.at || ref.From >= 0 && bytes.Equal(t.table().At(ref.From).Name, t.decl().Name) {
			found = append(found, r.resolve(t.Module, ref).symbols...)
		}
	}
	if t.decl().Kind == syntax.KindType {
		if ref, ok := t.references().FirstType(t.at); ok {
			found = append(found, r.resolve(t.Module, ref).symbols...)
		}
	}
	r.ancestors[t] = found
	return found
}

// typesOf returns the types of that name that a place in the module sees.
func (r *resolver) typesOf(m *Module, name string, from int) resolution {
	if strings.HasSuffix(name, syntax.Result) {
		return r.resultOf(m, name, from)
	}
	if of, field, ok := cutField(name); ok {
		return r.fieldOf(m, of, field, from)
	}
	if m.enclosing(from) == name {
		return r.enclosingTypes(m, from)
	}
	if end := strings.LastIndexByte(name, '\\') + 1; end > 0 {
		return (namespaces{r}).inNamespace(m,
			syntax.Ref{Name: name[end:], Qualifier: name[:end], Kind: syntax.RefType, From: from})
	}
	named := m.references().TypesNamed(name)
	if len(named) == 0 {
		return r.resolve(m, syntax.Ref{Name: name, Kind: syntax.RefType, From: from})
	}
	at := max(slices.IndexFunc(named, func(ref records.Reference) bool { return ref.From == from }), 0)
	return r.resolve(m, m.references().Ref(&named[at]))
}

// cutField splits a receiver that is the value of a field: T.f.
func cutField(receiver string) (of, field string, ok bool) {
	dot := strings.LastIndexByte(receiver, '.')
	if dot < 0 || strings.HasSuffix(receiver, syntax.Result) {
		return "", "", false
	}
	return receiver[:dot], receiver[dot+1:], true
}

// fieldOf returns the types of a field.
func (r *resolver) fieldOf(m *Module, of, field string, from int) resolution {
	fields := r.asMember(r.typesOf(m, of, from), syntax.Ref{Name: field, Kind: syntax.RefUse, From: from})
	var types []symbol
	for _, f := range fields.symbols {
		if records.IsValue(f.decl().Kind) {
			types = append(types, r.typeOf(f).types...)
		}
	}
	return bestSuited(min(Typed, fields.level), syntax.RefType, types)
}

// enclosingTypes returns the types that enclose a place.
func (r *resolver) enclosingTypes(m *Module, from int) resolution {
	name := m.enclosing(from)
	if name == "" {
		return resolution{}
	}
	v := r.resolve(m, syntax.Ref{Name: name, Kind: syntax.RefType, From: -1})
	if v.none() { // for example in a nested type, or in an extension of a type elsewhere
		for _, s := range m.named(name) {
			if isType(s.decl().Kind) || s.decl().Kind == syntax.KindImpl {
				v.symbols, v.count = append(v.symbols, s), 1
			}
		}
	}
	v.level = Proven
	return v
}

// enclosing returns the name of the type that encloses a place, "" for none.
func (m *Module) enclosing(from int) string {
	if last := &m.enclosed; !last.known || last.from != from {
		*last = enclosed{true, from, m.enclosingType(from)}
	}
	return m.enclosed.by
}

func (m *Module) enclosingType(from int) string {
	for p := from; p >= 0; p = m.table().At(p).Parent {
		s := symbol{m, p}
		k := s.decl().Kind
		if isType(k) || k == syntax.KindImpl || k == syntax.KindModule && m.bareMembers {
			return string(s.decl().Name)
		}
		if s.decl().Parent < 0 {
			return s.owner()
		}
	}
	return ""
}

// ofSuper resolves a member of a parent of the enclosing type.
func (r *resolver) ofSuper(m *Module, ref syntax.Ref) resolution {
	switch ref.Qualifier {
	case "super", "base", "parent":
		v := r.enclosingTypes(m, ref.From)
		var above []symbol
		for _, t := range v.symbols {
			above = append(above, r.parents(t)...)
		}
		return r.asMember(bestSuited(Proven, syntax.RefType, above), ref)
	}
	return resolution{}
}

// ofNamed resolves a member of the type or namespace that the qualifier names.
func (r *resolver) ofNamed(m *Module, ref syntax.Ref) resolution {
	if m.name == "go" { // other qualifiers are local variables or imports
		types := r.topInSameFolder(m, ref.Qualifier, syntax.RefType)
		if !types.none() { // otherwise to look for what is embedded costs more than it finds
			if embedded := r.embedded(m, ref); len(embedded) > 0 {
				types = bestSuited(Typed, syntax.RefType, embedded)
			}
		}
		return r.asMember(types, ref)
	}
	return r.asMember(r.resolve(m, syntax.Ref{Name: ref.Qualifier, Kind: syntax.RefType, From: ref.From}), ref)
}

// embedded returns the types with the qualifier's name that the enclosing type embeds, as in s.Backend.Save.
func (r *resolver) embedded(m *Module, ref syntax.Ref) (found []symbol) {
	for _, t := range r.enclosingTypes(m, ref.From).symbols {
		if !slices.ContainsFunc(t.inherited(), func(i syntax.Ref) bool { return i.Name == ref.Qualifier }) {
			continue
		}
		for _, parent := range r.parents(t) {
			if string(parent.decl().Name) == ref.Qualifier {
				found = append(found, parent)
			}
		}
	}
	return found
}

// ofFile resolves a symbol of the file that the qualifier names, in languages whose files
// are modules. In JavaScript, exports is the file itself.
func (r *resolver) ofFile(m *Module, ref syntax.Ref) resolution {
	if m.name == javascript && ref.Qualifier == "exports" {
		return bestSuited(Imported, ref.Kind, (exporting{r}).exports(m, ref.Name))
	}
	if m.strict || m.languageFamily.prefixKind != filePrefix {
		return resolution{}
	}
	if m.name == "rust" {
		if _, named := m.crate(ref.Qualifier); named || ref.Qualifier == "crate" {
			return r.importedSymbols(m, syntax.Import{Path: ref.Qualifier, Local: ref.Qualifier}, ref.Name, ref.Kind)
		}
	}
	var found []symbol
	files := slices.DeleteFunc(slices.Clone(r.modulesOf(&r.declaring(ref.Name).all)), func(o *Module) bool {
		return !strings.EqualFold(path.Base(m.prefixOf(o.Rel)), ref.Qualifier)
	})
	for _, s := range r.declared(ref.Name, files) {
		if s.Module.languageFamily == m.languageFamily && s.top() {
			found = append(found, s)
		}
	}
	return bestSuited(Imported, ref.Kind, found)
}

// ofValue resolves a member of the type of the qualifier, if that is a field or variable
// of the enclosing type, the file or the package.
func (r *resolver) ofValue(m *Module, ref syntax.Ref) resolution {
	var values []symbol
	around := m.enclosing(ref.From)
	for _, s := range r.declared(ref.Qualifier, r.modulesOf(r.declaring(ref.Qualifier).in(m.Dir))) {
		if s.Module.languageFamily != m.languageFamily || !records.IsValue(s.decl().Kind) ||
			s.Module != m && m.languageFamily.prefixKind != folderPrefix {
			continue
		}
		if around != "" && s.owner() == around {
			values = []symbol{s}
			break
		}
		values = append(values, s)
	}
	var types []symbol
	others := 0
	for _, s := range values {
		of := r.typeOf(s)
		types = append(types, of.types...)
		if of.foreign {
			others++
		}
	}
	if others > 0 && others == len(values) {
		return foreign
	}
	return r.asMember(bestSuited(Typed, syntax.RefType, types), ref)
}

// valueType is the possible types of a field or variable.
type valueType struct {
	types   []symbol
	foreign bool // it is one of a Go package that the workspace does not have
}

// typeOf returns the possible types of a field or variable.
func (r *resolver) typeOf(value symbol) valueType {
	of, ok := r.values[value]
	if !ok {
		if t, ok := value.references().FirstType(value.at); ok {
			v := r.resolve(value.Module, t)
			of.types = v.symbols
			of.foreign = value.Module.name == "go" && v.none() && t.Qualifier != "" && value.references().Imported(t.Qualifier)
		}
		r.values[value] = of
	}
	return of
}
