package modules

import (
	"path"
	"slices"
	"strings"
)

// Graph says which modules of Python import which when they are loaded: their names with dots.
type Graph map[string][]string

// NewGraph returns the graph of lines that import, at the margin of files with paths from the top of the project: what
// a function imports is loaded later.
func NewGraph(lines []Place) Graph {
	g := Graph{}
	for _, l := range lines {
		from := pythonModule(l.File)
		g[from] = append(g[from], importedModules(l.File, l.Text)...)
	}
	return g
}

// importedModules returns the modules that a line of a file may import: those that it names, and the names that it
// takes from them, which may be modules, too.
func importedModules(file, line string) (names []string) {
	line, _, _ = strings.Cut(line, "#")
	if m := pythonFrom.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
		of := m[1]
		if strings.HasPrefix(of, ".") {
			of = relativeModule(file, of)
		}
		names = append(names, of)
		for _, part := range strings.Split(strings.Trim(m[2], "() "), ",") {
			if fields := strings.Fields(part); len(fields) > 0 {
				names = append(names, strings.TrimPrefix(of+"."+fields[0], "."))
			}
		}
		return names
	}
	rest, _ := strings.CutPrefix(strings.TrimSpace(line), "import ")
	for _, part := range strings.Split(rest, ",") {
		if fields := strings.Fields(part); len(fields) > 0 {
			names = append(names, fields[0])
		}
	}
	return names
}

// relativeModule returns the name of a module that a file names by dots.
func relativeModule(file, name string) string {
	rest := strings.TrimLeft(name, ".")
	dir := path.Dir(file)
	for range len(name) - len(rest) - 1 {
		dir = path.Dir(dir)
	}
	if dir == "." {
		return rest
	}
	return strings.TrimSuffix(pythonModule(dir+"/"+rest), ".")
}

// Reaches reports whether loading the module of one file loads that of another, by the imports that are known.
func (g Graph) Reaches(from, to string) bool { return g.reaches(pythonModule(from), to) }

// reaches is Reaches from a module.
func (g Graph) reaches(module, to string) bool {
	goal := pythonModule(to)
	seen, open := map[string]bool{}, []string{g.known(module)}
	for len(open) > 0 {
		at := open[0]
		open = open[1:]
		if at == goal {
			return true
		}
		for _, next := range g[at] {
			if next = g.known(next); !seen[next] {
				seen[next] = true
				open = append(open, next)
			}
		}
	}
	return false
}

// known returns the module of the graph that a name means: it may begin below a folder that is on the path.
func (g Graph) known(name string) string {
	if _, ok := g[name]; ok {
		return name
	}
	var ends []string
	for module := range g {
		if strings.HasSuffix(module, "."+name) {
			ends = append(ends, module)
		}
	}
	if len(ends) == 0 {
		return name
	}
	return slices.Min(ends)
}

// PythonLoads returns the pattern of the lines that import, when a module is loaded, what is in the package of one
// of two
// files.
func PythonLoads(from, to string) string {
	var tops []string
	for _, file := range []string{from, to} {
		if top, _, _ := strings.Cut(pythonModule(file), "."); top != "" && !slices.Contains(tops, top) {
			tops = append(tops, top)
		}
	}
	own := `(?:\.|` + strings.Join(tops, `\b|`) + `\b)`
	return `^(?:from ` + own + `|import ` + own + `)`
}
