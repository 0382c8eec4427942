package conventions

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// EntryManifests are the files that say where programs start, as search_text takes them.
var EntryManifests = []string{"/package.json", "/packages/*/package.json", "/composer.json", "/Cargo.toml",
	"/*/Cargo.toml", "/crates/*/Cargo.toml", "/pyproject.toml", "/*/pyproject.toml", "/setup.cfg", "/setup.py",
	"/*.gemspec", "/pom.xml", "/*/pom.xml", "/build.gradle*", "/*/build.gradle*", "/mix.exs", "/*.csproj", "/*/*.csproj"}

// EntryFiles are the files in which programs start by convention, as search_text takes them.
var EntryFiles = []string{"/src/main.rs", "/*/src/main.rs", "/crates/*/src/main.rs", "/src/bin/**", "/*/src/bin/**",
	"__main__.py", "/main.go", "/cmd/**/main.go", "/exe/*", "/Program.cs", "/*/Program.cs", "/src/*/Program.cs",
	"/manage.py", "!**/tests/**", "!**/test/**", "!**/examples/**", "!**/docs/**", "!vendor/**"}

// EntryPoint is where a program or a library starts.
type EntryPoint struct {
	Command string // by which it is called, if that is known
	Text    string
	Place   string
	File    string // path, if that is not known by the place
	Note    string
}

// String returns the entry point as an item of a list.
func (e EntryPoint) String() string {
	item := "- "
	if e.Text != "" {
		item += code(e.Text) + " — "
	}
	item += e.Place
	if e.Note != "" {
		item += ": " + e.Note
	}
	return item + "\n"
}

// EntryPoints returns what a manifest declares to be started or imported.
func EntryPoints(s Source) (all []EntryPoint) {
	add := func(command, text string, line int) {
		all = append(all, EntryPoint{Command: command, Text: text, Place: s.place(line)})
	}
	switch name := s.manifestName(); {
	case name == "pyproject.toml":
		for _, e := range tomlEntries(s.Lines) {
			if key, _, ok := strings.Cut(e.text, "="); ok && pythonScripts.MatchString(e.under) {
				add(strings.Trim(key, ` "'`), e.text, e.line)
			}
		}
	case name == "setup.cfg" || name == "setup.py":
		all = consoleScripts(s)
	case name == "package.json" || name == "composer.json":
		pkg := path.Base(NameOf(s))
		for _, e := range jsonEntries(s.Lines) {
			m := jsonKey.FindStringSubmatch(e.text)
			switch top, _, _ := strings.Cut(e.under, "."); {
			case m == nil && e.under == "bin":
				add("", e.text, e.line)
			case m == nil:
			case e.under == "" && m[1] == "bin":
				add(pkg, e.text, e.line)
			case e.under == "bin":
				add(m[1], e.text, e.line)
			case e.under == "" && slices.Contains([]string{"main", "module", "browser", "exports"}, m[1]), top == "exports":
				add("", e.text, e.line)
			}
		}
	case name == "cargo.toml":
		for _, e := range tomlEntries(s.Lines) {
			key, value, _ := strings.Cut(e.text, "=")
			key = strings.TrimSpace(key)
			switch {
			case e.under == "bin" && e.text == "":
				add("", "", e.line)
			case e.under == "bin" && key == "name":
				last := &all[len(all)-1]
				last.Command, last.Text, last.Place = strings.Trim(value, ` "`), e.text, s.place(e.line)
			case e.under == "bin" && key == "path":
				all[len(all)-1].Note = code(e.text)
			case e.under == "lib" && key == "path", e.under == "package" && key == "default-run":
				add("", e.text, e.line)
			}
		}
	case strings.HasSuffix(name, ".gemspec"):
		for i, line := range s.Lines {
			if m := gemExecutables.FindStringSubmatch(line); m != nil {
				add(strings.Trim(m[1], `'"[]`), strings.TrimSpace(line), i)
			}
		}
	default:
		for i, line := range s.Lines {
			if mainClass.MatchString(line) {
				add("", strings.TrimSpace(line), i)
			}
		}
	}
	return all
}

var (
	pythonScripts  = lazyregexp.New(`(?:^|\.)project\.(?:gui-)?scripts$|^tool\.poetry\.scripts$`)
	gemExecutables = lazyregexp.New(`\.executables?\s*(?:=|<<)\s*(.*?)\s*$`)
	mainClass      = lazyregexp.New(`<(?:mainClass|Main-Class)>|\bmainClass(?:Name)?\b\s*[.=(]|["']Main-Class["']|` +
		`<OutputType>(?:Win)?Exe|^\s*mod: \{|main_module:`)
)

// consoleScripts returns the scripts that a setup.cfg or a setup.py declares.
func consoleScripts(s Source) (all []EntryPoint) {
	open := false
	for i, line := range s.Lines {
		text := strings.TrimSpace(line)
		open = open && text != "" && !strings.HasPrefix(text, "[")
		if consoleHead.MatchString(text) {
			open = true
		}
		if m := consoleScript.FindStringSubmatch(text); m != nil && open {
			all = append(all, EntryPoint{Command: m[1], Text: m[0], Place: s.place(i)})
		}
		open = open && !strings.HasPrefix(text, "]")
	}
	return all
}

var (
	consoleHead   = lazyregexp.New(`\b(?:console|gui)_scripts\b`)
	consoleScript = lazyregexp.New(`([\w.-]+)\s*=\s*[A-Za-z_][\w.]*:[\w.]+`)
)

// EntryFile returns the entry point that a file is by its path.
func EntryFile(p string) EntryPoint {
	dir := path.Dir(p)
	e := EntryPoint{Command: path.Base(dir), Place: p}
	switch name := path.Base(p); {
	case name == "__main__.py":
		pkg := strings.ReplaceAll(strings.TrimPrefix(dir, "src/"), "/", ".")
		e.Note = "runs with " + code("python -m "+pkg)
	case strings.Contains(dir, "src/bin"):
		e.Command = strings.TrimSuffix(name, path.Ext(name))
	case name == "main.rs":
		e.Command = path.Base(path.Dir(dir))
	case path.Base(dir) == "exe":
		e.Command = name
	}
	return e
}

const listedEntryPoints = 8 // maximum number of each kind

// SayEntryPoints lists where programs start: what manifests declare, files, and functions if nothing else is known. If
// a command is named that is declared, it lists those of this command alone. It returns "" if there is nothing.
func SayEntryPoints(manifests []Source, paths []string, functions []EntryPoint, command string) string {
	var declared, files []EntryPoint
	for _, s := range manifests {
		if !Aside.MatchString(s.Path) || len(declared) == 0 {
			declared = append(declared, EntryPoints(s)...)
		}
	}
	for _, p := range paths {
		files = append(files, EntryFile(p))
	}
	of := func(all []EntryPoint) []EntryPoint {
		return slices.DeleteFunc(slices.Clone(all), func(e EntryPoint) bool { return !strings.EqualFold(e.Command, command) })
	}
	if named := of(declared); command != "" && len(named) > 0 {
		declared, files = named, of(files)
	}
	functions = slices.DeleteFunc(functions, func(e EntryPoint) bool {
		return len(declared)+len(files) > 0 || Aside.MatchString(e.File) || IsBuildScript(e.File)
	})
	text := ""
	for _, part := range []struct {
		head string
		all  []EntryPoint
	}{{"Declared to be started or imported", declared}, {"Files in which programs start, by convention", files},
		{"Functions and lines with which programs start", functions}} {
		if len(part.all) == 0 {
			continue
		}
		text += part.head + ":\n\n"
		for _, e := range part.all[:min(listedEntryPoints, len(part.all))] {
			text += e.String()
		}
		if more := len(part.all) - listedEntryPoints; more > 0 {
			text += fmt.Sprintf("- and %d more\n", more)
		}
		text += "\n"
	}
	return text
}

// IsBuildScript reports whether a file belongs to a build rather than to the program.
func IsBuildScript(p string) bool { return buildScript.MatchString(p) }

var buildScript = lazyregexp.New(`(?:^|/)(?:\w*Benchmark\w*\.java|build\.rs|setup\.py|conftest\.py|noxfile\.py` +
	`|gulpfile\.\w+|pdm_build\.py)$|` +
	`(?:^|/)(?:compile_fail|docs?|docs?[_-]\w+|website|scripts?|tools?|hack|ci|buildSrc|xtask|fuzz|\.\w+)/`)

// MainLine matches the line with which a program starts, in several languages.
const MainLine = `^(?:async )?(?:func main\(\)|(?:pub )?(?:async )?fn main\(|int main\(|if __name__ ==` +
	` ['"]__main__['"])|` +
	`^\s*(?:public )?(?:static )(?:public )?(?:async )?(?:void|int|Task(?:<int>)?) [mM]ain\(|^fun main\(|^def main\(`

// Workspaces are the files that list the members of a workspace, as search_text takes them; the manifests of members
// are among [Naming].
var Workspaces = []string{"/pom.xml", "/*/pom.xml", "/settings.gradle*", "/Cargo.toml", "/package.json",
	"/pnpm-workspace.yaml", "/lerna.json", "/go.work", "/pyproject.toml", "/mix.exs", "/*.sln", "/*.slnx"}

// Members returns what a file lists as members of its workspace, with their lines.
func Members(s Source) (all []Dependency) {
	add := func(text string, line int) {
		if text = strings.TrimSpace(text); text != "" {
			all = append(all, Dependency{Text: text, Line: line})
		}
	}
	switch name := s.manifestName(); {
	case name == "pom.xml":
		for _, e := range xmlEntries(s.Lines) {
			if strings.HasSuffix(e.under, "modules/module") {
				add(e.text, e.line)
			}
		}
	case strings.HasPrefix(name, "settings.gradle"):
		for i, line := range s.Lines {
			call := gradleInclude.FindString(line)
			continued := i > 0 && (strings.HasSuffix(strings.TrimSpace(s.Lines[i-1]), ",") ||
				strings.HasSuffix(strings.TrimSpace(s.Lines[i-1]), "include("))
			if call == "" && !(continued && gradleMember.MatchString(strings.TrimSpace(line))) {
				continue
			}
			for _, m := range tomlText.FindAllStringSubmatch(line, -1) {
				add(m[1]+m[2], i)
			}
		}
	case strings.HasSuffix(name, ".toml"):
		for _, e := range tomlEntries(s.Lines) {
			key, list, oneLine := strings.Cut(e.text, "=")
			switch under := e.under; {
			case under == "workspace.members", under == "tool.uv.workspace.members":
				add(e.text, e.line)
			case (under == "workspace" || under == "tool.uv.workspace") && oneLine && strings.TrimSpace(key) == "members":
				for _, m := range tomlText.FindAllStringSubmatch(list, -1) {
					add(m[1]+m[2], e.line)
				}
			}
		}
	case strings.HasSuffix(name, ".json"):
		for _, e := range jsonEntries(s.Lines) {
			list := e.text
			if m := jsonKey.FindStringSubmatch(e.text); m != nil {
				if m[1] != "workspaces" && m[1] != "packages" || e.under != "" && e.under != "workspaces" {
					continue
				}
				list = strings.TrimPrefix(e.text, m[0])
			} else if !slices.Contains([]string{"workspaces", "workspaces.packages"}, e.under) &&
				!(name == "lerna.json" && e.under == "packages") {
				continue
			}
			for _, m := range tomlText.FindAllStringSubmatch(list, -1) {
				add(m[1]+m[2], e.line)
			}
		}
	case name == "pnpm-workspace.yaml":
		within := false
		for i, line := range s.Lines {
			if !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "-") && line != "" && line[0] != '#' {
				within = strings.HasPrefix(line, "packages:")
			}
			if item, ok := strings.CutPrefix(strings.TrimSpace(line), "- "); ok && within {
				add(strings.Trim(item, `"'`), i)
			}
		}
	case name == "go.work":
		within := false
		for i, line := range s.Lines {
			text := strings.TrimSpace(line)
			if one, ok := strings.CutPrefix(text, "use "); ok && one != "(" {
				add(one, i)
			}
			within = (within || text == "use (") && text != ")"
			if within && text != "use (" && !strings.HasPrefix(text, "//") {
				add(text, i)
			}
		}
	case strings.HasPrefix(path.Ext(name), ".sln"):
		for i, line := range s.Lines {
			if m := solutionProject.FindStringSubmatch(line); m != nil {
				add(strings.ReplaceAll(m[1]+m[2], `\`, "/"), i)
			}
		}
	}
	return all
}

var (
	gradleInclude   = lazyregexp.New(`^\s*include\b`)
	gradleMember    = lazyregexp.New(`^["']:?[\w:./-]+["'],?$`)
	solutionProject = lazyregexp.New(`^Project\(.*"([^"]+\.\w+proj)"|<Project Path="([^"]+)"`)
)

// SayMembers lists the members of the workspaces that some files describe. manifests are the paths of the manifests of
// packages, which stand for members that are given by a pattern. It returns "" if no file lists any.
func SayMembers(files []Source, manifests []string) (text string) {
	for _, s := range files {
		all := Members(s)
		if len(all) == 0 {
			continue
		}
		text += fmt.Sprintf("%s lists %d:\n\n", s.Path, len(all))
		if len(all) == 1 && !strings.Contains(all[0].Text, "*") {
			text = strings.TrimSuffix(text, "1:\n\n") + "one:\n\n"
		}
		for _, m := range all[:min(len(all), listedMembers)] {
			text += fmt.Sprintf("- %s — %s\n", code(m.Text), s.place(m.Line))
			if !strings.Contains(m.Text, "*") || strings.HasPrefix(m.Text, "!") {
				continue
			}
			var matched []string
			for _, p := range manifests {
				pattern := strings.TrimSuffix(strings.TrimPrefix(m.Text, "./"), "/")
				if ok, _ := path.Match(strings.ReplaceAll(pattern, "**", "*"), path.Dir(p)); ok &&
					!slices.Contains(matched, code(path.Dir(p))) {
					matched = append(matched, code(path.Dir(p)))
				}
			}
			if len(matched) > 0 {
				text = strings.TrimSuffix(text, "\n") + ": " + strings.Join(matched, ", ") + "\n"
			}
		}
		if more := len(all) - listedMembers; more > 0 {
			text += fmt.Sprintf("- and %d more\n", more)
		}
		text += "\n"
	}
	return text
}

const listedMembers = 60
