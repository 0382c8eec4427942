package conventions

import (
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
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
		`at least|minimum)\w*\b.*\b(?:jdk|java|python|node(?:\.js)?|go|rust\w*|gcc|clang|ruby|cmake|maven|gradle` +
		`|php)\b.*\d`)
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
		return []string{shellComment.ReplaceAllString(promptSign.ReplaceAllString(strings.TrimSpace(line), ""), "")}
	}
	for _, at := range codeSpan.FindAllStringSubmatchIndex(line, -1) {
		command := promptSign.ReplaceAllString(strings.TrimSpace(line[at[2]:at[3]]), "")
		if !named.MatchString(command) && (strings.Contains(command, " ") || saysToRun.MatchString(line[:at[0]]) ||
			len(line) == at[1]) {
			commands = append(commands, command)
		}
	}
	return commands
}

var (
	saysToRun = lazyregexp.New(`(?i)\b(?:run|runs|running|use|using|execute|type|invoke|call|try|do|then|with|` +
		`via)\b[^.]*$`)
	// a folder that a sentence names, or what is beneath one that commands make
	named = lazyregexp.New(`^\./(?:\.?v?env|node_modules|target|dist|out|vendor)(?:/\S*)?$|^\./build/\S|` +
		`^\./[\w-]+/$`)
	codeSpan     = lazyregexp.New("`([^`]+)`")
	shellComment = lazyregexp.New(`\s+#(?:[ (].*)?$`)
	promptSign   = lazyregexp.New(`^[$%>] ?`)
	program      = lazyregexp.New(`^(?:[A-Z_]+=\S+ )*(?:cd \S+ && )?(?:go|make|cargo|npm|pnpm|yarn|npx|bun|deno` +
		`|python3?|` +
		`pip3?|pipx|poetry|pdm|hatch|uv|uvx|tox|nox|pytest|mvn|\./mvnw|gradle|cmake|ctest|ninja|meson|bazel` +
		`|dotnet|swift|(?:ba)?sh \S+\.sh|` +
		`mix|bundle|rake|rspec|rubocop|gem|composer|docker|just|task|sbt|stack|cabal|zig|dune|ruby|node|java` +
		`|brew|apt|` +
		`apt-get|pre-commit|autoreconf|git submodule|ruff|mypy|black|flake8|golangci-lint|eslint|prettier|\./[\w./-]+|` +
		`(?:scripts?|bin|dev|hack|tools|ci)/[\w-]+(?:\.\w+)?)(?: |$)`)
)

// ByPresence adds the command of a tool whose file of settings a project has, if nothing else says how.
func (c *Commands) ByPresence(name string) {
	for _, tool := range presentTools {
		if slices.ContainsFunc(c.Found, func(f Found) bool { return strings.Contains(f.Text, "./configure") }) &&
			strings.HasPrefix(name, "configure") && c.Task == "build" {
			continue // another file says it, and what goes before
		}
		command := tool.commands[c.Task]
		if analyses := tool.commands["lint"]; command == "" && c.Task == "analyse" && c.does(analyses) {
			command = analyses
		}
		if command != "" && tool.file.MatchString(name) {
			c.inFile = 0
			c.add(command, "as "+name+" has it by convention", "")
			if last := len(c.Found) - 1; name == "autogen.sh" { // it makes what others run
				c.Found = append(c.Found[last:], c.Found[:last]...)
			}
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
	{lazyregexp.New(`^autogen\.sh$`), map[string]string{"build": "sh autogen.sh && ./configure && make"}},
	{lazyregexp.New(`^configure$`), map[string]string{"build": "./configure && make", "test": "make check",
		"install": "make install"}},
	{lazyregexp.New(`^configure\.ac$`), map[string]string{"build": "autoreconf -fi && ./configure && make",
		"test": "make check", "install": "make install"}},
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
	{lazyregexp.New(`^phpstan\.(?:dist\.)?neon`), map[string]string{"analyse": "vendor/bin/phpstan analyse",
		"lint": "vendor/bin/phpstan analyse"}},
	{lazyregexp.New(`^psalm\.xml`), map[string]string{"analyse": "vendor/bin/psalm", "lint": "vendor/bin/psalm"}},
	{lazyregexp.New(`^\.php-cs-fixer\.`), map[string]string{"lint": "vendor/bin/php-cs-fixer fix --dry-run"}},
	{lazyregexp.New(`^\.?phpcs\.xml`), map[string]string{"lint": "vendor/bin/phpcs"}},
	{lazyregexp.New(`^\.rspec$`), map[string]string{"test": "bundle exec rspec", "single": "bundle exec rspec FILE"}},
	{lazyregexp.New(`^\.rubocop\.yml$`), map[string]string{"lint": "bundle exec rubocop"}},
	{lazyregexp.New(`^\.golangci\.`), map[string]string{"lint": "golangci-lint run"}},
	{lazyregexp.New(`^\.?eslint(?:rc|\.config)`), map[string]string{"lint": "npx eslint ."}},
	{lazyregexp.New(`^biome\.json`), map[string]string{"lint": "npx biome check"}},
	{lazyregexp.New(`^\.?prettier(?:rc|\.config)`), map[string]string{"lint": "npx prettier --check ."}},
	{lazyregexp.New(`^\.?ruff\.toml$`), map[string]string{"lint": "ruff check ."}},
	{lazyregexp.New(`^\.clang-format$`), map[string]string{"lint": "clang-format -n FILE"}},
	{lazyregexp.New(`^uv\.lock$`), map[string]string{"setup": "uv sync"}},
	{lazyregexp.New(`^poetry\.lock$`), map[string]string{"setup": "poetry install"}},
	{lazyregexp.New(`^requirements\.txt$`), map[string]string{"setup": "pip install -r requirements.txt"}},
	{lazyregexp.New(`^requirements-dev\.txt$`), map[string]string{"setup": "pip install -r requirements-dev.txt"}},
	{lazyregexp.New(`^composer\.json$`), map[string]string{"setup": "composer install"}},
	{lazyregexp.New(`^\.devcontainer(?:\.json)?$`), map[string]string{"setup": "devcontainer up --workspace-folder ."}},
	{lazyregexp.New(`^\.flake8$`), map[string]string{"lint": "flake8"}},
}
