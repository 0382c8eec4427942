package graph

import (
	"path"
	"slices"
	"strings"

	"ploke-lsp/internal/syntax"
)

// rulesOut reports whether a reference certainly does not mean a symbol. It may be false where
// resolve does not find the symbol, too. Of a common name, most references in Go are ruled out by
// imports and folders, and the files that declare the symbols that they may mean instead are not
// read.
func (r *resolver) rulesOut(wanted symbol, m *Module, ref syntax.Ref) bool {
	if m.name != "go" || ref.Kind == syntax.RefImport {
		return false
	}
	if fitness(ref.Kind, wanted.decl().Kind) == 0 {
		return true
	}
	if ref.Qualifier != "" && ref.Receiver != "" && !strings.HasSuffix(ref.Receiver, syntax.Result) {
		if names := carriersOf(r, wanted); names != nil && !names[ref.Receiver] {
			return true
		}
	}
	if v, decides := r.ofReceiver(m, ref); decides {
		return !v.means(wanted)
	}
	switch {
	case ref.Qualifier == "":
		return false
	case m.references().Imported(ref.Qualifier):
		return !r.imports(m, ref.Qualifier, r.ownFolder(wanted))
	}
	if v := r.ofQualifier(m, ref); !v.none() {
		return !v.means(wanted)
	}
	return r.nameRulesOut(wanted, m, ref)
}

// carriersOf is loader.carriers, which is asked once for a symbol.
func carriersOf(r *resolver, of symbol) map[string]bool {
	names, known := r.carriers[of]
	if !known {
		names = r.carrying(of)
		r.carriers[of] = names
	}
	return names
}

// maxCarrying is the maximum number of files that name a type for which its carriers are looked for.
const maxCarrying = 64

// carrying returns the names of the types that have a member of Go, of their own or of a type that they embed or are
// made of; nil if too many files name one of them. A member of a type with another name is another one, so most
// references to a common name need not be resolved.
func (l *loader) carrying(member symbol) map[string]bool {
	names := map[string]bool{}
	for next := []string{member.owner()}; len(next) > 0; next = next[1:] {
		if names[next[0]] || next[0] == "" {
			continue
		}
		names[next[0]] = true
		places := l.placesHaving(termsOf(next[0]))
		if len(places) > maxCarrying {
			return nil
		}
		for _, p := range places {
			if m := l.mentioning(p, next[0]); m != nil && m.name == "go" {
				next = append(next, m.madeOf(next[0])...)
			}
		}
	}
	return names
}

// madeOf returns the names of the module's types that embed a type of that name, or are declared by it.
func (m *Module) madeOf(name string) (names []string) {
	for _, ref := range m.inherited() {
		if ref.Name == name && ref.From >= 0 {
			names = append(names, string(m.table().At(ref.From).Name))
		}
	}
	for at := range m.table().Count() {
		if d := m.table().At(at); d.Kind == syntax.KindType {
			if t, ok := m.references().FirstType(at); ok && t.Name == name {
				names = append(names, string(d.Name))
			}
		}
	}
	return names
}

// ownFolder returns the folder of a symbol that may be one of another resolver, which runs at the
// same time and stores what it learns in its folders.
func (r *resolver) ownFolder(of symbol) *shardFolder { return r.folder(of.Dir.file) }

// imports reports whether a Go file imports a folder under a name.
func (l *loader) imports(m *Module, name string, dir *shardFolder) bool {
	for i, t := range m.targets() {
		if m.references().Imports[i].Local == name && path.Clean(t.address) == l.goPath(dir) {
			return true
		}
	}
	return false
}

// nameRulesOut reports whether the symbols that a Go file sees have a member for a reference, and
// the wanted symbol is not in their folders. Then byName does not lead to it.
func (r *resolver) nameRulesOut(wanted symbol, m *Module, ref syntax.Ref) bool {
	files := r.declaring(ref.Name)
	home := files.in(r.ownFolder(wanted))
	if !exported(ref.Name) {
		return files.in(m.Dir) != home && len(files.in(m.Dir).places) <= maxDeclaringFiles
	}
	near := r.near(m, files)
	return len(near.places) <= maxDeclaringFiles && !slices.Contains(near.parts, home) &&
		r.fits(ref.Name, near.parts, nameRule{m.languageFamily, ref.Kind, NameInScope, membersOnly})
}

// fits reports whether a rule includes a symbol of a name in any of the folders. It first asks those that are known.
func (r *resolver) fits(name string, folders []*fileSet, rule nameRule) bool {
	rule.level = 0
	return slices.ContainsFunc(folders, func(in *fileSet) bool { return len(in.fitting[rule]) > 0 }) ||
		slices.ContainsFunc(folders, func(in *fileSet) bool { return len(r.fitting(name, in, rule)) > 0 })
}
