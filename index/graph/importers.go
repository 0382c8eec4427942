package graph

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"ploke-lsp/index/shards"
	"ploke-lsp/internal/syntax"
)

// Importer is an import that leads to a file.
type Importer struct {
	Path string // absolute, of the file that imports
	Line int    // 1-based
}

// Importers returns the imports that lead to the file at an absolute path, in the order of paths
// and lines, each line once. An import of a package that leads to all files of a folder counts only
// if folders is set. The file need not exist.
func (o *Overlay) Importers(ctx context.Context, of string, folders bool) (all []Importer, err error) {
	err = o.resolving(ctx, func(r *resolver) {
		all = nil
		if s := r.ShardOf(r.Canonical(of)); s != nil {
			all = r.importers(s, s.Rel(r.Canonical(of)), folders)
		}
	})
	if err != nil {
		return nil, fmt.Errorf("looking for imports of %s: %w", of, err)
	}
	slices.SortFunc(all, func(a, b Importer) int { return cmp.Or(cmp.Compare(a.Path, b.Path), a.Line-b.Line) })
	return slices.Compact(all), nil
}

func (l *loader) importers(s *shards.Shard, rel string, folders bool) (all []Importer) {
	family := familyOf(syntax.Detect(rel, nil))
	home := family.addressIn(rel)
	leads := func(m *Module, i syntax.Import) bool { return m.leadsTo(i, home) }
	switch family.name {
	case "go":
		home = l.goPath(l.folder(file{s, path.Dir(rel)}))
		leads = func(m *Module, i syntax.Import) bool { return folders && path.Clean(m.target(i).address) == home }
	case javascript:
		leads = func(m *Module, i syntax.Import) bool {
			of, _ := m.fromPackage(i.Path)
			return m.Shard == s && of.rel == rel || of.rel == "" && m.leadsTo(i, home)
		}
	}
	places := l.placesLoading(family, file{s, rel})
	if family.name == "go" {
		places = l.placesHaving(termsOf(path.Base(home)))
	}
	for _, p := range places {
		m := l.moduleOf(p)
		l.load(m)
		if m.languageFamily == nil || m.languageFamily.name != family.name || m.Shard == s && m.Rel == rel {
			continue
		}
		for _, i := range m.references().Imports {
			if i.Path != syntax.OwnFile && leads(m, i) {
				all = append(all, Importer{m.Shard.Path(m.Rel), i.Line})
			}
		}
	}
	return all
}

// placesLoading returns the places of the modules that may import a file: they have the last name of its address, or of
// a package, in their text or their path.
func (l *loader) placesLoading(family *languageFamily, of file) (places []modulePlace) {
	home := family.addressIn(of.Rel)
	names := []string{home}
	if family.name == javascript {
		names = append(names, l.packagesOf(of.Shard).namesOf(of.Rel)...)
	}
	known := map[modulePlace]bool{}
	add := func(found []modulePlace) {
		for _, p := range found {
			if !known[p] {
				known[p] = true
				places = append(places, p)
			}
		}
	}
	for _, name := range names {
		add(l.placesHaving(termsOf(path.Base(name))))
	}
	return places
}

// addressIn returns the address by which imports name a file. Where a whole folder is a package, it is that of the
// type with the file's name.
func (f *languageFamily) addressIn(rel string) string {
	if f.prefixKind == folderPrefix {
		return strings.TrimSuffix(rel, path.Ext(rel))
	}
	return f.prefixOf(rel)
}

// leadsTo reports whether an import names the file with an address, or something in it.
func (m *Module) leadsTo(i syntax.Import, address string) bool {
	t := m.target(i)
	if t.matches(m.languageFamily, address) >= partialMatch {
		return true
	}
	return i.Member != "" && i.Member != "*" && i.Member != syntax.OwnPackage &&
		t.within(i.Member).matches(m.languageFamily, address) >= partialMatch
}
