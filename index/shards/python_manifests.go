package shards

import (
	"path"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// readPyproject reads where a pyproject.toml says that packages are: in package-dir and where of setuptools, in
// packages of Poetry, and in sources and packages of Hatch.
func (p *Package) readPyproject(text []byte) {
	type build struct { // Sources are folders, or names by folders
		Sources  any      `toml:"sources"`
		Packages []string `toml:"packages"`
	}
	var m struct {
		Tool struct {
			Setuptools struct {
				PackageDir map[string]string `toml:"package-dir"`
				Packages   any               `toml:"packages"`
			} `toml:"setuptools"`
			Poetry struct {
				Packages []struct {
					Include string `toml:"include"`
					From    string `toml:"from"`
				} `toml:"packages"`
			} `toml:"poetry"`
			Hatch struct {
				Build struct {
					Targets map[string]build `toml:"targets"`
				} `toml:"build"`
			} `toml:"hatch"`
		} `toml:"tool"`
	}
	if toml.Unmarshal(text, &m) != nil {
		return
	}
	if packages, ok := m.Tool.Setuptools.Packages.(map[string]any); ok {
		if find, ok := packages["find"].(map[string]any); ok {
			for _, where := range textsIn(find["where"]) {
				p.packageDir("", where)
			}
		}
	}
	for name, dir := range m.Tool.Setuptools.PackageDir {
		p.packageDir(name, dir)
	}
	for _, of := range m.Tool.Poetry.Packages {
		if of.From != "" {
			p.packageDir("", of.From)
		}
	}
	for _, of := range m.Tool.Hatch.Build.Targets {
		for _, dir := range of.Packages {
			p.packageDir(path.Base(dir), dir)
		}
		if named, ok := of.Sources.(map[string]any); ok {
			for dir, name := range named {
				name, _ := name.(string)
				p.packageDir(strings.ReplaceAll(name, "/", "."), dir)
			}
			continue
		}
		for _, dir := range textsIn(of.Sources) {
			p.packageDir("", dir)
		}
	}
}

// readSetup reads where a setup.cfg says that packages are: the lines of its package_dir.
func (p *Package) readSetup(text []byte) {
	key := ""
	for line := range strings.Lines(string(text)) {
		name, dir, ok := strings.Cut(line, "=")
		switch indented := strings.TrimLeft(line, " \t") != line; {
		case !indented:
			key = strings.ReplaceAll(strings.TrimSpace(name), "-", "_")
		case key == "package_dir" && ok:
			p.packageDir(strings.TrimSpace(name), strings.TrimSpace(dir))
		}
	}
}

// packageDir records the folder of a package, or of all packages for "".
func (p *Package) packageDir(name, dir string) {
	if p.Aliases == nil {
		p.Aliases = map[string][]string{}
	}
	add := func(pattern, file string) {
		if !strings.HasPrefix(file, "../") {
			p.Aliases[pattern] = append(p.Aliases[pattern], file)
		}
	}
	if name == "" {
		add("*", path.Join(dir, "*"))
		return
	}
	name = strings.ReplaceAll(name, ".", "/")
	add(name, path.Clean(dir))
	add(name+"/*", path.Join(dir, "*"))
}
