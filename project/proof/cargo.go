package proof

import (
	"path"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// cargoManifest is what of a Cargo.toml says what depends on what.
type cargoManifest struct {
	Package struct {
		Name string `toml:"name"`
	} `toml:"package"`
	Workspace struct {
		Members      []string       `toml:"members"`
		Dependencies map[string]any `toml:"dependencies"`
	} `toml:"workspace"`
	Dependencies map[string]any `toml:"dependencies"`
	Dev          map[string]any `toml:"dev-dependencies"`
	Build        map[string]any `toml:"build-dependencies"`
}

func (p *part) cargoManifest(dir string) (m cargoManifest) {
	_ = toml.Unmarshal([]byte(p.text(path.Join(dir, "Cargo.toml"))), &m) // cargo says what is wrong with it
	return m
}

// crates returns the packages of a workspace by their folders, relative to the part.
func (p *part) crates(root cargoManifest) map[string]cargoManifest {
	all := map[string]cargoManifest{".": root}
	for _, member := range root.Workspace.Members {
		dir := path.Dir(path.Clean(member))
		for _, name := range p.names(path.Join(p.dir, dir), path.Base(member)) {
			if m := p.cargoManifest(path.Join(dir, name)); m.Package.Name != "" {
				all[path.Join(dir, name)] = m
			}
		}
	}
	return all
}

// folders returns the folders of what a package in a folder depends on, as far as they are on disk.
func (m cargoManifest) folders(dir string, root cargoManifest) (dirs []string) {
	for _, group := range []map[string]any{m.Dependencies, m.Dev, m.Build} {
		for name, d := range group {
			from := dir
			if table, _ := d.(map[string]any); table["workspace"] == true {
				from, d = ".", root.Workspace.Dependencies[name]
			}
			if table, _ := d.(map[string]any); table != nil {
				if to, ok := table["path"].(string); ok {
					dirs = append(dirs, path.Join(from, to))
				}
			}
		}
	}
	return dirs
}

// cargoPackages returns the arguments that name the packages of a workspace that a change touches, with those that
// depend on them, or the whole workspace.
func (p *part) cargoPackages() []string {
	whole := []string{"--workspace"}
	root := p.cargoManifest(".")
	all := p.crates(root)
	touched := map[string]bool{}
	for _, f := range p.files {
		dir := path.Dir(f)
		for ; dir != "." && !p.hasFile(path.Join(dir, "Cargo.toml")); dir = path.Dir(dir) {
		}
		if all[dir].Package.Name == "" {
			return whole
		}
		touched[dir] = true
	}
	for before := -1; before < len(touched); {
		before = len(touched)
		for dir, m := range all {
			if slices.ContainsFunc(m.folders(dir, root), func(d string) bool { return touched[d] }) {
				touched[dir] = true
			}
		}
	}
	if p.gone || len(touched) == len(all) || len(touched) > maxNarrowed {
		return whole
	}
	var names []string
	for dir := range touched {
		names = append(names, all[dir].Package.Name)
	}
	slices.Sort(names)
	return strings.Fields("-p " + strings.Join(names, " -p "))
}
