package graph

import (
	"cmp"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"

	"ploke-lsp/index/shards"
)

// packages are those of a shard that its manifests name. They are read when they are first needed.
type packages struct {
	read   func() []shards.Package
	source func(path string, of endings) string // see loader.source
	known  bool

	modules              map[string]string // the import paths of Go modules, by folder
	node, crates, python ecosystem
}

// ecosystem has the packages of a kind of manifests.
type ecosystem struct {
	byName, byFolder map[string]shards.Package
	aliases          map[string]shards.Package // by folder, see shards.Package.Aliases
	renames          map[string]map[string]string
	found            map[[2]string]imported // by folder and name
}

func newEcosystem() ecosystem {
	return ecosystem{map[string]shards.Package{}, map[string]shards.Package{}, map[string]shards.Package{},
		map[string]map[string]string{}, map[[2]string]imported{}}
}

// packagesOf returns the packages of a shard.
func (l *loader) packagesOf(s *shards.Shard) *packages {
	p := l.packages[s]
	if p == nil {
		p = &packages{read: func() []shards.Package {
			all, err := l.Reader.Packages(l.ctx, s)
			l.err = cmp.Or(l.err, err)
			return all
		}, source: func(path string, of endings) string { return l.source(s, path, of) }}
		l.packages[s] = p
	}
	return p
}

func (p *packages) load() {
	if p.known {
		return
	}
	p.known = true
	p.modules, p.node, p.crates, p.python = map[string]string{}, newEcosystem(), newEcosystem(), newEcosystem()
	for _, of := range p.read() {
		switch of.Manifest {
		case "go.mod":
			if of.Name != "" {
				p.modules[of.Folder] = of.Name
			}
		case "Cargo.toml":
			p.crates.add(of)
		case "pyproject.toml", "setup.cfg":
			p.python.add(of)
		default:
			p.node.add(of)
		}
	}
}

func (e *ecosystem) add(of shards.Package) {
	for _, name := range []string{of.Name, of.Listed} {
		if _, twice := e.byName[name]; name != "" && !twice {
			e.byName[name] = of
		}
	}
	if of.Name != "" {
		e.byFolder[of.Folder] = of
	}
	if len(of.Renames) > 0 {
		e.renames[of.Folder] = of.Renames
	}
	if other, ok := e.aliases[of.Folder]; len(of.Aliases) > 0 && (!ok || len(of.Manifest) < len(other.Manifest)) {
		e.aliases[of.Folder] = of
	}
}

// named returns the package that a name means in a folder.
func (e *ecosystem) named(dir, name string) (of shards.Package, ok bool) {
	for at := range above(dir) {
		if len(e.renames) == 0 {
			break
		}
		switch other := e.renames[at][name]; {
		case other == "":
		case other[0] == '.':
			of, ok = e.byFolder[path.Join(at, other)]
			return of, ok
		default:
			of, ok = e.byName[other]
			return of, ok
		}
	}
	of, ok = e.byName[name]
	return of, ok
}

// around returns the package that a folder is in.
func (e *ecosystem) around(dir string) (of shards.Package, ok bool) {
	for at := range above(dir) {
		if of, ok = e.byFolder[at]; ok {
			return of, true
		}
	}
	return of, false
}

// once returns what find finds for a name in a folder, and keeps it.
func (e *ecosystem) once(dir, name string, find func(dir, name string) imported) (found imported, ok bool) {
	key := [2]string{dir, name}
	found, known := e.found[key]
	if !known {
		found = find(dir, name)
		e.found[key] = found
	}
	return found, found.rel != ""
}

// above returns a folder and those around it.
func above(dir string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for yield(dir) && dir != "." && dir != "/" {
			dir = path.Dir(dir)
		}
	}
}

// goModules returns the import paths of the Go modules, by their folders.
func (p *packages) goModules() map[string]string {
	p.load()
	return p.modules
}

// imported is the file that an import names by a package or an alias.
type imported struct {
	rel    string // of the file, in the shard
	inside string // the folder of the package's code, "" for an alias
}

// script returns the file that an import of JavaScript in a folder means by the name of a package in the shard, or by
// an alias of the compiler's settings. ok is false if that is no file of the shard.
func (p *packages) script(dir, name string) (found imported, ok bool) {
	p.load()
	return p.node.once(dir, name, p.findScript)
}

func (p *packages) findScript(dir, name string) imported {
	if rel := p.aliased(&p.node, dir, name, javascriptEndings); rel != "" {
		return imported{rel, ""}
	}
	for cut := len(name); cut > 0; cut = strings.LastIndexByte(name[:cut], '/') {
		of, ok := p.node.named(dir, name[:cut])
		if !ok {
			continue
		}
		sub := "." + name[cut:]
		return imported{p.first(append(behind(of.Exports, of.Folder, sub), path.Join(of.Folder, "src", sub),
			path.Join(of.Folder, sub)), javascriptEndings), of.Folder}
	}
	return imported{}
}

// aliased returns the file that a name stands for by the aliases of a folder and those around it, or "".
func (p *packages) aliased(e *ecosystem, dir, name string, of endings) string {
	for at := range above(dir) {
		if len(e.aliases) == 0 {
			break
		}
		if rel := p.first(behind(e.aliases[at].Aliases, at, name), of); rel != "" {
			return rel
		}
	}
	return ""
}

// module returns the file of a module of Python that a file in a folder imports by its whole name, with slashes. It
// looks where manifests say that packages are, in the folder that has the outermost package around the file, and in
// those around that.
func (p *packages) module(dir, name string) (found imported, ok bool) {
	p.load()
	return p.python.once(dir, name, func(dir, name string) imported {
		if rel := p.aliased(&p.python, dir, name, pythonEndings); rel != "" {
			return imported{rel, ""}
		}
		for dir != "." && p.source(path.Join(dir, "__init__"), pythonEndings) != "" {
			dir = path.Dir(dir)
		}
		for at := range above(dir) {
			rel := p.first([]string{path.Join(at, name), path.Join(at, "src", name)}, pythonEndings)
			if rel != "" {
				return imported{rel, ""}
			}
		}
		return imported{}
	})
}

// crate returns the root of a crate's library that a file in a folder means by a name. The library need not exist.
func (p *packages) crate(dir, name string) (found imported, ok bool) {
	p.load()
	of, ok := p.crates.named(dir, name)
	if !ok {
		return found, false
	}
	return libraryOf(of), true
}

// ownCrate returns the root of the crate whose library, or main program, a file belongs to.
func (p *packages) ownCrate(rel string) (found imported, ok bool) {
	p.load()
	of, ok := p.crates.around(path.Dir(rel))
	if !ok {
		return found, false
	}
	found = libraryOf(of)
	rest, within := rel, true
	if found.inside != "." {
		rest, within = strings.CutPrefix(rel, found.inside+"/")
	}
	return found, within && !strings.HasPrefix(rest, "bin/")
}

func libraryOf(of shards.Package) imported {
	rel := path.Join(of.Folder, of.Exports["."][0])
	return imported{rel, path.Dir(rel)}
}

// namesOf returns the names of the packages whose imports lead to a file, without those of files behind the name.
func (p *packages) namesOf(rel string) (names []string) {
	p.load()
	for name := range p.node.byName {
		if of, ok := p.script(".", name); ok && of.rel == rel {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// first returns the first of the paths that is a source file, or "".
func (p *packages) first(paths []string, of endings) string {
	for _, rel := range paths {
		if rel = p.source(rel, of); rel != "" {
			return rel
		}
	}
	return ""
}

// behind returns the files behind a name, in a folder. The pattern with the longest beginning decides.
func behind(patterns map[string][]string, folder, name string) (files []string) {
	longest := -1
	for _, pattern := range slices.Sorted(maps.Keys(patterns)) {
		before, after, wild := strings.Cut(pattern, "*")
		rest, ok := strings.CutPrefix(name, before)
		if !ok || !wild && rest != "" || wild && !strings.HasSuffix(rest, after) || len(before) <= longest {
			continue
		}
		longest, files = len(before), nil
		for _, target := range patterns[pattern] {
			files = append(files, path.Join(folder, strings.Replace(target, "*", strings.TrimSuffix(rest, after), 1)))
		}
	}
	return files
}

// The endings of files that an import may leave out, and the names of files that stand for their folder, in the order
// in which they are tried.
var (
	javascriptEndings = endings{[]string{".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mts", ".cts", ".mjs", ".cjs"},
		[]string{"index"}}
	pythonEndings = endings{[]string{".py", ".pyi"}, []string{"__init__"}}
	rustEndings   = endings{[]string{".rs"}, []string{"mod", "lib", "main"}}
)

type endings struct {
	files, index []string
}

// source returns the path in the shard of the source file that a path means without its ending, or with that of what
// is built from it, or "".
func (l *loader) source(s *shards.Shard, rel string, of endings) string {
	names := []string{sourceEnding.ReplaceAllString(rel, "")}
	for _, index := range of.index {
		names = append(names, path.Join(names[0], index))
	}
	for _, name := range names {
		for _, ending := range of.files {
			if m, v, _ := l.located(s.Path(name + ending)); m != nil || v != nil {
				return name + ending
			}
		}
	}
	return ""
}
