package graph

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"ploke-lsp/index/shards"
)

// packages are those of a shard that its manifests name. They are read when they are first needed.
type packages struct {
	read   func() []shards.Package
	source func(path string) string // see loader.source
	known  bool

	modules map[string]string         // the import paths of Go modules, by folder
	node    map[string]shards.Package // by name
	aliases map[string]shards.Package // by folder
	found   map[[2]string]imported    // by folder and name
}

// packagesOf returns the packages of a shard.
func (l *loader) packagesOf(s *shards.Shard) *packages {
	p := l.packages[s]
	if p == nil {
		p = &packages{read: func() []shards.Package {
			all, err := l.Reader.Packages(l.ctx, s)
			l.err = cmp.Or(l.err, err)
			return all
		}, source: func(path string) string { return l.source(s, path, javascriptEndings) }}
		l.packages[s] = p
	}
	return p
}

func (p *packages) load() {
	if p.known {
		return
	}
	p.known = true
	p.modules, p.node = map[string]string{}, map[string]shards.Package{}
	p.aliases, p.found = map[string]shards.Package{}, map[[2]string]imported{}
	for _, of := range p.read() {
		_, twice := p.node[of.Name]
		switch {
		case of.Manifest == "go.mod" && of.Name != "":
			p.modules[of.Folder] = of.Name
		case of.Name != "" && !twice:
			p.node[of.Name] = of
		case len(of.Aliases) > 0:
			if other, ok := p.aliases[of.Folder]; !ok || len(of.Manifest) < len(other.Manifest) {
				p.aliases[of.Folder] = of
			}
		}
	}
}

// goModules returns the import paths of the Go modules, by their folders.
func (p *packages) goModules() map[string]string {
	p.load()
	return p.modules
}

// imported is the file that an import of JavaScript names by a package or an alias.
type imported struct {
	rel    string // of the file, in the shard
	inside string // the folder of its package, "" for an alias
}

// imported returns the file that an import in a folder means by the name of a package in the shard, or by an alias of
// the compiler's settings. ok is false if that is no file of the shard.
func (p *packages) imported(dir, name string) (found imported, ok bool) {
	p.load()
	key := [2]string{dir, name}
	found, known := p.found[key]
	if !known {
		found = p.find(dir, name)
		p.found[key] = found
	}
	return found, found.rel != ""
}

func (p *packages) find(dir, name string) imported {
	for at := dir; len(p.aliases) > 0; at = path.Dir(at) {
		if rel := p.first(behind(p.aliases[at].Aliases, at, name)); rel != "" {
			return imported{rel, ""}
		}
		if at == "." {
			break
		}
	}
	for cut := len(name); cut > 0; cut = strings.LastIndexByte(name[:cut], '/') {
		of, ok := p.node[name[:cut]]
		if !ok {
			continue
		}
		sub := "." + name[cut:]
		return imported{p.first(append(behind(of.Exports, of.Folder, sub), path.Join(of.Folder, "src", sub),
			path.Join(of.Folder, sub))), of.Folder}
	}
	return imported{}
}

// namesOf returns the names of the packages whose imports lead to a file, without those of files behind the name.
func (p *packages) namesOf(rel string) (names []string) {
	p.load()
	for name := range p.node {
		if of, ok := p.imported(".", name); ok && of.rel == rel {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// first returns the first of the paths that is a source file, or "".
func (p *packages) first(paths []string) string {
	for _, rel := range paths {
		if rel = p.source(rel); rel != "" {
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
	javascriptEndings = endings{[]string{".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mts", ".cts", ".mjs", ".cjs"}, "index"}
	pythonEndings     = endings{[]string{".py", ".pyi"}, "__init__"}
)

type endings struct {
	files []string
	index string
}

// source returns the path in the shard of the source file that a path means without its ending, or with that of what
// is built from it, or "".
func (l *loader) source(s *shards.Shard, rel string, of endings) string {
	bare := sourceEnding.ReplaceAllString(rel, "")
	for _, name := range []string{bare, path.Join(bare, of.index)} {
		for _, ending := range of.files {
			if m, v, _ := l.located(s.Path(name + ending)); m != nil || v != nil {
				return name + ending
			}
		}
	}
	return ""
}
