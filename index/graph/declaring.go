package graph

import (
	"cmp"
	"encoding/binary"
	"path"
	"slices"

	"ploke-lsp/index/postings"
	"ploke-lsp/index/records"
	"ploke-lsp/internal/syntax"
)

// declaringFiles are the files that declare a name, ignoring case.
type declaringFiles struct {
	all     fileSet
	dirs    []*shardFolder                    // of all
	folders map[*shardFolder]*declaringFolder // those that were asked for; nil: it has none of the files
	byBase  map[string][]*shardFolder         // by the last name of their import path; nil: not yet needed
	near    map[*Module]*fileSet              // see nameIndex.near
	unions  map[string]*fileSet               // by the numbers of their folders
}

// declaringFolder has the files of one folder.
type declaringFolder struct {
	fileSet
	number int // that of its first file in all
}

// fileSet is some of the files that declare a name. References to that name that may lead
// to any of these files resolve alike, so their resolutions are kept.
type fileSet struct {
	places   []modulePlace
	files    []*Module  // see loader.modulesOf; nil until they are needed
	parts    []*fileSet // of a union: the files of each folder
	fitting  map[nameRule][]symbol
	resolved map[nameRule]resolution
}

// nameRule says which symbols of a name a reference may mean.
type nameRule struct {
	*languageFamily
	kind    syntax.RefKind
	level   float64 // see resolution
	visible visibility
}

// visibility is a condition on symbols.
type visibility int

const (
	anySymbol visibility = iota
	membersOnly
	topOnly // see symbol.top
)

// includes reports whether the rule is about such symbols.
func (c nameRule) includes(s symbol) bool {
	if s.Module.languageFamily != c.languageFamily {
		return false
	}
	switch c.visible {
	case membersOnly:
		return !s.top() && fitness(c.kind, s.decl().Kind) == 2
	case topOnly:
		return s.top()
	}
	return fitness(c.kind, s.decl().Kind) == 2
}

// nameIndex finds the files and the symbols that have a name. It loads files only when a rule asks for
// their symbols: the files that declare a common name are hundreds, and mostly the folder rules them out.
type nameIndex struct {
	*loader
	declaringFiles map[string]*declaringFiles
}

func newNameIndex(l *loader) *nameIndex { return &nameIndex{l, map[string]*declaringFiles{}} }

// forget forgets what depends on the contents of files.
func (n *nameIndex) forget() {
	for _, d := range n.declaringFiles {
		d.forget()
	}
}

// declaring returns the files with a symbol of that name.
func (n *nameIndex) declaring(name string) *declaringFiles {
	if d, ok := n.declaringFiles[name]; ok {
		return d
	}
	d := n.findDeclaring(name)
	n.declaringFiles[name] = d
	return d
}

// findDeclaring is declaring, without what is remembered.
func (n *nameIndex) findDeclaring(name string) *declaringFiles {
	d := &declaringFiles{folders: map[*shardFolder]*declaringFolder{}}
	exact := postings.Exact(name)
	for _, v := range n.views {
		list := v.Find(exact)
		d.all.places, d.dirs = slices.Grow(d.all.places, list.Docs), slices.Grow(d.dirs, list.Docs)
		for doc, _, ok := list.Next(); ok; doc, _, ok = list.Next() {
			if v.Serves(doc) {
				d.add(modulePlace{v, doc}, n.folderOf(v, doc))
			}
		}
	}
	for _, p := range n.overlaidBeside(d.all.places) {
		if m := n.moduleOf(p); len(m.named(records.LastName(name))) > 0 {
			d.add(p, m.Dir)
		}
	}
	return d
}

func (d *declaringFiles) add(p modulePlace, dir *shardFolder) {
	d.all.places, d.dirs = append(d.all.places, p), append(d.dirs, dir)
}

// folder returns the files in a folder, nil if there are none.
func (d *declaringFiles) folder(dir *shardFolder) *declaringFolder {
	in, known := d.folders[dir]
	if known {
		return in
	}
	for i, other := range d.dirs {
		if other != dir {
			continue
		}
		if in == nil {
			in = &declaringFolder{number: i}
		}
		in.places = append(in.places, d.all.places[i])
	}
	d.folders[dir] = in
	return in
}

// modulesOf returns the modules of the files in a set. Most sets of a name are never needed.
func (l *loader) modulesOf(set *fileSet) []*Module {
	if set.files == nil {
		for _, p := range set.places {
			set.files = append(set.files, l.moduleOf(p))
		}
	}
	return set.files
}

// forget forgets what depends on the contents of files.
func (d *declaringFiles) forget() {
	clear(d.near)
	clear(d.unions)
	clear(d.all.fitting)
	clear(d.all.resolved)
	for _, folder := range d.folders {
		if folder != nil {
			clear(folder.fitting)
			clear(folder.resolved)
		}
	}
}

// withBase returns the folders whose path, or import path, ends in a name.
func (n *nameIndex) withBase(d *declaringFiles, name string) []*shardFolder {
	if d.byBase == nil {
		d.byBase = map[string][]*shardFolder{}
		known := map[*shardFolder]bool{}
		for _, dir := range d.dirs {
			if known[dir] {
				continue
			}
			known[dir] = true
			base, goBase := path.Base(dir.Rel), path.Base(n.goPath(dir))
			d.byBase[base] = append(d.byBase[base], dir)
			if goBase != base {
				d.byBase[goBase] = append(d.byBase[goBase], dir)
			}
		}
	}
	return d.byBase[name]
}

// in returns the files in a folder, an empty set if there are none.
func (d *declaringFiles) in(dir *shardFolder) *fileSet {
	if folder := d.folder(dir); folder != nil {
		return &folder.fileSet
	}
	return &fileSet{}
}

// union returns the files in folders.
func (d *declaringFiles) union(folders []*declaringFolder) *fileSet {
	slices.SortFunc(folders, func(a, b *declaringFolder) int { return cmp.Compare(a.number, b.number) })
	var key []byte
	for _, folder := range folders {
		key = binary.AppendUvarint(key, uint64(folder.number))
	}
	set := d.unions[string(key)]
	if set == nil {
		set = &fileSet{}
		for _, folder := range folders {
			set.places, set.parts = append(set.places, folder.places...), append(set.parts, &folder.fileSet)
		}
		if d.unions == nil {
			d.unions = map[string]*fileSet{}
		}
		d.unions[string(key)] = set
	}
	return set
}

// near returns the files that are in the module's folder, or in a folder that it imports
// from.
//
// Modules of a folder import nearly the same, so their sets are the same union of folders, and what was resolved with
// one of them holds for the others: see union. Folders are looked up by the last
// name of their path (see withBase), so that an import is compared with few of them.
func (n *nameIndex) near(m *Module, files *declaringFiles) *fileSet {
	set := files.near[m]
	if set != nil {
		return set
	}
	var near []*declaringFolder
	add := func(folder *declaringFolder) {
		if !slices.Contains(near, folder) {
			near = append(near, folder)
		}
	}
	if folder := files.folder(m.Dir); folder != nil {
		add(folder)
	}
	for _, t := range m.targets() {
		parent := path.Dir(t.address)
		for _, base := range []string{path.Base(t.address), path.Base(parent)} {
			for _, dir := range n.withBase(files, base) {
				if m.name == "go" && n.goPath(dir) == t.address ||
					m.name != "go" && (endsIn(dir.Rel, t.address) || endsIn(dir.Rel, parent)) {
					add(files.folder(dir))
				}
			}
		}
	}
	set = files.union(near)
	if files.near == nil {
		files.near = map[*Module]*fileSet{}
	}
	files.near[m] = set
	return set
}

// endsIn reports whether a folder's path ends in an address.
func endsIn(dir, address string) bool { return dir == address || hasTail(dir, address) }

// suited returns the symbols of a name in some of the files that declare it.
func (n *nameIndex) suited(name string, in *fileSet, rule nameRule) resolution {
	if len(in.places) == 0 {
		return resolution{level: rule.level}
	}
	v, ok := in.resolved[rule]
	if ok {
		return v
	}
	v = bestSuited(rule.level, rule.kind, n.fitting(name, in, rule))
	if !n.budgetExceeded {
		if in.resolved == nil {
			in.resolved = map[nameRule]resolution{}
		}
		in.resolved[rule] = v
	}
	return v
}

// fitting returns the symbols of a name that a rule includes. Those of a folder are kept, because
// it is in many unions.
func (n *nameIndex) fitting(name string, in *fileSet, rule nameRule) (fit []symbol) {
	if len(in.parts) > 0 {
		if unloadedWords(n.modulesOf(in)) > n.wordBudget {
			n.budgetExceeded = true
			return nil
		}
		for _, part := range in.parts {
			fit = append(fit, n.fitting(name, part, rule)...)
		}
		return fit
	}
	rule.level = 0 // which does not matter
	if fit, ok := in.fitting[rule]; ok {
		return fit
	}
	for _, s := range n.declared(name, n.modulesOf(in)) {
		if rule.includes(s) {
			fit = append(fit, s)
		}
	}
	if !n.budgetExceeded {
		if in.fitting == nil {
			in.fitting = map[nameRule][]symbol{}
		}
		in.fitting[rule] = fit
	}
	return fit
}

// declared returns the symbols of that name in some files.
func (n *nameIndex) declared(name string, files []*Module) (found []symbol) {
	if !n.spendBudget(files) {
		return nil
	}
	for _, m := range files {
		n.load(m)
		found = append(found, m.named(name)...)
	}
	return found
}
