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
var EntryFiles = []string{"/src/main.rs", "/*/src/main.rs", "/crates/*/src/main.rs", "/src/bin/*.rs", "/src/bin/*/main.rs", "/*/src/bin/*.rs",
	"/*/src/bin/*/main.rs",
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
func EntryPoints(s Source) []EntryPoint {
	switch name := s.manifestName(); {
	case name == "pyproject.toml":
		return projectScripts(s)
	case name == "setup.cfg" || name == "setup.py":
		return consoleScripts(s)
	case name == "package.json" || name == "composer.json":
		return nodeEntries(s)
	case name == "cargo.toml":
		return cargoEntries(s)
	case strings.HasSuffix(name, ".gemspec"):
		return executables(s)
	}
	return mainClasses(s)
}

func (s Source) entryPoint(command, text string, line int) EntryPoint {
	return EntryPoint{Command: command, Text: text, Place: s.place(line)}
}

func projectScripts(s Source) (all []EntryPoint) {
	for _, e := range tomlEntries(s.Lines) {
		if key, _, ok := strings.Cut(e.text, "="); ok && pythonScripts.MatchString(e.under) {
			all = append(all, s.entryPoint(strings.Trim(key, ` "'`), e.text, e.line))
		}
	}
	return all
}

func nodeEntries(s Source) (all []EntryPoint) {
	for _, e := range jsonEntries(s.Lines) {
		m := jsonKey.FindStringSubmatch(e.text)
		command, is := "", false
		switch top, _, _ := strings.Cut(e.under, "."); {
		case m == nil:
			is = e.under == "bin"
		case e.under == "" && m[1] == "bin":
			command, is = path.Base(NameOf(s)), true
		case e.under == "bin":
			command, is = m[1], true
		default:
			is = e.under == "" && slices.Contains([]string{"main", "module", "browser", "exports"}, m[1]) || top == "exports"
		}
		if is {
			all = append(all, s.entryPoint(command, e.text, e.line))
		}
	}
	return all
}

func cargoEntries(s Source) (all []EntryPoint) {
	for _, e := range tomlEntries(s.Lines) {
		key, value, _ := strings.Cut(e.text, "=")
		key = strings.TrimSpace(key)
		switch {
		case e.under == "bin" && e.text == "":
			all = append(all, s.entryPoint("", "", e.line))
		case e.under == "bin" && key == "name" && len(all) > 0:
			all[len(all)-1] = s.entryPoint(strings.Trim(value, ` "`), e.text, e.line)
		case e.under == "bin" && key == "path" && len(all) > 0:
			all[len(all)-1].Note = code(e.text)
		case e.under == "lib" && key == "path", e.under == "package" && key == "default-run":
			all = append(all, s.entryPoint("", e.text, e.line))
		}
	}
	return all
}

func executables(s Source) (all []EntryPoint) {
	for i, line := range s.Lines {
		if m := gemExecutables.FindStringSubmatch(line); m != nil {
			all = append(all, s.entryPoint(strings.Trim(m[1], `'"[]`), strings.TrimSpace(line), i))
		}
	}
	return all
}

func mainClasses(s Source) (all []EntryPoint) {
	for i, line := range s.Lines {
		if mainClass.MatchString(line) {
			all = append(all, s.entryPoint("", strings.TrimSpace(line), i))
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
	case strings.HasSuffix(dir, "src/bin"):
		e.Command = strings.TrimSuffix(name, path.Ext(name))
	case name == "main.rs" && !strings.Contains(dir, "src/bin/"):
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
	return listEntryPoints("Declared to be started or imported", declared) +
		listEntryPoints("Files in which programs start, by convention", files) +
		listEntryPoints("Functions and lines with which programs start", functions)
}

func listEntryPoints(head string, all []EntryPoint) string {
	if len(all) == 0 {
		return ""
	}
	text := head + ":\n\n"
	for _, e := range all[:min(listedEntryPoints, len(all))] {
		text += e.String()
	}
	if more := len(all) - listedEntryPoints; more > 0 {
		text += fmt.Sprintf("- and %d more\n", more)
	}
	return text + "\n"
}

// IsBuildScript reports whether a file belongs to a build rather than to the program.
func IsBuildScript(p string) bool { return buildScript.MatchString(p) }

var buildScript = lazyregexp.New(`(?:^|/)(?:\w*Benchmark\w*\.java|build\.rs|setup\.py|conftest\.py|noxfile\.py` +
	`|gulpfile\.\w+|pdm_build\.py)$|` +
	`(?:^|/)(?:compile_fail|docs?|docs?[_-]\w+|website|scripts?|tools?|hack|ci|buildSrc|xtask|fuzz|\.\w+)/`)

// MainLine matches the line with which a program starts, in several languages.
const MainLine = `^(?:async )?(?:func main\(\)|(?:pub )?(?:async )?fn main\(|int main\(|if __name__ ==` +
	` ['"]__main__['"])|` +
	`^\s*(?:public )?(?:static )(?:public )?(?:async )?(?:void|int|Task(?:<int>)?) [mM]ain\(` +
	`|^fun main\(|^def main\(|^main\(`
