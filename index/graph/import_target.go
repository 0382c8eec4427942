package graph

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/internal/syntax"
)

// importTarget is what an import refers to: the address of a module, or of a symbol in one.
type importTarget struct {
	address string // slash-separated
	exact   bool   // from the root of the shard; otherwise the beginning may be missing
}

// target returns what one of the module's imports refers to.
func (m *Module) target(i syntax.Import) importTarget {
	switch {
	case i.Path == syntax.OwnFile:
		return importTarget{address: m.prefix, exact: true}
	case m.name == "python":
		return m.dotted(i.Path)
	case m.separator == "::":
		return m.inCrate(strings.Split(i.Path, "::"))
	case m.separator == "/":
		return m.slashed(i.Path)
	}
	return importTarget{address: strings.Trim(strings.ReplaceAll(i.Path, m.separator, "/"), "/")}
}

// dotted returns the target of a Python module name. Each leading dot but the first means
// the parent folder.
func (m *Module) dotted(name string) importTarget {
	rest := strings.TrimLeft(name, ".")
	address := strings.ReplaceAll(rest, ".", "/")
	if rest == name {
		if of, ok := m.Dir.packages.module(m.Dir.Rel, address); ok {
			return importTarget{address: m.prefixOf(of.rel), exact: true}
		}
		return importTarget{address: address}
	}
	dir := path.Dir(m.Rel)
	for range len(name) - len(rest) - 1 {
		dir = path.Dir(dir)
	}
	return importTarget{address: path.Join(dir, address), exact: true}
}

// inCrate returns the target of a Rust path.
func (m *Module) inCrate(names []string) importTarget {
	dir := m.prefix
	switch names[0] {
	case "crate":
		of, ok := m.Dir.packages.ownCrate(m.Rel)
		return importTarget{address: path.Join(of.inside, strings.Join(names[1:], "/")), exact: ok}
	case "self":
		return importTarget{address: path.Join(dir, strings.Join(names[1:], "/")), exact: true}
	}
	above := 0
	for above < len(names) && names[above] == "super" {
		dir = path.Dir(dir)
		above++
	}
	if above > 0 {
		return importTarget{address: path.Join(dir, strings.Join(names[above:], "/")), exact: true}
	}
	if of, ok := m.crate(names[0]); ok {
		return importTarget{address: path.Join(of.inside, strings.Join(names[1:], "/")), exact: true}
	}
	return importTarget{address: strings.Join(names, "/")}
}

// crate returns the crate of the shard that a file of Rust means by a name, unless the file declares a module of that
// name.
func (m *Module) crate(name string) (imported, bool) {
	of, ok := m.Dir.packages.crate(m.Dir.Rel, name)
	return of, ok && len(m.modules(name)) == 0
}

// modules returns the modules of a name that a file of Rust declares.
func (m *Module) modules(name string) []symbol {
	return slices.DeleteFunc(slices.Clone(m.named(name)),
		func(s symbol) bool { return s.decl().Kind != syntax.KindModule })
}

// sourceEnding matches the file extensions that are optional in a JavaScript import.
var sourceEnding = lazyregexp.New(`\.(d\.ts|[cm]?[jt]sx?)$`)

// slashed returns the target of a path with slashes. A path that begins with a dot is
// relative.
func (m *Module) slashed(name string) importTarget {
	if len(m.index) > 0 {
		name = sourceEnding.ReplaceAllString(name, "")
	}
	t := importTarget{address: name}
	if strings.HasPrefix(name, ".") {
		t = importTarget{address: path.Join(path.Dir(m.Rel), name), exact: true}
	} else if of, ok := m.fromPackage(name); ok {
		return importTarget{address: cmp.Or(of.inside, m.prefixOf(of.rel)), exact: true}
	}
	for _, index := range m.index {
		if t.address = strings.TrimSuffix(t.address, "/"+index); t.exact && t.address == index {
			t.address = "." // of the root
		}
	}
	t.address = strings.TrimLeft(t.address, "@~$#/")
	return t
}

// fromPackage returns the file that an import of JavaScript names by a package or an alias.
func (m *Module) fromPackage(name string) (imported, bool) {
	if m.name != javascript {
		return imported{}, false
	}
	return m.Dir.packages.script(m.Dir.Rel, name)
}

// match says how well an address matches a target.
type match int

const (
	noMatch      match = iota
	reexported         // a package may export it from a file beneath
	partialMatch       // the beginning of the target may not be folders
	exactMatch
)

// matches returns how well an address matches the target.
//
// An import rarely says where a file is. Its path may begin above the root of the shard (a package's name), at a folder
// that a build file names, or with a name that is not a folder at all (a namespace). So the end of the address
// decides, and as much of the target's beginning may be missing as the family of languages allows. A package may
// also export what a file beneath it declares: then the folder and the name agree, and what is between them does not
// matter.
func (t importTarget) matches(f *languageFamily, address string) match {
	if address == t.address || !t.exact && hasTail(address, t.address) {
		return exactMatch
	}
	if !f.rooted && !t.exact {
		for rest := t.address; ; {
			_, tail, ok := strings.Cut(rest, "/")
			if !ok || !strings.Contains(tail, "/") {
				break
			}
			if rest = tail; address == rest || hasTail(address, rest) {
				return partialMatch
			}
		}
	}
	if cut := strings.LastIndexByte(t.address, '/'); f.reexports && cut > 0 && path.Base(address) == t.address[cut+1:] {
		dir := t.address[:cut+1]
		if strings.HasPrefix(address, dir) || !t.exact && strings.Contains(address, "/"+dir) {
			return reexported
		}
	}
	return noMatch
}

// hasTail reports whether an address ends in the complete names of another.
func hasTail(address, tail string) bool {
	return len(address) > len(tail) && strings.HasSuffix(address, tail) && address[len(address)-len(tail)-1] == '/'
}

// within returns the target of a name inside of the target.
func (t importTarget) within(name string) importTarget {
	t.address = strings.TrimPrefix(t.address+"/"+name, "/")
	return t
}
