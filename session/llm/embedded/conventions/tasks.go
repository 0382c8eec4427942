package conventions

import (
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// Task is what one wants to do with a project.
type Task struct {
	Target     *lazyregexp.Regexp // names of targets and scripts
	Words      *lazyregexp.Regexp // of a command
	Not        *lazyregexp.Regexp // words of a command that does something else
	Titled     *lazyregexp.Regexp
	Convention map[string]string // commands by manifest
}

// Tasks are the tasks by what they do.
var Tasks = map[string]Task{
	"build": {lazyregexp.New(`^(?:all|build.*|compile|install|dist)$`), lazyregexp.New(`\b(?:build|compile|install|` +
		`i)\b|autogen\.sh|^git submodule (?:update|init)|^\./configure|autoreconf|^make(?: [A-Z_]+=\S+| -j\S*)*$` +
		`|^(?:pnpm|npm|yarn)$|^(?:mvn` +
		`|\./mvnw)\b.*\b(?:package|verify)$`),
		lazyregexp.New(`\b(?:test|lint|docs?)\b|^(?:make|npm|go|cargo)\b.* clean\b|^(?:sudo )?(?:docker|podman)` +
			` (?:run|pull|exec)\b`),
		lazyregexp.New(`(?i)\b(?:build(?:ing|s)?|compil\w*|install\w*|setup|set up)\b`),
		map[string]string{"cargo.toml": "cargo build", "go.mod": "go build ./...", "pyproject.toml": "pip install -e " +
			".", "setup.py": "pip install -e .", "pom.xml": "mvn package",
			"build.gradle": "./gradlew build", "build.gradle.kts": "./gradlew build", "cmakelists.txt": "cmake -B build && " +
				"cmake --build build", "mix.exs": "mix compile", "gemfile": "bundle install"}},
	"run": {lazyregexp.New(`^(?:run|start|serve|dev|server)(?:[:-].*)?$`), lazyregexp.New(`\b(?:run|start|serve|` +
		`dev)\b|^\./`),
		lazyregexp.New(`\b(?:test|tests|lint|build|docs?|bench|format|typecheck|configure)|` +
			`runtest`), lazyregexp.New(`(?i)\b(?:running|run|quick ?start|getting started|usage)\b`),
		map[string]string{"cargo.toml": "cargo run", "go.mod": "go run .", "mix.exs": "mix run"}},
	"test": {lazyregexp.New(`(?i)^(?:tests?|spec)(?:[:_-].*)?$|^(?:run|unit|integration|e2e|all|system|functional|` +
		`smoke|ci|go|js|py)[_-]tests?$|^check$`), lazyregexp.New(`\b(?:tests?|pytest|` +
		`tox|nox|ctest|vitest|jest|nextest)\b|/runtest`),
		lazyregexp.New(`^docker`), lazyregexp.New(`(?i)\btest`),
		map[string]string{"cargo.toml": "cargo test", "go.mod": "go test " +
			"./...", "pyproject.toml": "pytest", "setup.py": "pytest", "pom.xml": "mvn test", "build.gradle": "./gradlew test",
			"build.gradle.kts": "./gradlew test", "cmakelists.txt": "ctest --test-dir build", "mix.exs": "mix " +
				"test", "gemfile": "bundle exec rake test"}},
	"single": {lazyregexp.New(`(?i)^tests?[:_-](?:one|single|file|only)$`),
		lazyregexp.New(`\b(?:tests?|pytest|nextest|rspec|vitest|jest)\b.*(?:\s-(?:run|k|t|R)\b|::|\s--(?:filter|tests` +
			`|grep|` +
			`test-case|test|match|only)\b|-Dtest)|[\s/](?:tests?_\w+|\w+[._-](?:tests?|spec)|\w*[a-z]Tests?)\.\w+|\bTEST=`),
		lazyregexp.New(`^(?:docker|git|cd|vim?|code|open)\b`), lazyregexp.New(`(?i)\b(?:single|one|specific|individual) ` +
			`(?:\w+ )?test`),
		map[string]string{"cargo.toml": "cargo test NAME", "go.mod": "go test -run NAME ./FOLDER",
			"pyproject.toml": "pytest FILE::NAME", "setup.py": "pytest FILE::NAME", "pom.xml": "mvn test -Dtest=NAME",
			"build.gradle": "./gradlew test --tests NAME", "build.gradle.kts": "./gradlew test --tests NAME",
			"cmakelists.txt": "ctest --test-dir build -R NAME", "mix.exs": "mix test FILE"}},
	"example": {lazyregexp.New(`(?i)^(?:(?:run|start)[:_-])?examples?(?:[:_-].*)?$`), lazyregexp.New(`\bexamples?\b`),
		lazyregexp.New(`\b(?:test|lint|clean|git)\b`), lazyregexp.New(`(?i)\b(?:run\w*\b.*)?\bexamples?\b`), nil},
	"install": {lazyregexp.New(`(?i)^(?:install|setup|bootstrap|init|deps|dependencies)(?:[:_-].*)?$`),
		lazyregexp.New(`\binstall\b|\b(?:uv|poetry|pdm|bundle|mix) sync\b|\b(?:cargo|yarn|pnpm|bun|poetry|uv|pdm|dotnet|` +
			`composer) ` +
			`(?:add|require)\b|\bgo get\b|^(?:npm|pnpm|yarn) (?:i|ci)\b|^(?:pnpm|yarn)$|\bdotnet restore\b`),
		lazyregexp.New(`\b(?:lint|docs?|clean|uninstall|git add|remove)\b|pre-commit install|playwright`),
		lazyregexp.New(`(?i)\b(?:install|setup|set up|getting started)`),
		map[string]string{"cargo.toml": "cargo build", "go.mod": "go mod download", "pyproject.toml": "pip install -e .",
			"setup.py": "pip install -e .", "pom.xml": "mvn install", "mix.exs": "mix deps.get", "gemfile": "bundle install"}},
	"setup": {lazyregexp.New(`(?i)^(?:setup|set-up|bootstrap|init|deps|dependencies|develop|venv` +
		`|env)(?:[:_-](?:dev\w*|env))?$|` +
		`^(?:install|setup|dev)[:_-](?:dev\w*|deps|env\w*|setup)$`),
		lazyregexp.New(`\b(?:uv|poetry|pdm|hatch|bundle|mix|pipenv) (?:sync|install|env create)\b|\bmix deps\.get\b` +
			`|\bgo mod ` +
			`download\b|^(?:npm|pnpm|yarn|bun) (?:i|ci|install)$|^(?:pnpm|yarn)$|\bpip3? install (?:\S+ )*?(?:-[er]|\.` +
			`|--group)|` +
			`\bvenv\b|\bvirtualenv\b|\bpre-commit install\b|\bdotnet restore\b|\bcomposer install\b|\b(?:lefthook|husky)` +
			` install\b|` +
			`\bsubmodule (?:update|init)\b|^(?:script|scripts|bin|dev|tools)/(?:setup|bootstrap)|^\./(?:setup|bootstrap)`),
		lazyregexp.New(`\b(?:lint|docs?|clean|uninstall|git add|remove)\b`),
		lazyregexp.New(`(?i)\b(?:develop\w*|dev|set(?:ting)?[- ]?up|hacking|prerequisites)\b`),
		map[string]string{"cargo.toml": "cargo build", "go.mod": "go mod download", "pyproject.toml": "pip install -e .",
			"setup.py": "pip install -e .", "mix.exs": "mix deps.get", "gemfile": "bundle install"}},
	"benchmark": {lazyregexp.New(`(?i)^bench\w*(?:[:_-].*)?$`), lazyregexp.New(`\bbench\w*|--bench|-bench`),
		lazyregexp.New(`\b(?:lint)\b`), lazyregexp.New(`(?i)\bbenchmark`),
		map[string]string{"cargo.toml": "cargo bench", "go.mod": "go test -bench . ./..."}},
	"document": {lazyregexp.New(`(?i)^(?:docs?|html|apidocs?|javadoc|typedoc)(?:[:_-].*)?$`),
		lazyregexp.New(`\b(?:docs?|sphinx-build|mkdocs|typedoc|javadoc|rustdoc|godoc|pkgsite)\b`),
		lazyregexp.New(`\b(?:lint|test)\b`), lazyregexp.New(`(?i)\b(?:documentation|docs)\b`),
		map[string]string{"cargo.toml": "cargo doc --open", "mix.exs": "mix docs"}},
	"analyse": {lazyregexp.New(`(?i)^(?:(?:check|run|test)[:_-])?(?:analy[sz]e|(?:static|code)[_-]?analy\w*|sca` +
		`|` + analysers +
		`)(?:[:_-].*)?$`), lazyregexp.New(`\b(?:` + analysers + `|analy[sz]e)\b`), lazyregexp.New(`\b(?:test)\b`),
		lazyregexp.New(`(?i)\b(?:static(?: code)? analysis|type check\w*|lint\w*)\b`),
		map[string]string{"cargo.toml": "cargo clippy", "go.mod": "go vet ./..."}},
	"release": {lazyregexp.New(`(?i)^(?:(?:(?:do|make|ci)[_-]?)?release|publish|bump(?:[_-]?version)?` +
		`|deploy)(?:[:_-].*)?$`),
		lazyregexp.New(`\b(?:publish|release|twine upload|goreleaser|semantic-release|changeset|(?:npm|poetry|hatch)` +
			` version|` +
			`git tag)\b`), lazyregexp.New(`\b(?:build|test|run|install|clone|checkout)\b|^(?:curl|wget|docker)\b`),
		lazyregexp.New(`(?i)^(?:how to |making a |cutting a |creating a )?(?:releas(?:e|ing)(?: (?:process|checklist` +
			`|procedure|` +
			`steps|a\b.*))?|publishing)\b`), nil},
	"snapshot": {lazyregexp.New(`(?i)\b(?:snap(?:shot)?s?|golden)\b`),
		lazyregexp.New(`--(?:update-)?snapshots?(?:-update)?\b|` +
			`--snapshot-update|\b(?:vitest|jest|playwright)\b.*\s(?:-u|--update)\b|\bcargo insta\b|\bINSTA_UPDATE=|` +
			`\bUPDATE_(?:GOLDEN|SNAPSHOTS?|EXPECT)=\S|\bgo test\b.* -update\b`), lazyregexp.New(`^git\b|\bgoreleaser\b`),
		lazyregexp.New(`(?i)\b(?:snapshots?|golden files?)\b`), nil},
	"lint": {lazyregexp.New(`(?i)^(?:(?:check|fix|test|static|qa|quality|code|verify|apply)[:_-])?(?:lint\w*|fmt` +
		`|format\w*|vet|style|typecheck|type-check|` +
		`prettier|eslint|rubocop|standard|clippy|ruff|flake8|mypy|black|checkstyle|spotless\w*|` +
		`(?:py)?code[_-]?style|check[_-]style|cs(?:[_-]?(?:check|fix))?|phpcs\w*|php-cs-fixer|ktlint\w*|detekt` +
		`|scalafmt\w*|` +
		`isort|gofmt|gofumpt|golangci\w*|staticcheck|biome|stylelint|oxlint|credo|tidy)(?:[:_-].*)?$`),
		lazyregexp.New(`\b(?:lint(?:ing)?|clippy|fmt|rustfmt|format|vet|eslint|prettier|ruff|spotless\w*|ktlint\w*` +
			`|detekt|checkstyle\w*|` +
			`flake8|codestyle|phpcs|php-cs-fixer|` +
			`mypy|black|typecheck|pre-commit)\b`),
		lazyregexp.New(`\b(?:test)\b`), lazyregexp.New(`(?i)\b(?:lint|format|style)`),
		map[string]string{"cargo.toml": "cargo clippy && cargo fmt --check", "go.mod": "go vet ./... && gofmt -l " +
			".", "mix.exs": "mix format --check-formatted"}},
}

// analysers are the tools that find mistakes in code without running it, in a pattern.
const analysers = `phpstan|psalm|phan|mypy|pyright|pytype|typecheck|type-check|staticcheck|golangci(?:-lint)?|vet|` +
	`clippy|dialyzer|credo|detekt|spotbugs|pmd|cppcheck|clang-tidy|lint(?:ing)?|ruff|flake8|pylint|eslint|rubocop`

// Does reports whether a command does the task.
func (t Task) Does(command string) bool {
	return t.Words.MatchString(command) && !t.Not.MatchString(command)
}

// Script is a script of a package.json.
type Script struct {
	Name, Value string
	Line        int // index
}

// Member matches a member of an object of JSON that is a text.
var Member = lazyregexp.New(`^\s*"([^"]+)":\s*"((?:[^"\\]|\\.)*)"`)

// Scripts returns the scripts in the lines of a package.json.
func Scripts(lines []string) (found []Script) {
	start := slices.IndexFunc(lines, func(line string) bool {
		return strings.HasPrefix(strings.TrimSpace(line),
			`"scripts"`)
	})
	for i := start + 1; start >= 0 && i < len(lines) && !strings.HasPrefix(strings.TrimSpace(lines[i]), "}"); i++ {
		switch m, list := Member.FindStringSubmatch(lines[i]), listMember.FindStringSubmatch(lines[i]); {
		case m != nil:
			found = append(found, Script{m[1], strings.ReplaceAll(m[2], `\"`, `"`), i})
		case list != nil:
			found = append(found, Script{list[1], strings.Join(elements(lines[i:], list[2]), "; "), i})
		}
	}
	return found
}

// listMember matches a member of an object of JSON that is a list.
var listMember = lazyregexp.New(`^\s*"([^"]+)":\s*\[(.*)`)

// elements returns the texts of a list of JSON that begins behind a head in the first of some lines.
func elements(lines []string, first string) (all []string) {
	for i, line := range lines {
		if i == 0 {
			line = first
		}
		for _, m := range element.FindAllStringSubmatch(line, -1) {
			all = append(all, strings.ReplaceAll(m[1], `\"`, `"`))
		}
		if strings.HasSuffix(strings.TrimRight(line, ", \t"), "]") {
			break
		}
	}
	return all
}

var element = lazyregexp.New(`"((?:[^"\\]|\\.)*)"`)

// PythonTools are the tools of a project of Python by the heads of their settings.
var PythonTools = []struct{ Task, File, Head, Command string }{
	{"test", "", "[tool.tox", "tox"}, {"test", "tox.ini", "[tox]", "tox"}, {"test", "noxfile.py", "import nox", "nox"},
	{"test", "", "[tool.pytest", "pytest"}, {"test", "", "[tool.hatch.envs", "hatch test"},
	{"build", "", "[tool.poetry]", "poetry install"}, {"build", "", "[tool.uv", "uv sync"}, {"build", "",
		"[build-system]", "pip install -e ."},
	{"setup", "", "[tool.poetry]", "poetry install"}, {"setup", "", "[tool.uv", "uv sync"}, {"setup", "", "[tool.pdm",
		"pdm install"},
	{"lint", "", "[tool.ruff", "ruff check ."}, {"lint", "", "[tool.black]", "black --check ."}, {"lint", "",
		"[tool.mypy]", "mypy"},
	{"lint", "", "[tool.pyright]", "pyright"}, {"lint", "", "[tool.flake8", "flake8"}, {"lint", "", "[flake8]",
		"flake8"}, {"lint", "", "[mypy]", "mypy"},
	{"lint", "", "[tool.isort]", "isort --check ."}, {"lint", "", "[tool.pylint", "pylint"},
	{"single", "", "[tool.pytest", "pytest FILE::NAME"},
}

// Instructing are the names of files that say how to work on a project, in lower case, the best first. The scripts of
// the project stand where it says so.
var Instructing = []string{"agents.md", Scripted, "contributing.md", "contributing.rst", "releasing.md",
	"release.md", "development.md", "building.md",
	"build.md", "hacking.md", "makefile", "gnumakefile", "justfile", "taskfile.yml", "taskfile.yaml", "rakefile",
	"package.json", "composer.json", "readme.md", "readme.rst", "readme",
	"readme.txt", "readme.adoc", "install", "install.md", "cargo.toml", "go.mod", "pyproject.toml", "tox.ini",
	"noxfile.py", "setup.py", "setup.cfg", "pom.xml", "build.gradle", "build.gradle.kts", "cmakelists.txt", "mix.exs",
	"gemfile", ".pre-commit-config.yaml"}

// Scripted stands for the scripts of a project in [Instructing].
const Scripted = "*"

// TaskWords say what a task is, after "To".
var TaskWords = map[string]string{"build": "build this project", "run": "run this project", "test": "test this " +
	"project",
	"lint": "lint this project", "benchmark": "benchmark this project", "document": "document this project",
	"install": "install this project", "setup": "set this project up for development", "single": "run one test of " +
		"this project", "example": "run an example", "analyse": "analyse the code of this project " +
		"without running it", "release": "release this project", "snapshot": "update the snapshots of this project's tests"}
