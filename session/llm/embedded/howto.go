package embedded

import (
	"fmt"
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/conventions"
)

// howTo says how the project is built, run, tested or linted: by the commands in its prose, then by its manifests.
// tasks are one or two keys of [conventions.Tasks].
type howTo struct{ tasks string }

const (
	commandsOfFile = 4 // maximum number of listed commands of a file
	readManifests  = 8 // maximum number of files that are read
)

// instructing are the names of files that say how to work on a project, in lower case, the best first.
var instructing = []string{"agents.md", "contributing.md", "contributing.rst", "development.md", "building.md",
	"build.md", "hacking.md", "readme.md", "readme.rst", "readme",
	"readme.txt", "install", "install.md", "makefile", "gnumakefile", "justfile", "package.json", "cargo.toml", "go.mod",
	"pyproject.toml", "tox.ini", "noxfile.py", "setup.py", "pom.xml", "build.gradle", "build.gradle.kts",
	"cmakelists.txt", "mix.exs", "gemfile"}

func (x howTo) next(p progress) step {
	listings, reads := p.of("list_dir"), p.of("read_file")
	if len(listings) == 0 {
		return step{calls: []llm.Call{callTool("list_dir", args{"limit": listedEntries}),
			callTool("search_text", args{"include": []string{"/.github/CONTRIBUTING*", "/docs/CONTRIBUTING*",
				"/docs/contributing*"}})}}
	}
	top := decode[dirListing](&listings[0])
	if !listings[0].OK {
		return p.failed("The workspace could not be listed", listings[0])
	}
	for _, elsewhere := range p.of("search_text") {
		for _, file := range decode[countedText](&elsewhere).Files {
			top.Entries = append(top.Entries, entry{Path: file.File, Type: "file"})
		}
	}
	if calls := top.read(instructing); len(reads) == 0 && len(calls) > 0 {
		return step{calls: calls}
	}
	text := ""
	for _, task := range strings.Fields(x.tasks) {
		text += x.answer(p.folders, task, top, reads)
	}
	if text == "" {
		return answerWith("I found no command for that in the files at the top of the workspace. Ask `what is this " +
			"project?` for its folders.\n")
	}
	return answerWith(text + "The commands are quoted from these files; I have not run them.\n")
}

// answer lists the commands for one task, "" if there are none.
func (x howTo) answer(f folders, task string, top dirListing, reads []toolResult) string {
	var found commands
	for _, r := range reads {
		read := decode[readResult](&r)
		if r.OK {
			found.of(f, task, read, top)
		}
	}
	if len(found.lines) == 0 {
		return ""
	}
	text := "To " + task + " this project:\n\n" + strings.Join(found.lines, "") + "\n"
	if len(found.sections) > 0 {
		text += "Sections about it:\n\n" + strings.Join(found.sections, "") + "\n"
	}
	return text
}

// read returns calls that read the files of a listing with these names, in their order.
func (l dirListing) read(names []string) (calls []llm.Call) {
	for _, name := range names {
		for _, e := range l.Entries {
			if e.Type == "file" && strings.ToLower(base(e.Path)) == name && len(calls) < readManifests {
				calls = append(calls, callTool("read_file", args{"file": e.Path}))
			}
		}
	}
	return calls
}

// runner returns the program that runs the scripts of a package.json.
func (l dirListing) runner() string {
	switch {
	case l.has("pnpm-lock.yaml"):
		return "pnpm run"
	case l.has("yarn.lock"):
		return "yarn"
	case l.has("bun.lock"), l.has("bun.lockb"):
		return "bun run"
	}
	return "npm run"
}

// has reports whether a file of that name is listed.
func (l dirListing) has(name string) bool {
	for _, e := range l.Entries {
		if base(e.Path) == name {
			return true
		}
	}
	return false
}

// commands collects commands for a task.
type commands struct {
	lines, sections []string
	seen            map[string]bool
	inFile          int
}

// add adds a command, each once.
func (c *commands) add(command, place string) {
	if c.seen == nil {
		c.seen = map[string]bool{}
	}
	if !c.seen[command] && c.inFile < commandsOfFile {
		c.seen[command] = true
		c.inFile++
		c.lines = append(c.lines, fmt.Sprintf("- %s — %s\n", code(command), place))
	}
}

// of adds what a file says.
func (c *commands) of(f folders, task string, read readResult, top dirListing) {
	c.inFile = 0
	place := func(i int) string { return fmt.Sprintf("%s:%d", f.rel(read.File), read.StartLine+i) }
	lines := read.text()
	switch name := strings.ToLower(base(read.File)); name {
	case "makefile", "gnumakefile", "justfile":
		for i, line := range lines {
			m := conventions.MakeTarget.FindStringSubmatch(line)
			if m != nil && conventions.Tasks[task].Target.MatchString(m[1]) {
				c.add(strings.TrimSuffix(strings.TrimPrefix(name, "gnu"), "file")+" "+m[1], place(i))
			}
		}
	case "package.json":
		for _, s := range conventions.Scripts(lines) {
			if conventions.Tasks[task].Target.MatchString(s.Name) {
				c.add(top.runner()+" "+s.Name, place(s.Line)+": "+code(s.Value))
			}
		}
	case "pyproject.toml", "tox.ini", "noxfile.py":
		c.python(task, name, lines, place)
	default:
		if command := conventions.Tasks[task].Convention[name]; command != "" {
			c.add(command, "as "+f.rel(read.File)+" has it by convention")
			return
		}
		c.prose(task, lines, place)
	}
}

// python adds the commands of the tools that a project of Python configures, else those by convention.
func (c *commands) python(task, name string, lines []string, place func(int) string) {
	found := false
	for i, line := range lines {
		for _, tool := range conventions.PythonTools {
			if tool.Task == task && strings.HasPrefix(line, tool.Head) && (tool.File == "" || tool.File == name) {
				c.add(tool.Command, place(i))
				found = true
			}
		}
	}
	if command := conventions.Tasks[task].Convention[name]; command != "" && !found {
		c.add(command, "as "+name+" has it by convention")
	}
}

// prose adds the commands in code of a text, and the heading of its first section on the task.
func (c *commands) prose(task string, lines []string, place func(int) string) {
	headed, fenced := false, false
	for i, line := range lines {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
			continue
		}
		spans := codeSpan.FindAllStringSubmatch(line, -1)
		if fenced || strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t") {
			spans = [][]string{{"", line}}
		}
		for _, span := range spans {
			if command := promptSign.ReplaceAllString(strings.TrimSpace(span[1]), ""); program.MatchString(command) &&
				conventions.Tasks[task].Does(command) {
				c.add(command, place(i))
			}
		}
		title, ok := conventions.Heading(lines, i)
		if title = conventions.WithoutMarkup(title); ok && !fenced && !headed &&
			conventions.Tasks[task].Titled.MatchString(title) {
			headed = true
			c.sections = append(c.sections, fmt.Sprintf("- %q — %s\n", clip(title), place(i)))
		}
	}
}

var (
	codeSpan   = lazyregexp.New("`([^`]+)`")
	promptSign = lazyregexp.New(`^[$%>] ?`)
	program    = lazyregexp.New(`^(?:[A-Z_]+=\S+ )*(?:go|make|cargo|npm|pnpm|yarn|npx|bun|deno|python3?|pip3?|poetry|` +
		`uv|tox|nox|pytest|mvn|gradle|cmake|ninja|meson|bazel|dotnet|swift|mix|bundle|rake|composer|docker|just|task|` +
		`sbt|stack|cabal|zig|dune|ruby|node|\./[\w./-]+)(?: |$)`)
)
