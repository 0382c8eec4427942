package conventions

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// Source is a file that may say how to work on a project.
type Source struct {
	Path   string // as it is shown, with slashes
	First  int    // number of the first line
	Lines  []string
	Runner string // what runs the scripts of a package.json, such as "npm run"
}

// place returns the place of the line with an index.
func (s Source) place(i int) string { return fmt.Sprintf("%s:%d", s.Path, s.First+i) }

// Found is a command or a heading, with its place and perhaps what it runs.
type Found struct{ Text, Place, Runs string }

// Commands collects the commands for a task, a key of [Tasks].
type Commands struct {
	Task     string
	Without  string // the name of a tool that shall not be used, "" for none
	Part     string // of the task, which alone is asked for, as OfPart takes it; "" for all
	Found    []Found
	Sections []Found // headings of prose about the task
	Needs    []Found // what the prose of a section says is required
	inFile   int
}

const commandsOfFile = 4 // maximum number of commands of a file

func (c *Commands) task() Task { return Tasks[c.Task] }

// WithoutTests makes the commands of tools that test when they build leave the tests out.
func (c *Commands) WithoutTests() {
	for i, command := range c.Found {
		switch {
		case mavenBuild.MatchString(command.Text) && !strings.Contains(command.Text, "skipTests"):
			c.Found[i].Text += " -DskipTests"
		case gradleBuild.MatchString(command.Text) && !strings.Contains(command.Text, "-x test"):
			c.Found[i].Text += " -x test"
		default:
			continue
		}
		c.Found[i].Place += ", without the tests"
	}
}

var (
	mavenBuild  = lazyregexp.New(`^(?:mvn|\./mvnw)\b.*\b(?:package|verify|install|deploy)\b`)
	gradleBuild = lazyregexp.New(`^(?:gradle|\./gradlew)\b.*\bbuild\b`)
)

// Say lists the commands and the sections, "" if there is no command.
func (c *Commands) Say() string {
	if len(c.Found) == 0 && (c.Task != "release" || len(c.Sections) == 0) {
		return ""
	}
	text := "To " + TaskWords[c.Task] + ":\n\n"
	if len(c.Found) == 0 {
		text = "I found no command to " + TaskWords[c.Task] + ".\n"
	}
	for _, command := range c.Found {
		text += fmt.Sprintf("- %s — %s", code(command.Text), command.Place)
		if command.Runs != "" {
			text += ": " + code(clip(command.Runs))
		}
		text += "\n"
	}
	for i, need := range c.Needs {
		if i == 0 {
			text += "\nIt needs, by its words:\n\n"
		}
		text += fmt.Sprintf("- %s — %s\n", clip(need.Text), need.Place)
	}
	for i, section := range c.Sections {
		if i == 0 {
			text += "\nSections about it:\n\n"
		}
		text += fmt.Sprintf("- %q — %s\n", clip(section.Text), section.Place)
	}
	return text + "\n"
}

const longest = 120 // runes of a line in a list

// clip shortens a line for a list.
func clip(line string) string {
	if runes := []rune(line); len(runes) > longest {
		return string(runes[:longest-1]) + "…"
	}
	return line
}

// does reports whether a command does the task. What is tested is no name of the task.
func (c *Commands) does(command string) bool {
	if c.Task != "single" && c.Task != "example" {
		program, arguments, _ := strings.Cut(command, " ")
		command = program + " " + pathArgument.ReplaceAllString(arguments, "")
	}
	return c.task().Does(strings.TrimSpace(command)) && !(c.Task == "build" && ofSystem.MatchString(command))
}

// ofSystem matches the commands that install what others have built.
var ofSystem = lazyregexp.New(`^(?:sudo )?(?:apt(?:-get)?|apk|brew|choco|conda|dnf|emerge|guix|mamba|nix-env|pacman|` +
	`pkg|port|scoop|snap|winget|xbps-install|yum|zypper)\b`)

// runner matches what runs the scripts of a manifest.
var runner = lazyregexp.New(`^(?:npm|pnpm|yarn|bun|composer) (?:run )?`)

var pathArgument = lazyregexp.New(`\S*\w/\S*`)

// names reports whether the name of a target or a script says that it does the task; for a part of the tests, that it
// tests.
func (c *Commands) names(name string) bool {
	return c.task().Target.MatchString(name) || c.Part != "" && c.Task == "test" && testTarget.MatchString(name)
}

var testTarget = lazyregexp.New(`(?i)(?:^|[:_.-])(?:tests?|specs?|check|e2e|smoke|fuzz)(?:$|[:_.-])|^regress\w*$`)

// OfPart reports whether a text has a word for the part that is asked for: one that begins with it, or is it if the
// part is short, as "go" also begins "google", and "java" another language.
func (c *Commands) OfPart(text string) bool {
	ending := ""
	if len(c.Part) < 5 {
		ending = `(?:s|ing)?(?:$|[^a-z0-9])`
	}
	words := strings.ToLower(camelCase.ReplaceAllString(text, "$1-$2"))
	return c.Part == "" || regexp.MustCompile(`(?:^|[^a-z0-9])`+regexp.QuoteMeta(c.Part)+ending).MatchString(words)
}

var camelCase = lazyregexp.New(`([a-z0-9])([A-Z])`)

// add adds a command that does the part of the task which is asked for, each once.
func (c *Commands) add(command, place, runs string) {
	same := func(f Found) bool { return f.Text == command }
	if c.Without != "" && strings.HasPrefix(command, c.Without) {
		if runs == "" || strings.HasPrefix(runs, c.Without) {
			return
		}
		command, runs = runs, "" // what the tool runs
	}
	if !c.OfPart(runner.ReplaceAllString(command, "")) {
		return
	}
	if c.inFile < commandsOfFile && !slices.ContainsFunc(c.Found, same) {
		c.inFile++
		c.Found = append(c.Found, Found{command, place, runs})
	}
}

// Read adds what a file says: of a script that it does the task, of a file of tasks those that do it, of a manifest its
// tools or the command by convention, of other texts the commands in code.
func (c *Commands) Read(s Source) {
	c.inFile = 0
	name := strings.ToLower(path.Base(s.Path))
	if IsScript(s.Path) {
		c.script(s)
		return
	}
	if read := readers[name]; read != nil {
		read(c, s)
	}
	switch command := c.task().Convention[name]; {
	case command != "" && c.inFile == 0 && !(c.Task == "build" && len(c.Found) > 0 && name == "pom.xml"):
		c.add(command, "as "+s.Path+" has it by convention", "")
	case command == "" && readers[name] == nil:
		c.prose(s)
	}
}

// readers read files of tasks and of settings, by their names in lower case.
var readers = map[string]func(*Commands, Source){
	"makefile": make_("make"), "gnumakefile": make_("make"), "justfile": make_("just"),
	"taskfile.yml": taskfile, "taskfile.yaml": taskfile, "rakefile": rakefile, "package.json": (*Commands).packageJSON,
	"composer.json":  composer,
	"pyproject.toml": python, "tox.ini": python, "noxfile.py": python, "setup.cfg": python,
	".pre-commit-config.yaml": preCommit, "pom.xml": plugins, "build.gradle": plugins, "build.gradle.kts": plugins,
}

// targets adds a command for each line whose name, the first group of a pattern, does the task.
func (c *Commands) targets(s Source, pattern *lazyregexp.Regexp, command string) {
	for i, line := range s.Lines {
		if m := pattern.FindStringSubmatch(line); m != nil && c.names(m[1]) {
			c.add(command+m[1], s.place(i), "")
		}
	}
}

func make_(program string) func(*Commands, Source) {
	return func(c *Commands, s Source) { c.targets(s, MakeTarget, program+" ") }
}

func taskfile(c *Commands, s Source) { c.targets(s, yamlTask, "task ") }

func rakefile(c *Commands, s Source) { c.targets(s, rakeTask, "bundle exec rake ") }
