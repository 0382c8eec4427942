package graph

import (
	"path"
	"slices"
	"strings"

	"ploke-lsp/internal/syntax"
)

// php is the name of the family of PHP. What its imports and paths name is a full name: that of a namespace, which
// the files write, and not of a folder.
const php = "php"

// namespaces are the rules of PHP's full names.
type namespaces struct{ *resolver }

// inNamespace resolves a name of PHP whose qualifier is a path: \A\f, A\f or namespace\f. It decides alone.
func (r namespaces) inNamespace(m *Module, ref syntax.Ref) resolution {
	names := strings.Split(ref.Qualifier+ref.Name, `\`)
	switch names[0] {
	case "":
		names = names[1:]
	case "namespace":
		names = append(m.namespaceOf(ref.From), names[1:]...)
	default:
		imported := slices.IndexFunc(m.references().Imports, func(i syntax.Import) bool { return i.Local == names[0] })
		if imported < 0 {
			names = append(m.namespaceOf(ref.From), names...)
			break
		}
		t := m.target(m.references().Imports[imported])
		if member := m.references().Imports[imported].Member; member != "" {
			t = t.within(member)
		}
		names = append([]string{t.address}, names[1:]...)
	}
	return r.ofFullName(m, path.Join(names...), ref.Kind)
}

// inOwnNamespace resolves a name of PHP without a qualifier to what the namespace of its place declares. If it
// declares no such function, that without a namespace is meant.
func (r namespaces) inOwnNamespace(m *Module, ref syntax.Ref) resolution {
	v := r.ofFullName(m, path.Join(append(m.namespaceOf(ref.From), ref.Name)...), ref.Kind)
	if v.none() && ref.Kind == syntax.RefCall {
		v = r.ofFullName(m, ref.Name, ref.Kind)
	}
	v.level = min(v.level, SamePackage)
	return v
}

// ofFullName resolves a full name of PHP, with slashes. Namespaces themselves are not meant.
func (r namespaces) ofFullName(m *Module, name string, kind syntax.RefKind) resolution {
	found := r.reach(m, importTarget{address: name, exact: true}, false)[exactMatch]
	return bestSuited(Imported, kind, slices.DeleteFunc(slices.Clone(found),
		func(s symbol) bool { return s.decl().Kind == syntax.KindNamespace }))
}

// namespaceOf returns the names of the namespace around a symbol of PHP, or around a place outside of symbols.
func (m *Module) namespaceOf(from int) []string {
	for from >= 0 && m.table().At(from).Parent >= 0 {
		from = m.table().At(from).Parent
	}
	if from < 0 { // the first namespace of the file
		for from = 0; from < m.table().Count() && m.table().At(from).Kind != syntax.KindNamespace; {
			from++
		}
		from = min(from, m.table().Count()-1)
	}
	for ; from >= 0; from-- {
		if s := m.table().At(from); s.Kind == syntax.KindNamespace && s.Parent < 0 {
			return strings.Split(string(s.Name), `\`)
		}
	}
	return nil
}

// fullName returns the full name of a symbol of PHP, with slashes.
func (s symbol) fullName() string {
	names := s.parts()
	for p := s.at; ; p = s.table().At(p).Parent {
		if d := s.table().At(p); d.Parent < 0 {
			if d.Kind != syntax.KindNamespace { // a namespace with braces is in its address
				names = append(s.namespaceOf(p), names...)
			}
			break
		}
	}
	return strings.ReplaceAll(path.Join(names...), `\`, "/")
}
