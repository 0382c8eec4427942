package conventions

import (
	"fmt"
	"path"
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
	Found    []Found
	Sections []Found // headings of prose about the task
	Needs    []Found // what the prose of a section says is required
	inFile   int
}

const commandsOfFile = 4 // maximum number of commands of a file

func (c *Commands) task() Task { return Tasks[c.Task] }

// Say lists the commands and the sections, "" if there is no command.
func (c *Commands) Say() string {
	if len(c.Found) == 0 {
		return ""
	}
	text := "To " + TaskWords[c.Task] + ":\n\n"
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

var pathArgument = lazyregexp.New(`\S*\w/\S*`)

// add adds a command, each once.
func (c *Commands) add(command, place, runs string) {
	same := func(f Found) bool { return f.Text == command }
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
	"pyproject.toml": python, "tox.ini": python, "noxfile.py": python, "setup.cfg": python,
	".pre-commit-config.yaml": preCommit, "pom.xml": plugins, "build.gradle": plugins, "build.gradle.kts": plugins,
}

// targets adds a command for each line whose name, the first group of a pattern, does the task.
func (c *Commands) targets(s Source, pattern *lazyregexp.Regexp, command string) {
	for i, line := range s.Lines {
		if m := pattern.FindStringSubmatch(line); m != nil && c.task().Target.MatchString(m[1]) {
			c.add(command+m[1], s.place(i), "")
		}
	}
}

func make_(program string) func(*Commands, Source) {
	return func(c *Commands, s Source) { c.targets(s, MakeTarget, program+" ") }
}

func taskfile(c *Commands, s Source) { c.targets(s, yamlTask, "task ") }

func rakefile(c *Commands, s Source) { c.targets(s, rakeTask, "bundle exec rake ") }

var (
	yamlTask = lazyregexp.New(`^  ["']?([\w:.-]+)["']?:\s*(?:$|[^\s{])`)
	rakeTask = lazyregexp.New(`^\s*(?:(?:multi)?task|[\w:]*(?:RakeTask|TestTask)\.new)[ (]+:?["']?(\w+)`)
)

func (c *Commands) packageJSON(s Source) {
	for _, script := range Scripts(s.Lines) {
		does := c.does(script.Value)
		if c.task().Target.MatchString(script.Name) && (does || !severalTasks.MatchString(script.Name)) ||
			does && severalTasks.MatchString(script.Name) {
			c.add(s.Runner+" "+script.Name, s.place(script.Line), script.Value)
		}
	}
	if c.Task == "single" && slices.ContainsFunc(Scripts(s.Lines), func(s Script) bool { return s.Name == "test" }) {
		c.add(s.Runner+" test -- FILE", "as "+s.Path+" has it by convention", "")
	}
	if manager, _, _ := strings.Cut(s.Runner, " "); c.Task == "install" && manager != "" {
		c.inFile = 0
		c.add(manager+" install", "as "+s.Path+" has it by convention", "")
	}
}

// preCommit adds the command that runs the hooks of pre-commit.
func preCommit(c *Commands, s Source) {
	var hooks []string
	for _, line := range s.Lines {
		if m := hook.FindStringSubmatch(line); m != nil && len(hooks) < commandsOfFile {
			hooks = append(hooks, m[1])
		}
	}
	if c.Task == "lint" {
		c.add("pre-commit run --all-files", s.Path, strings.Join(hooks, ", "))
	}
}

// plugins adds the commands of the plugins of Maven or Gradle that check and mend the style.
func plugins(c *Commands, s Source) {
	of := strings.ToLower(path.Base(s.Path))
	for _, plugin := range stylePlugins {
		at := slices.IndexFunc(s.Lines, plugin.named.MatchString)
		if at < 0 || c.Task != "lint" {
			continue
		}
		commands := plugin.gradle
		if of == "pom.xml" {
			commands = plugin.maven
		}
		for _, command := range commands {
			c.add(command, s.place(at), "")
		}
	}
}

// stylePlugins are the plugins that check the style, and the commands that run them; one that mends it comes first.
var stylePlugins = []struct {
	named         *lazyregexp.Regexp
	maven, gradle []string
}{
	{lazyregexp.New(`spotless`), []string{"mvn spotless:apply", "mvn spotless:check"},
		[]string{"./gradlew spotlessApply", "./gradlew spotlessCheck"}},
	{lazyregexp.New(`fmt-maven-plugin`), []string{"mvn fmt:format", "mvn fmt:check"}, nil},
	{lazyregexp.New(`formatter-maven-plugin`), []string{"mvn formatter:format"}, nil},
	{lazyregexp.New(`(?i)jlleitschuh|ktlint-gradle|plugins\.ktlint|ktlint-maven-plugin`), []string{"mvn ktlint:format"}, []string{"./gradlew ktlintFormat", "./gradlew ktlintCheck"}},
	{lazyregexp.New(`maven-checkstyle-plugin|^\s*(?:id)?[ ("'` + "`" + `]*checkstyle[` + "`" + `"')]*\s*$|apply plugin: ['"]checkstyle`),
		[]string{"mvn checkstyle:check"}, []string{"./gradlew checkstyleMain"}},
	{lazyregexp.New(`(?i)detekt`), nil, []string{"./gradlew detekt"}},
}

var hook = lazyregexp.New(`^\s*-?\s*id:\s*["']?([\w-]+)`)

// script adds a script that does the task by its name, or that is called after several tasks and does this one by what
// it runs.
func (c *Commands) script(s Source) {
	stem, _, _ := strings.Cut(strings.ToLower(path.Base(s.Path)), ".")
	var runs []string
	for _, line := range s.Lines {
		line = strings.TrimSpace(line)
		if !saysNothing.MatchString(line) && c.does(line) && len(runs) < 2 {
			runs = append(runs, line)
		}
	}
	named := c.task().Target.MatchString(stem) && (len(runs) > 0 || !severalTasks.MatchString(stem))
	if named || severalTasks.MatchString(stem) && len(runs) > 0 && c.Task != "install" {
		command := s.Path
		if !strings.Contains(command, "/") {
			command = "./" + command
		}
		c.add(command, s.Path+":1", strings.Join(runs, "; "))
	}
}

// severalTasks matches the names of scripts that may do any of the tasks.
var severalTasks = lazyregexp.New(`^(?:check|checks|ci|all|validate|verify|precommit|pre-commit)$`)

// saysNothing matches a line of a script that runs nothing.
var saysNothing = lazyregexp.New(`^(?:#|//|echo |export |set |\w+=)`)

// IsScript reports whether a path is that of a file in a folder for a project's own scripts.
func IsScript(p string) bool { return scriptPath.MatchString(p) }

var scriptPath = lazyregexp.New(`(?i)^(?:scripts?|bin|dev|hack|tools|ci)/[\w-]+(?:\.(?:sh|bash|py|rb|js|mjs|ts|pl|` +
	`ps1))?$|` +
	`^(?:build|tests?|lint|format|install|bootstrap|setup|check|run[-_]?tests?)\.(?:sh|bash|ps1|cmd|bat)$`)

// ScriptFolders are the folders of a project's own scripts, as search_text takes them.
var ScriptFolders = []string{"/scripts/*", "/script/*", "/bin/*", "/dev/*", "/hack/*", "/tools/*", "/ci/*"}

// NamesTask reports whether the name of a script says that it does a task.
func NamesTask(p, task string) bool {
	stem, _, _ := strings.Cut(strings.ToLower(path.Base(p)), ".")
	return Tasks[task].Target.MatchString(stem) || severalTasks.MatchString(stem)
}

// python adds the commands of the tools that a project of Python configures, and those that it names itself.
func python(c *Commands, s Source) {
	name := path.Base(s.Path)
	head := ""
	for i, line := range s.Lines {
		if strings.HasPrefix(line, "[") {
			head = strings.Trim(line, "[] ")
		}
		for _, tool := range PythonTools {
			if tool.Task == c.Task && strings.HasPrefix(line, tool.Head) && (tool.File == "" || tool.File == name) {
				c.add(tool.Command, s.place(i), "")
			}
		}
		if command := ownTask(s.Lines, i, head); command != "" {
			if own := command[strings.LastIndexAny(command, " :")+1:]; c.task().Target.MatchString(own) {
				c.add(command, s.place(i), "")
			}
		}
	}
}

// ownTask returns the command of a task that a project of Python names in a line below a head: an environment of tox, a
// session of nox, or a script of a manager of projects.
func ownTask(lines []string, i int, head string) string {
	if m := toxEnvironment.FindStringSubmatch(lines[i]); m != nil {
		return "tox -e " + m[1]
	}
	if strings.Contains(lines[i], "nox.session") {
		for _, line := range lines[i:min(i+4, len(lines))] {
			if m := noxSession.FindStringSubmatch(line); m != nil {
				return "nox -s " + m[1]
			}
		}
	}
	key, _, isKey := strings.Cut(lines[i], "=")
	runner, environment := scriptTables[head], hatchScripts.FindStringSubmatch(head)
	if environment != nil {
		runner = "hatch run " + environment[1] + ":"
	}
	if !isKey || runner == "" {
		return ""
	}
	return runner + strings.Trim(key, ` "'`)
}

var (
	toxEnvironment = lazyregexp.New(`^\[(?:testenv:|env\.)([\w-]+)\]`)
	noxSession     = lazyregexp.New(`^def (\w+)\(|\bname=["']([\w-]+)`)
	hatchScripts   = lazyregexp.New(`^tool\.hatch\.envs\.([\w-]+)\.scripts$`)
	scriptTables   = map[string]string{"tool.poe.tasks": "poe ", "tool.pdm.scripts": "pdm run ",
		"tool.taskipy.tasks": "task "}
)

// prose adds the commands in code of a text, and the heading of its first section on the task. A program alone in a
// sentence is a command if the sentence says to run it.
func (c *Commands) prose(s Source) {
	headed, fenced, aside, within := false, false, false, false
	for i, line := range s.Lines {
		if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~") {
			fenced = !fenced
			continue
		}
		for _, command := range commandsIn(line, fenced) {
			if program.MatchString(command) && c.does(command) && !aside {
				c.add(command, s.place(i), "")
			}
		}
		if within && !fenced && needs.MatchString(line) && len(c.Needs) < 2 {
			c.Needs = append(c.Needs, Found{Text: strings.TrimSpace(line), Place: s.place(i)})
		}
		title, ok := Heading(s.Lines, i)
		if title = WithoutMarkup(title); ok && !fenced {
			within = c.Task == "build" && buildTitle.MatchString(title)
			aside = c.Task != "document" && Tasks["document"].Titled.MatchString(title)
		}
		if ok && !fenced && !headed && c.task().Titled.MatchString(title) {
			headed = true
			c.Sections = append(c.Sections, Found{Text: title, Place: s.place(i)})
		}
	}
}

var (
	buildTitle = lazyregexp.New(`(?i)^(?:how to |to )?(?:build|compil)`)
	needs      = lazyregexp.New(`(?i)\b(?:jdk|java|python|node(?:\.js)?|go|rust\w*|gcc|clang|ruby|cmake|maven` +
		`|gradle|php|` +
		`kotlin|swift|xcode)\b[^.]*\b\d+.*\b(?:requir|need|or (?:newer|later|higher|above)|at least|minimum)` +
		`|\b(?:requir|need|` +
		`at least|minimum)\w*\b.*\b(?:jdk|java|python|node(?:\.js)?|go|rust\w*|gcc|clang|ruby|cmake|maven|gradle|php)\b.*\d`)
)

// CommandsIn returns the commands of known programs in a line of prose or of a block of code.
func CommandsIn(line string) (commands []string) {
	for _, command := range append(commandsIn(line, false), commandsIn(line, true)...) {
		if program.MatchString(command) && !slices.Contains(commands, command) {
			commands = append(commands, command)
		}
	}
	return commands
}

// commandsIn returns what may be a command in a line of prose: a line of a block of code, or spans of code.
func commandsIn(line string, fenced bool) (commands []string) {
	if fenced || strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t") {
		return []string{promptSign.ReplaceAllString(strings.TrimSpace(line), "")}
	}
	for _, at := range codeSpan.FindAllStringSubmatchIndex(line, -1) {
		command := promptSign.ReplaceAllString(strings.TrimSpace(line[at[2]:at[3]]), "")
		if strings.Contains(command, " ") || saysToRun.MatchString(line[:at[0]]) || len(line) == at[1] {
			commands = append(commands, command)
		}
	}
	return commands
}

var (
	saysToRun = lazyregexp.New(`(?i)\b(?:run|runs|running|use|using|execute|type|invoke|call|try|do|then|with|` +
		`via)\b[^.]*$`)
	codeSpan   = lazyregexp.New("`([^`]+)`")
	promptSign = lazyregexp.New(`^[$%>] ?`)
	program    = lazyregexp.New(`^(?:[A-Z_]+=\S+ )*(?:cd \S+ && )?(?:go|make|cargo|npm|pnpm|yarn|npx|bun|deno` +
		`|python3?|` +
		`pip3?|pipx|poetry|pdm|hatch|uv|uvx|tox|nox|pytest|mvn|\./mvnw|gradle|cmake|ctest|ninja|meson|bazel` +
		`|dotnet|swift|` +
		`mix|bundle|rake|rspec|rubocop|gem|composer|docker|just|task|sbt|stack|cabal|zig|dune|ruby|node|java` +
		`|brew|apt|` +
		`apt-get|pre-commit|ruff|mypy|black|flake8|golangci-lint|eslint|prettier|\./[\w./-]+|` +
		`(?:scripts?|bin|dev|hack|tools|ci)/[\w-]+(?:\.\w+)?)(?: |$)`)
)

// ByPresence adds the command of a tool whose file of settings a project has, if nothing else says how.
func (c *Commands) ByPresence(name string) {
	for _, tool := range presentTools {
		if command := tool.commands[c.Task]; command != "" && tool.file.MatchString(name) {
			c.inFile = 0
			c.add(command, "as "+name+" has it by convention", "")
		}
	}
}

// presentTools are the tools that a project uses if it has a file, by tasks.
var presentTools = []struct {
	file     *lazyregexp.Regexp
	commands map[string]string
}{
	{lazyregexp.New(`\.(?:sln|slnx|csproj` +
		`|fsproj)$`), map[string]string{"build": "dotnet build", "test": "dotnet test",
		"run": "dotnet run", "lint": "dotnet format --verify-no-changes", "single": "dotnet test --filter NAME"}},
	{lazyregexp.New(`^meson\.build$`), map[string]string{"build": "meson setup build && meson compile -C build",
		"test": "meson test -C build", "install": "meson install -C build"}},
	{lazyregexp.New(`^configure(?:\.ac)?$`), map[string]string{"build": "./configure && make", "test": "make check",
		"install": "make install"}},
	{lazyregexp.New(`^build\.sbt$`), map[string]string{"build": "sbt compile", "test": "sbt test", "run": "sbt run"}},
	{lazyregexp.New(`^Package\.swift$`), map[string]string{"build": "swift build", "test": "swift test"}},
	{lazyregexp.New(`^build\.zig$`), map[string]string{"build": "zig build", "test": "zig build test"}},
	{lazyregexp.New(`\.cabal$`), map[string]string{"build": "cabal build", "test": "cabal test"}},
	{lazyregexp.New(`^dune-project$`), map[string]string{"build": "dune build", "test": "dune test"}},
	{lazyregexp.New(`^pubspec\.yaml$`), map[string]string{"install": "dart pub get", "test": "dart test",
		"lint": "dart analyze"}},
	{lazyregexp.New(`^(?:MODULE|WORKSPACE)(?:\.bazel)?$`), map[string]string{"build": "bazel build //...",
		"test": "bazel test //..."}},
	{lazyregexp.New(`^phpunit\.xml`), map[string]string{"test": "vendor/bin/phpunit"}},
	{lazyregexp.New(`^\.rspec$`), map[string]string{"test": "bundle exec rspec", "single": "bundle exec rspec FILE"}},
	{lazyregexp.New(`^\.rubocop\.yml$`), map[string]string{"lint": "bundle exec rubocop"}},
	{lazyregexp.New(`^\.golangci\.`), map[string]string{"lint": "golangci-lint run"}},
	{lazyregexp.New(`^\.?eslint(?:rc|\.config)`), map[string]string{"lint": "npx eslint ."}},
	{lazyregexp.New(`^biome\.json`), map[string]string{"lint": "npx biome check"}},
	{lazyregexp.New(`^\.?prettier(?:rc|\.config)`), map[string]string{"lint": "npx prettier --check ."}},
	{lazyregexp.New(`^\.?ruff\.toml$`), map[string]string{"lint": "ruff check ."}},
	{lazyregexp.New(`^\.clang-format$`), map[string]string{"lint": "clang-format -n FILE"}},
	{lazyregexp.New(`^\.flake8$`), map[string]string{"lint": "flake8"}},
}
