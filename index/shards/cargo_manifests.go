package shards

import (
	"cmp"
	"path"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// cargoDependencies are the tables of dependencies, which several parts of a Cargo.toml have.
type cargoDependencies struct {
	Dependencies      map[string]any `toml:"dependencies"`
	DevDependencies   map[string]any `toml:"dev-dependencies"`
	BuildDependencies map[string]any `toml:"build-dependencies"`
}

// readCargo reads the name of the crate that a Cargo.toml declares, the root of its library, and the other names that
// it gives to crates.
func (p *Package) readCargo(text []byte) {
	var m struct {
		Package struct {
			Name string `toml:"name"`
		} `toml:"package"`
		Lib struct {
			Name string `toml:"name"`
			Path string `toml:"path"`
		} `toml:"lib"`
		Workspace cargoDependencies            `toml:"workspace"`
		Target    map[string]cargoDependencies `toml:"target"`
	}
	var own cargoDependencies
	if toml.Unmarshal(text, &m) != nil || toml.Unmarshal(text, &own) != nil {
		return
	}
	p.Name, p.Listed = crateName(cmp.Or(m.Lib.Name, m.Package.Name)), crateName(m.Package.Name)
	if p.Name != "" {
		p.Exports = map[string][]string{".": {path.Clean(cmp.Or(m.Lib.Path, "src/lib.rs"))}}
	}
	p.renameCrates(m.Workspace)
	for _, of := range m.Target {
		p.renameCrates(of)
	}
	p.renameCrates(own)
}

// crateName returns a package's name as code of Rust writes it.
func crateName(name string) string { return strings.ReplaceAll(name, "-", "_") }

// renameCrates records the crates to which dependencies give other names.
func (p *Package) renameCrates(of cargoDependencies) {
	for _, dependencies := range []map[string]any{of.BuildDependencies, of.DevDependencies, of.Dependencies} {
		for name, value := range dependencies {
			if table, ok := value.(map[string]any); ok {
				other, _ := table["package"].(string)
				p.rename(crateName(name), crateName(other))
			}
		}
	}
}
