package index

import (
	"cmp"
	"encoding/binary"
	"path"
	"slices"

	"ploke-lsp/index/postings"
	"ploke-lsp/internal/syntax"
)

// declaringFiles are the files that declare a name, ignoring case.
type declaringFiles struct {
	all     fileSet
	folders map[*folder]*declaringFolder
	byBase  map[string][]*declaringFolder // by the last name of their import path; nil: not yet needed
	near    map[*module]*fileSet          // see resolver.near
	unions  map[string]*fileSet           // by the numbers of their folders
}

// declaringFolder has the files of one folder.
type declaringFolder struct {
	fileSet
	dir    *folder
	number int
}

// fileSet is some of the files that declare a name. References to that name that may lead
// to any of these files resolve alike, so their resolutions are kept.
type fileSet struct {
	files    []*module
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
	if s.module.languageFamily != c.languageFamily {
		return false
	}
	switch c.visible {
	case membersOnly:
		return !s.top() && fitness(c.kind, s.decl().kind) == 2
	case topOnly:
		return s.top()
	}
	return fitness(c.kind, s.decl().kind) == 2
}

// declaring returns the files with a symbol of that name.
func (r *resolver) declaring(name string) *declaringFiles {
	d, ok := r.declaringFiles[name]
	if ok {
		return d
	}
	d = &declaringFiles{folders: map[*folder]*declaringFolder{}}
	var all []*module
	for _, v := range r.views {
		list := v.Find(postings.Exact(name))
		for doc, _, ok := list.Next(); ok; doc, _, ok = list.Next() {
			if v.serves(doc) {
				all = append(all, r.document(v, doc))
			}
		}
	}
	d.all.files = r.withOverlaid(all, func(m *module) bool { return len(m.named(lastName(name))) > 0 })
	for _, m := range d.all.files {
		folder := d.folders[m.dir]
		if folder == nil {
			folder = &declaringFolder{dir: m.dir, number: len(d.folders)}
			d.folders[m.dir] = folder
		}
		folder.files = append(folder.files, m)
	}
	r.declaringFiles[name] = d
	return d
}

// forget forgets what depends on the contents of files.
func (d *declaringFiles) forget() {
	clear(d.near)
	clear(d.unions)
	clear(d.all.fitting)
	clear(d.all.resolved)
	for _, folder := range d.folders {
		clear(folder.fitting)
		clear(folder.resolved)
	}
}

// withBase returns the folders whose path, or import path, ends in a name.
func (r *resolver) withBase(d *declaringFiles, name string) []*declaringFolder {
	if d.byBase == nil {
		d.byBase = map[string][]*declaringFolder{}
		for _, m := range d.all.files {
			folder := d.folders[m.dir]
			if folder.files[0] != m {
				continue
			}
			base, goBase := path.Base(m.dir.rel), path.Base(r.goPath(m.dir))
			d.byBase[base] = append(d.byBase[base], folder)
			if goBase != base {
				d.byBase[goBase] = append(d.byBase[goBase], folder)
			}
		}
	}
	return d.byBase[name]
}

// in returns the files in a folder.
func (d *declaringFiles) in(dir *folder) *fileSet {
	if folder := d.folders[dir]; folder != nil {
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
			set.files, set.parts = append(set.files, folder.files...), append(set.parts, &folder.fileSet)
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
func (r *resolver) near(m *module, files *declaringFiles) *fileSet {
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
	if folder := files.folders[m.dir]; folder != nil {
		add(folder)
	}
	for _, t := range m.targets() {
		parent := path.Dir(t.address)
		for _, base := range []string{path.Base(t.address), path.Base(parent)} {
			for _, folder := range r.withBase(files, base) {
				if m.name == "go" && r.goPath(folder.dir) == t.address ||
					m.name != "go" && (endsIn(folder.dir.rel, t.address) || endsIn(folder.dir.rel, parent)) {
					add(folder)
				}
			}
		}
	}
	set = files.union(near)
	if files.near == nil {
		files.near = map[*module]*fileSet{}
	}
	files.near[m] = set
	return set
}

// endsIn reports whether a folder's path ends in an address.
func endsIn(dir, address string) bool { return dir == address || hasTail(dir, address) }

// suited returns the symbols of a name in some of the files that declare it.
func (r *resolver) suited(name string, in *fileSet, rule nameRule) resolution {
	if len(in.files) == 0 {
		return resolution{level: rule.level}
	}
	v, ok := in.resolved[rule]
	if ok {
		return v
	}
	v = bestSuited(rule.level, rule.kind, r.fitting(name, in, rule))
	if !r.budgetExceeded {
		if in.resolved == nil {
			in.resolved = map[nameRule]resolution{}
		}
		in.resolved[rule] = v
	}
	return v
}

// fitting returns the symbols of a name that a rule includes. Those of a folder are kept, because
// it is in many unions.
func (r *resolver) fitting(name string, in *fileSet, rule nameRule) (fit []symbol) {
	if len(in.parts) > 0 {
		if unloadedWords(in.files) > r.wordBudget {
			r.budgetExceeded = true
			return nil
		}
		for _, part := range in.parts {
			fit = append(fit, r.fitting(name, part, rule)...)
		}
		return fit
	}
	rule.level = 0 // which does not matter
	if fit, ok := in.fitting[rule]; ok {
		return fit
	}
	for _, s := range r.declared(name, in.files) {
		if rule.includes(s) {
			fit = append(fit, s)
		}
	}
	if !r.budgetExceeded {
		if in.fitting == nil {
			in.fitting = map[nameRule][]symbol{}
		}
		in.fitting[rule] = fit
	}
	return fit
}

// declared returns the symbols of that name in some files.
func (r *resolver) declared(name string, files []*module) (found []symbol) {
	if !r.spendBudget(files) {
		return nil
	}
	for _, m := range files {
		r.load(m)
		found = append(found, m.named(name)...)
	}
	return found
}
