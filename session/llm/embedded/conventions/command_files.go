package conventions

import (
	"path"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

var (
	yamlTask = lazyregexp.New(`^  ["']?([\w:.-]+)["']?:\s*(?:$|[^\s{])`)
	rakeTask = lazyregexp.New(`^\s*(?:(?:multi)?task|[\w:]*(?:RakeTask|TestTask)\.new)[ (]+:?["']?(\w+)`)
)

// composer adds the scripts of a composer.json.
func composer(c *Commands, s Source) {
	s.Runner = "composer"
	c.packageJSON(s)
}

func (c *Commands) packageJSON(s Source) {
	for _, script := range Scripts(s.Lines) {
		does := c.does(script.Value)
		if c.names(script.Name) && (does || !severalTasks.MatchString(script.Name)) ||
			does && severalTasks.MatchString(script.Name) {
			c.add(s.Runner+" "+script.Name, s.place(script.Line), script.Value)
		}
	}
	if c.Task == "single" && slices.ContainsFunc(Scripts(s.Lines), func(s Script) bool { return s.Name == "test" }) {
		c.add(s.Runner+" test -- FILE", "as "+s.Path+" has it by convention", "")
	}
	if manager, _, _ := strings.Cut(s.Runner, " "); (c.Task == "install" || c.Task == "setup") &&
		manager != "" {
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
	named := NamesTask(s.Path, c.Task) && (len(runs) > 0 || !severalTasks.MatchString(stem))
	if named && (c.Task != "setup" && c.Task != "install" || !severalTasks.MatchString(stem)) {
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
	return Tasks[task].Target.MatchString(stem) || severalTasks.MatchString(stem) || task == "setup" && stem == "install"
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
			does := tool.Task == c.Task || c.Task == "analyse" && tool.Task == "lint" && c.does(tool.Command)
			if does && strings.HasPrefix(line, tool.Head) && (tool.File == "" || tool.File == name) {
				c.add(tool.Command, s.place(i), "")
			}
		}
		if command := ownTask(s.Lines, i, head); command != "" {
			if own := command[strings.LastIndexAny(command, " :")+1:]; c.names(own) {
				_, runs, _ := strings.Cut(line, "=")
				c.add(command, s.place(i), plainText(runs))
			}
		}
	}
}

// plainText returns the text of a value of TOML, "" for any other value.
func plainText(value string) string {
	value = strings.TrimSpace(value)
	if len(value) < 2 || value[0] != value[len(value)-1] || value[0] != '"' && value[0] != '\'' {
		return ""
	}
	return strings.ReplaceAll(value[1:len(value)-1], `\"`, `"`)
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
