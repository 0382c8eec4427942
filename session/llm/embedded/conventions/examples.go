package conventions

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// ExampleFolders are the usual folders of examples, as search_text takes them.
var ExampleFolders = []string{"/examples/**", "/example/**", "/_examples/**", "/samples/**", "/demos/**"}

// ExampleOf returns the folder of examples that a path is in, and the example's name. It reports false if the path is
// in none.
func ExampleOf(p string) (folder, name string, ok bool) {
	m := examplePath.FindStringSubmatch(p)
	if m == nil {
		return "", "", false
	}
	return m[1], m[2], true
}

var examplePath = lazyregexp.New(`^(_?examples?|samples|demos)/([^/]+)`)

// Examples returns the names of the examples that some paths are of, and by convention the command that runs the first
// one; "" if there is no convention.
func Examples(paths []string) (command string, names []string) {
	found := false // a simple one
	has := func(p string) bool { return slices.Contains(paths, p) }
	for _, p := range paths {
		folder, name, ok := ExampleOf(p)
		inner := strings.TrimPrefix(p, folder+"/"+name)
		stem := strings.TrimSuffix(name, path.Ext(name))
		if !ok || inner == "" && !program_.MatchString(name) || strings.HasPrefix(name, ".") {
			continue
		}
		if inner != "" {
			stem = name
		}
		if !slices.Contains(names, stem) {
			names = append(names, stem)
		}
		if by := exampleCommand(folder, name, p, has); by != "" && (command == "" || simple.MatchString(stem) && !found) {
			command, found = by, simple.MatchString(stem)
		}
	}
	return command, names
}

// SayExamples says how one of the examples runs that some paths are of, and lists the first ones; "" if there are none.
func SayExamples(paths []string, most int) string {
	command, names := Examples(paths)
	if len(names) == 0 {
		return ""
	}
	var listed []string
	for _, name := range names[:min(most, len(names))] {
		listed = append(listed, code(name))
	}
	text := "The examples are " + strings.Join(listed, ", ")
	if len(names) > most {
		text += fmt.Sprintf(" and %d more", len(names)-most)
	}
	text += ".\n\n"
	if command != "" {
		text = "By convention, an example runs so: " + code(command) + ".\n\n" + text
	}
	return text
}

// simple matches the names of examples to begin with.
var simple = lazyregexp.New(`(?i)^(?:simple|basic|hello|minimal|quick|getting)`)

// program_ matches the name of a file that is an example of its own.
var program_ = lazyregexp.New(`\.(?:go|rs|py|rb|[cm]?js|tsx?|c|cc|cpp|cs|java|kts?|swift|exs?|php|sh|lua|zig|hs|` +
	`ml|dart)$`)

// exampleCommand returns the command that runs the example in a file, "" if there is no convention for it.
func exampleCommand(folder, name, p string, has func(string) bool) string {
	dir, stem := folder+"/"+name, strings.TrimSuffix(name, path.Ext(name))
	own := func(manifest string) bool { return has(dir + "/" + manifest) }
	switch {
	case own("Cargo.toml"):
		return "cd " + dir + " && cargo run"
	case own("package.json"):
		return "cd " + dir + " && npm install && npm start"
	case own("go.mod"):
		return "cd " + dir + " && go run ."
	case own("main.go") && has(folder+"/go.mod"):
		return "cd " + folder + " && go run ./" + name
	case own("main.go"):
		return "go run ./" + dir
	case own("main.rs"):
		return "cargo run --example " + name
	case path.Ext(p) == ".csproj":
		return "dotnet run --project " + p
	case p != dir:
		return ""
	case path.Ext(name) == ".rs":
		return "cargo run --example " + stem
	case runners[path.Ext(name)] != "":
		return runners[path.Ext(name)] + " " + p
	}
	return ""
}

// runners are the programs that run a file, by its ending.
var runners = map[string]string{".py": "python", ".js": "node", ".mjs": "node", ".cjs": "node", ".rb": "ruby",
	".go": "go run", ".exs": "elixir", ".php": "php", ".lua": "lua", ".sh": "sh"}
