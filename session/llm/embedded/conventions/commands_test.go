package conventions

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestCommandsOfFiles reads the files of projects in several languages for the commands of a task.
func TestCommandsOfFiles(t *testing.T) {
	tests := []struct {
		name, task, path, text string
		want                   []string // with what they run
	}{
		{"a script by its name", "lint", "scripts/lint", "#!/bin/sh\n# ruff\nset -x\nruff check --fix\nruff format",
			[]string{"scripts/lint: ruff check --fix; ruff format"}},
		{"a script that does several tasks", "lint", "script/check.sh", "mypy src", []string{"script/check.sh: mypy src"}},
		{"a script that does other tasks", "test", "scripts/check", "export FILES=tests\nruff check", nil},
		{"packages of others are no build", "build", "README.md", "```\nsudo apt-get install app\nbrew install app\ncargo install --path .\n```",
			[]string{"cargo install --path ."}},
		{"a script at the top", "build", "build.sh", "make build", []string{"./build.sh: make build"}},
		{"a program of the code", "test", "src/test.py", "pytest", nil},
		{"scripts of npm", "lint", "package.json", "{\n\"scripts\": {\n" + `"check": "npm run check:lint",` + "\n" + `"check:lint": "eslint .",` + "\n" +
			`"lint-fix": "x"` + "\n}}", []string{"npm run check: npm run check:lint", "npm run check:lint: eslint .", "npm run lint-fix: x"}},
		{"a check that tests nothing", "test", "package.json", "{\n\"scripts\": {\n" + `"check": "eslint .",` + "\n" + `"test": "jest"` + "\n}}",
			[]string{"npm run test: jest"}},
		{"one test of npm", "single", "package.json", "{\n\"scripts\": {\n" + `"test": "jest"` + "\n}}", []string{"npm run test -- FILE"}},
		{"installed by npm", "install", "package.json", "{\n\"scripts\": {\n" + `"postinstall": "x"` + "\n}}", []string{"npm install"}},
		{"set up by prose", "setup", "CONTRIBUTING.md", "```\npip install app\ngem install app\npip install -e .[dev]\nnpm install app\nuv sync\n" +
			"pre-commit install\n```", []string{"pip install -e .[dev]", "uv sync", "pre-commit install"}},
		{"set up by a script", "setup", "bin/setup", "bundle install", []string{"bin/setup: bundle install"}},
		{"set up by a script that installs", "setup", "scripts/install", "python -m venv x", []string{"scripts/install: python -m venv x"}},
		{"a check sets nothing up", "setup", "scripts/check", "[ -d venv ]", nil},
		{"set up by npm", "setup", "package.json", "{\n\"scripts\": {\n" + `"test": "x"` + "\n}}", []string{"npm install"}},
		{"nothing of the system is set up by make", "setup", "Makefile", "install: x\nsetup:", []string{"make setup"}},
		{"tools of Python", "lint", "pyproject.toml", "[tool.ruff.lint]\nselect = 1\n[tool.mypy]\n", []string{"ruff check .", "mypy"}},
		{"tasks of Python", "lint", "pyproject.toml", "[tool.hatch.envs.dev.scripts]\nlint = \"x\"\nother = \"y\"\n[tool.poe.tasks]\nfmt = \"z\"",
			[]string{"hatch run dev:lint: x", "poe fmt: z"}},
		{"sessions of nox", "lint", "noxfile.py", "@nox.session\ndef lint(session):\n\n@nox.session(name=\"docs\")\ndef d(session):",
			[]string{"nox -s lint"}},
		{"environments of tox", "lint", "tox.ini", "[tox]\n[testenv:lint]\n[testenv:docs]", []string{"tox -e lint"}},
		{"hooks", "lint", ".pre-commit-config.yaml", "repos:\n- hooks:\n  - id: ruff\n  - id: mypy", []string{"pre-commit run --all-files: ruff, mypy"}},
		{"hooks lint alone", "test", ".pre-commit-config.yaml", "  - id: ruff", nil},
		{"tasks", "test", "Taskfile.yaml", "tasks:\n  lint:\n    desc: x\n  test:\n    cmds: y", []string{"task test"}},
		{"tasks of rake", "test", "Rakefile", "Rake::TestTask.new(:test) do\ntask :compile_for_test\nRSpec::Core::RakeTask.new(:spec)",
			[]string{"bundle exec rake test", "bundle exec rake spec"}},
		{"a Makefile", "test", "Makefile", "test: x\nlint:", []string{"make test"}},
		{"prose", "test", "CONTRIBUTING.md", "Arguments go to `pytest`.\nThen run `tox`.\n```\n$ scripts/test\n$ puma test/rackup/hello.ru\n```\n" +
			"# Documentation\n\n    make test", []string{"tox", "scripts/test"}},
		{"one test by prose", "single", "CONTRIBUTING.md", "```\nbundle exec rake test\nbundle exec m test/test_binder.rb:37\npytest -k x\ncode a_test.go\n```",
			[]string{"bundle exec m test/test_binder.rb:37", "pytest -k x"}},
		{"an example by prose", "example", "README.md", "```\ncargo run --example hello\ncargo run\n```", []string{"cargo run --example hello"}},
		{"comments of a shell", "test", "README.md", "```\n./mvnw test   #(or mvn)\nmake test # all\n```", []string{"./mvnw test", "make test"}},
		{"the style by a target", "lint", "Makefile", "codestyle:\npycodestyle: codestyle\nhairstyle:", []string{"make codestyle", "make pycodestyle"}},
		{"the style by a target of several words", "lint", "Makefile", "static-codestyle-fix:\nstatic-docs:\nqa-lint:", []string{"make static-codestyle-fix",
			"make qa-lint"}},
		{"what a tool would run", "test -hatch", "pyproject.toml", "[tool.hatch.envs.test.scripts]\ntest = 'python -m unittest discover'\n[tool.tox]",
			[]string{"python -m unittest discover", "tox"}},
		{"a container of others is no build", "build", "README.md", "```\ndocker run app build\ngit submodule update --init\nautoreconf -i\n```",
			[]string{"git submodule update --init", "autoreconf -i"}},
		{"the style by a plugin in prose", "lint", "CONTRIBUTING.md", "Run `./gradlew build`. Then `./gradlew spotlessApply`.",
			[]string{"./gradlew spotlessApply"}},
		{"scripts of composer", "analyse", "composer.json", "\"scripts\": {\n\"test\": \"@php phpunit\",\n\"phpstan\": \"@php x\",\n\"check\": [\n" +
			"\"psalm --no-cache\",\n\"echo\"\n],\n\"quality\": [\"psalm\", \"x\"]\n}",
			[]string{"composer phpstan: @php x", "composer check: psalm --no-cache; echo"}},
		{"tests of composer", "test", "composer.json", "\"scripts\": {\n\"test\": \"@php phpunit\"\n}", []string{"composer test: @php phpunit"}},
		{"analysers of Python", "analyse", "pyproject.toml", "[tool.black]\n[tool.mypy]\n", []string{"mypy"}},
		{"a release", "release", "package.json", "{\n\"scripts\": {\n\"prerelease\": \"x\",\n\"release\": \"np\",\n\"build\": \"cargo build --release\"\n}}",
			[]string{"npm run release: np"}},
		{"snapshots", "snapshot", "package.json", "{\n\"scripts\": {\n\"test\": \"jest\",\n\"test:u\": \"jest -u\",\n\"update-snapshots\": \"x\"\n}}",
			[]string{"npm run update-snapshots: x"}},
		{"snapshots in prose", "snapshot", "CONTRIBUTING.md", "Run `npx vitest run -u` or `goreleaser --snapshot`.", []string{"npx vitest run -u"}},
		{"the tests of a kind", "test:npm", "package.json", "{\n\"scripts\": {\n\"test\": \"x\",\n\"test:npm\": \"x\"\n}}",
			[]string{"npm run test:npm: x"}},
		{"a target for tests of a kind", "test:regress", "Makefile", "test:\ncheck-regression:\nregression-docs:", []string{"make check-regression"}},
		{"by convention", "build", "go.mod", "module m", []string{"go build ./..."}},
	}
	for _, tt := range tests {
		task, without, _ := strings.Cut(tt.task, " -")
		task, part, _ := strings.Cut(task, ":")
		c := Commands{Task: task, Part: part, Without: without}
		c.Read(Source{Path: tt.path, First: 1, Lines: strings.Split(tt.text, "\n"), Runner: "npm run"})
		var got []string
		for _, found := range c.Found {
			got = append(got, strings.TrimSuffix(found.Text+": "+found.Runs, ": "))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestPartsOfATaskAreWords has parts that other words hold.
func TestPartsOfATaskAreWords(t *testing.T) {
	tests := []struct {
		part     string
		of, none []string
	}{
		{"go", []string{"go test ./...", "make test-go", "test:go"}, []string{"cargo test", "make google"}},
		{"c", []string{"make test-c"}, []string{"make check", "cargo test", "composer test"}},
		{"ui", []string{"test:ui"}, []string{"make check-build"}},
		{"unit", []string{"test:unit", "make units", "gradle unitTest", "gradle testUnit"}, []string{"vendor/bin/phpunit", "test:community"}},
		{"java", []string{"test-java"}, []string{"test:javascript"}},
		{"fuzz", []string{"make fuzz", "make fuzzing"}, []string{"make fuzzy"}},
		{"regress", []string{"make check-regression", "regress"}, []string{"make progress", "make aggress"}},
		{"integr", []string{"./gradlew integrationTest"}, []string{"make disintegrate"}},
		{"unit-e2e", []string{"test:unit-e2e"}, []string{"test:unit"}},
		{"", []string{"anything"}, nil},
	}
	for _, tt := range tests {
		c := Commands{Part: tt.part}
		for _, text := range append(tt.of, tt.none...) {
			if got := c.OfPart(text); got != slices.Contains(tt.of, text) {
				t.Errorf("%q has a word for %q: %v", text, tt.part, got)
			}
		}
	}
}

// TestSettingsSayHowToAnalyse has the settings of a tool that lints, and of one that does not analyse.
func TestSettingsSayHowToAnalyse(t *testing.T) {
	for name, want := range map[string]string{"phpstan.neon.dist": "vendor/bin/phpstan analyse", ".golangci.yml": "golangci-lint run",
		".prettierrc": ""} {
		c := Commands{Task: "analyse"}
		if c.ByPresence(name); want == "" && len(c.Found) > 0 || !strings.Contains(fmt.Sprint(c.Found), want) {
			t.Errorf("%s: %v, want %q", name, c.Found, want)
		}
	}
}

// TestASectionSaysHowToRelease has only a section that says how.
func TestASectionSaysHowToRelease(t *testing.T) {
	c := Commands{Task: "release"}
	c.Read(Source{Path: "RELEASING.md", First: 1, Lines: []string{"# Releasing a version", "Merge it."}})
	if said := c.Say(); !strings.Contains(said, "I found no command to release") || !strings.Contains(said, "RELEASING.md:1") {
		t.Error(said)
	}
}

// TestCommandsByPresence has a tool whose settings alone say that it is used.
func TestCommandsByPresence(t *testing.T) {
	for name, want := range map[string]string{"App.sln": "dotnet build", "meson.build": "meson setup build && meson compile -C build",
		"configure": "./configure && make", ".rubocop.yml": "", "configure.ac": "autoreconf",
		"autogen.sh": "sh autogen.sh && ./configure"} {
		c := Commands{Task: "build"}
		c.ByPresence(name)
		if got := fmt.Sprint(c.Found); want == "" && len(c.Found) > 0 || !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %q", name, got, want)
		}
	}
}

// TestWhatMakesConfigureComesFirst has a project of GNU as it is in a repository.
func TestWhatMakesConfigureComesFirst(t *testing.T) {
	c := Commands{Task: "build"}
	c.Read(Source{Path: "README", First: 1, Lines: []string{"\t$ ./configure && make", "\t$ sh autogen.sh"}})
	for _, name := range []string{"autogen.sh", "configure.ac"} {
		c.ByPresence(name)
	}
	var got []string
	for _, f := range c.Found {
		got = append(got, f.Text)
	}
	if want := []string{"sh autogen.sh && ./configure && make", "./configure && make", "sh autogen.sh"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// TestExamples finds examples by their paths, and the command that runs a simple one.
func TestExamples(t *testing.T) {
	tests := []struct {
		paths, names []string
		command      string
	}{
		{[]string{"examples/go.mod", "examples/chat/main.go", "examples/simple/main.go", "examples/README.md"}, []string{"chat", "simple"},
			"cd examples && go run ./simple"},
		{[]string{"examples/chat/main.go"}, []string{"chat"}, "go run ./examples/chat"},
		{[]string{"examples/chat/go.mod", "examples/chat/main.go"}, []string{"chat"}, "cd examples/chat && go run ."},
		{[]string{"examples/hello.rs", "examples/data.json"}, []string{"hello"}, "cargo run --example hello"},
		{[]string{"example/a.py"}, []string{"a"}, "python example/a.py"},
		{[]string{"samples/Web/Web.csproj"}, []string{"Web"}, "dotnet run --project samples/Web/Web.csproj"},
		{[]string{"examples/a.c"}, []string{"a"}, ""},
		{[]string{"src/a.py"}, nil, ""},
	}
	for _, tt := range tests {
		if command, names := Examples(tt.paths); command != tt.command || !slices.Equal(names, tt.names) {
			t.Errorf("%q: %q of %q", tt.paths, command, names)
		}
	}
}
