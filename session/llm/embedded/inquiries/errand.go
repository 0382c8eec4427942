package inquiries

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm/embedded/conventions"
	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/results"
)

// Errand asks by which command something around the program is done. It lists the scripts and the targets that are
// named so, what prose says to run for it, and services that a compose file has.
type Errand struct{ lexicon.Errand }

const belowSentence = 4 // lines behind a sentence in which the command that it speaks of stands

// instructing are the files that name tasks or say how to work on a project.
var instructing = []string{"/package.json", "/composer.json", "/Makefile", "/makefile", "/GNUmakefile", "/justfile",
	"/Justfile", "/.justfile", "/Taskfile.y*ml", "/Rakefile", "/tasks.py", "/noxfile.py", "/tox.ini", "/mix.exs",
	"/pyproject.toml", "/packages/*/package.json", "/CONTRIBUTING*", "/.github/CONTRIBUTING*", "/docs/CONTRIBUTING*",
	"/docs/contributing*", "/doc/contributing*", "/DEVELOPMENT*", "/HACKING*", "/README*", "/AGENTS.md", "/BUILDING*",
	"/RELEASING*", "/docs/dev*", "/docs/**/contributing*", "/docs/**/development*", "/test/README*", "/tests/README*"}

var composeFiles = []string{"/docker-compose*.y*ml", "/compose*.y*ml", "/*/docker-compose*.y*ml", "/*/compose*.y*ml"}

// Searches returns the searches for lines with a thing, for services, and for scripts and lock files by their names.
func (x Errand) Searches() []Search {
	return []Search{
		{Pattern: x.Pattern(), Include: instructing, Limit: 300, Context: belowSentence},
		{Pattern: `^  ["']?[\w.-]+["']?:\s*$|^\s+image:|^\w+:`, Include: composeFiles, Limit: 300},
		{Include: slices.Concat(conventions.ScriptFolders, []string{"/pnpm-lock.yaml", "/yarn.lock", "/bun.lock*",
			"/.pre-commit-config.yaml"}), Limit: 100},
	}
}

// Reads returns nil: the lines say it.
func (Errand) Reads(Look) []Lines { return nil }

// offer is a command that may do an errand.
type offer struct {
	command, place, runs string
	fit                  int
}

// Say lists the commands that fit best.
func (x Errand) Say(l Look) string {
	var all []offer
	for _, m := range l.Found[0].Matches {
		all = append(all, x.offers(l, m)...)
	}
	for _, f := range l.Found[2].Files {
		rel := l.Rel(f.File)
		name := path.Base(rel)
		if conventions.IsScript(rel) && x.Does(name) && x.Has(name) == len(x.Things) {
			all = append(all, offer{rel, rel + ":1", "", 5})
		}
		if name == ".pre-commit-config.yaml" && x.Does("install") && x.Has("hooks") > 0 {
			all = append(all, offer{"pre-commit install", "as " + rel + " has it by convention", "", 4})
		}
	}
	if x.Starts {
		all = append(all, x.services(l)...)
	}
	slices.SortStableFunc(all, func(a, b offer) int {
		return cmp.Or(b.fit-a.fit, len(strings.FieldsFunc(a.command, parts))-len(strings.FieldsFunc(b.command, parts)))
	})
	text, seen := "", []string{}
	for _, o := range all {
		if slices.Contains(seen, o.command) || len(seen) == listedLines || o.fit < all[0].fit-2 {
			continue
		}
		seen = append(seen, o.command)
		text += fmt.Sprintf("- %s — %s", results.Code(o.command), o.place)
		if o.runs != "" {
			text += ": " + results.Code(results.Clip(o.runs))
		}
		text += "\n"
	}
	if text == "" {
		return ""
	}
	return "To " + x.Said + ", by names and sentences with these words:\n\n" + text +
		"\nThe commands are quoted; I have not run them.\n"
}

func parts(r rune) bool { return strings.ContainsRune(":-_ .", r) }

// offers returns the commands that a line of a file offers.
func (x Errand) offers(l Look, m Match) []offer {
	rel := l.Rel(m.File)
	place := fmt.Sprintf("%s:%d", rel, m.Line)
	if command, name, runs := l.named(rel, m); command != "" {
		fit, has := 0, x.Has(name)
		switch all := x.Has(name+" "+runs) == len(x.Things); {
		case !all:
		case x.Does(name) && has > 0:
			fit = 6 + has
		case has > 0 && x.Does(runs), x.Does(name), x.Does(runs):
			fit = 4
		}
		if fit == 0 {
			return nil
		}
		return []offer{{command, place, runs, fit}}
	}
	if !prosePath.MatchString(rel) || x.Has(m.Text) < len(x.Things) || !x.Does(m.Text) {
		return nil
	}
	var all []offer
	for i, line := range append([]string{m.Text}, m.After...) {
		if _, heads := conventions.Heading([]string{line},
			0); heads && i > 0 && !strings.HasPrefix(strings.TrimSpace(line), "#!") {
			break
		}
		for _, command := range conventions.CommandsIn(line) {
			if i > 0 && len(all) > 0 && !x.Does(command) && x.Has(command) == 0 {
				continue
			}
			all = append(all, offer{command, fmt.Sprintf("%s:%d", rel, m.Line+i), "", 5})
		}
	}
	return all
}

var prosePath = lazyregexp.New(`(?i)\.(?:md|rst|txt|adoc)$|(?:^|/)(?:README|CONTRIBUTING|HACKING)$`)

// named returns the command of a task that a line of a file names, its name, and what it runs; "" if it names none.
func (l Look) named(rel string, m Match) (command, name, runs string) {
	at, file := path.Dir(rel), strings.ToLower(path.Base(rel))
	in := ""
	if at != "." {
		in = "cd " + at + " && "
	}
	switch {
	case file == "package.json" || file == "composer.json":
		if s := scriptLine.FindStringSubmatch(m.Text); s != nil && taskName.MatchString(s[1]) && !aValue.MatchString(s[2]) {
			runner := map[bool]string{true: "composer ", false: l.runner()}[file == "composer.json"]
			return in + runner + s[1], s[1], s[2]
		}
	case file == "makefile" || file == "gnumakefile":
		if s := conventions.MakeTarget.FindStringSubmatch(m.Text); s != nil {
			return "make " + s[1], s[1], firstRecipe(m.After)
		}
	case strings.HasSuffix(file, "justfile"):
		if s := justRecipe.FindStringSubmatch(m.Text); s != nil {
			return "just " + s[1], s[1], firstRecipe(m.After)
		}
	case strings.HasPrefix(file, "taskfile"):
		if s := taskLine.FindStringSubmatch(m.Text); s != nil {
			return "task " + s[1], s[1], ""
		}
	case file == "tasks.py":
		if s := pythonDef.FindStringSubmatch(m.Text); s != nil &&
			strings.HasPrefix(strings.TrimSpace(strings.Join(m.Before[max(0, len(m.Before)-1):], "")), "@task") {
			name := strings.ReplaceAll(s[1], "_", "-")
			return "invoke " + name, name, ""
		}
		if name := documented(m); name != "" {
			return "invoke " + name, name, strings.Trim(m.Text, ` "'`)
		}
	}
	return "", "", ""
}

// documented returns the name of the task that a line of documentation is about, "" for any other line.
func documented(m Match) string {
	if !strings.Contains(m.Text, `"""`) || len(m.Before) == 0 {
		return ""
	}
	s := pythonDef.FindStringSubmatch(m.Before[len(m.Before)-1])
	if s == nil {
		return ""
	}
	return strings.ReplaceAll(s[1], "_", "-")
}

// runner returns what runs the scripts of a package.json.
func (l Look) runner() string {
	for _, f := range l.Found[2].Files {
		switch results.Base(f.File) {
		case "pnpm-lock.yaml":
			return "pnpm run "
		case "yarn.lock":
			return "yarn "
		case "bun.lock", "bun.lockb":
			return "bun run "
		}
	}
	return "npm run "
}

// firstRecipe returns the first line of a recipe.
func firstRecipe(after []string) string {
	if len(after) > 0 && strings.HasPrefix(after[0], "\t") || len(after) > 0 && strings.HasPrefix(after[0], "    ") {
		return strings.TrimLeft(strings.TrimSpace(after[0]), "@-")
	}
	return ""
}

var (
	taskName   = lazyregexp.New(`^[a-z][\w:.-]*$`)
	aValue     = lazyregexp.New(`^[\^~>=<]*\d|^https?:|^(?:\./)?[\w./-]+\.(?:[cm]?js|d\.ts|json)$|^workspace:`)
	scriptLine = lazyregexp.New(`^\s*"([^"]+)":\s*"((?:[^"\\]|\\.)*)`) // perhaps cut off
	justRecipe = lazyregexp.New(`^@?([a-z][\w-]*)(?: [^:=]*)?:(?:[^=]|$)`)
	taskLine   = lazyregexp.New(`^  ["']?([\w:.-]+)["']?:\s*$`)
	pythonDef  = lazyregexp.New(`^def (\w+)\(`)
)

// services returns the commands that start or stop services of a compose file, by convention.
func (x Errand) services(l Look) (all []offer) {
	service, under := "", map[string]bool{}
	files, fits := []string{}, map[string][]string{}
	for _, m := range l.Found[1].Matches {
		rel := l.Rel(m.File)
		switch head := composeHead.FindStringSubmatch(m.Text); {
		case head != nil:
			under[rel] = head[1] == "services"
			continue
		case !under[rel]:
			continue
		}
		if s := taskLine.FindStringSubmatch(m.Text); s != nil {
			service = s[1]
		}
		if x.Has(m.Text) == 0 && x.Has("docker") < len(x.Things) || service == "" || slices.Contains(fits[rel], service) {
			continue
		}
		if len(fits[rel]) == 0 {
			files = append(files, rel)
		}
		fits[rel] = append(fits[rel], service)
	}
	for _, rel := range files {
		command := "docker compose "
		if !usualCompose.MatchString(rel) {
			command += "-f " + rel + " "
		}
		command += map[bool]string{true: "stop ", false: "up -d "}[x.Stops] + strings.Join(fits[rel][:min(6, len(fits[rel]))], " ")
		all = append(all, offer{command, "as " + rel + " has it by convention", "", 3})
	}
	return all
}

var (
	composeHead  = lazyregexp.New(`^(\w+):`)
	usualCompose = lazyregexp.New(`^(?:docker-)?compose\.ya?ml$`)
)
