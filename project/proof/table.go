package proof

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// rule is a line of the table: what checks files below a manifest.
type rule struct {
	manifests []string // patterns of names
	outermost bool     // the manifest farthest up counts, not the nearest
	files     []string // patterns of the names of files that it checks, besides the manifests
	compile   func(p *part) []Step
	test      func(p *part) []Step
}

// table says what builds and tests a folder. Compile steps take seconds, and write nothing that matters.
var table = []rule{
	{manifests: []string{"go.mod"}, files: []string{"*.go", "go.sum"},
		compile: func(p *part) []Step {
			return p.one("go vet", readVet, append([]string{"go", "vet", "-json"}, p.goPackages()...))
		},
		test: func(p *part) []Step {
			return p.tests("go test", p.readGoTest(), append([]string{"go", "test", "-json"}, p.goPackages()...))
		}},
	{manifests: []string{"Cargo.toml"}, outermost: true, files: []string{"*.rs", "Cargo.lock"},
		compile: func(p *part) []Step {
			return p.one("cargo check", readCargo, slices.Concat([]string{"cargo", "check", "--offline"}, p.cargoPackages(),
				[]string{"--all-targets", "--message-format=json"}))
		},
		test: func(p *part) []Step {
			return p.tests("cargo test", readCargo, slices.Concat([]string{"cargo", "test", "--offline"}, p.cargoPackages(),
				[]string{"--no-fail-fast", "--message-format=json"}))
		}},
	{manifests: []string{"tsconfig.json"}, files: typeScripts, compile: tsc},
	{manifests: []string{"package.json"}, files: scripts, compile: packageCompile, test: packageTests},
	{manifests: []string{"pyproject.toml", "setup.py", "setup.cfg", "requirements*.txt", "mypy.ini", "pytest.ini",
		"tox.ini", "Pipfile"},
		files: []string{"*.py", "*.pyi"}, compile: pythonTools, test: pytest},
	{manifests: []string{"build.gradle", "build.gradle.kts"}, outermost: true, files: jvmFiles,
		compile: func(p *part) []Step {
			return p.one("gradle", lines(javaFormats),
				[]string{p.wrapper("gradlew", "gradle"), "--offline", "-q", "classes", "testClasses"})
		},
		test: func(p *part) []Step {
			return p.tests("gradle test", p.readMaven(), gradleTest(p))
		}},
	{manifests: []string{"pom.xml"}, outermost: true, files: jvmFiles,
		compile: func(p *part) []Step {
			return p.one("mvn", lines(javaFormats), append(p.maven(), "-q", "test-compile"))
		},
		test: func(p *part) []Step {
			return p.tests("mvn test", p.readMaven(), append(p.maven(), "test"))
		}},
	{manifests: []string{"*.sln", "*.slnx", "*.csproj", "*.fsproj"}, outermost: true,
		files: []string{"*.cs", "*.fs", "*.razor"},
		compile: func(p *part) []Step {
			return p.one("dotnet build", lines(dotnetFormats),
				[]string{"dotnet", "build", "--no-restore", "--nologo", "-v", "q", "-clp:NoSummary", fullPaths, p.manifest})
		},
		test: func(p *part) []Step {
			return p.tests("dotnet test", reading(dotnetFormats, dotnetBlocks),
				[]string{"dotnet", "test", "--no-restore", "--nologo", fullPaths, p.manifest})
		}},
	{manifests: []string{"mix.exs"}, outermost: true, files: []string{"*.ex", "*.exs"},
		compile: func(p *part) []Step {
			return p.one("mix compile", lines(mixFormats), []string{"mix", "compile", "--no-deps-check"})
		},
		test: func(p *part) []Step {
			return p.tests("mix test", reading(mixFormats, mixBlocks), []string{"mix", "test", "--no-deps-check"})
		}},
	{manifests: []string{"CMakeLists.txt"}, outermost: true, files: cFiles, compile: cmake, test: ctest},
	{manifests: []string{"Makefile", "makefile", "GNUmakefile"}, files: cFiles, compile: makeAll, test: makeTest},
	{manifests: []string{"Gemfile", "*.gemspec"}, files: []string{"*.rb", "*.rake"}, compile: rubyTools, test: rubyTests},
	{manifests: []string{"composer.json"}, files: []string{"*.php"}, compile: phpTools, test: phpunit},
}

var (
	jvmFiles = []string{"*.java", "*.kt", "*.scala", "*.groovy"}
	cFiles   = []string{"*.c", "*.h", "*.cc", "*.cpp", "*.cxx", "*.hh", "*.hpp", "*.m"}
)

// fullPaths has the projects of a solution name files as others see them, not as they do themselves.
const fullPaths = "-p:GenerateFullPaths=true"

// goPackages returns the packages that a change touches, and those that import them. It is all of them if a file has
// gone or the module has changed.
func (p *part) goPackages() []string {
	dirs := map[string]bool{}
	for _, f := range p.files {
		dirs[path.Dir(f)] = true
		for _, importer := range p.importers(path.Join(p.dir, f)) {
			if rel, ok := p.relative(importer); ok && path.Ext(rel) == ".go" {
				dirs[path.Dir(rel)] = true
			}
		}
	}
	if p.gone || len(dirs) > maxNarrowed {
		return []string{"./..."}
	}
	var packages []string
	for dir := range dirs {
		packages = append(packages, "./"+dir)
	}
	slices.Sort(packages)
	return packages
}

// maxNarrowed is how many packages, files or tests a command is given by name.
const maxNarrowed = 100

// python returns the interpreter of the project's own environment, else the usual one.
func (p *part) python() string {
	return cmp.Or(p.tool(".venv/bin/python"), p.tool("venv/bin/python"), "python3")
}

// pythonTool returns a program of the project's own environment, else the usual one.
func (p *part) pythonTool(name string) string {
	return cmp.Or(p.tool(".venv/bin/"+name), p.tool("venv/bin/"+name), name)
}

// pythonTools are the tools that the project is configured for, and the compiler.
func pythonTools(p *part) (steps []Step) {
	files := p.those(".py", ".pyi")
	if len(files) == 0 || len(files) > maxNarrowed {
		return nil
	}
	project := p.text("pyproject.toml")
	if strings.Contains(project, "[tool.mypy") || p.hasFile("mypy.ini") || strings.Contains(p.text("setup.cfg"), "[mypy") {
		steps = append(steps, p.one("mypy", lines(mypyFormats),
			append([]string{p.python(), "-m", "mypy", "--no-color-output", "--show-column-numbers", "--"}, files...))...)
	}
	if strings.Contains(project, "[tool.pyright") || p.hasFile("pyrightconfig.json") {
		pyright := cmp.Or(p.tool("node_modules/.bin/pyright"), p.pythonTool("pyright"))
		steps = append(steps, p.one("pyright", lines(pyrightFormats), append([]string{pyright}, files...))...)
	}
	if strings.Contains(project, "[tool.ruff") || p.hasFile("ruff.toml") || p.hasFile(".ruff.toml") {
		steps = append(steps, p.one("ruff", readRuff, append([]string{p.pythonTool("ruff"), "check", "--no-cache",
			"--output-format", "json-lines", "--"}, files...))...)
	}
	return append(steps, p.one("python", lines(pythonFormats), append([]string{p.python(), "-m", "py_compile"}, files...))...)
}

// pytest runs the tests that have changed, and those that import what has, directly or by others.
func pytest(p *part) []Step {
	var tests []string
	whole := p.gone
	for _, f := range p.reached() {
		if isPythonTest(f) {
			tests = append(tests, "./"+f)
		}
		whole = whole || path.Base(f) == "conftest.py"
	}
	command := []string{p.python(), "-m", "pytest", "-p", "no:cacheprovider", "--color=no", "-rfE"}
	if !whole && len(tests) <= maxNarrowed {
		command = append(command, tests...)
	}
	return p.tests("pytest", readPytest, command)
}

// maxReached is how many files are looked at for what imports them.
const maxReached = 1000

// reached returns the changed files of the part and those of it that import them, directly or by others, in order.
func (p *part) reached() []string {
	all := slices.Clone(p.files)
	for i := 0; i < len(all) && len(all) < maxReached; i++ {
		for _, importer := range p.importers(path.Join(p.dir, all[i])) {
			if rel, ok := p.relative(importer); ok && !slices.Contains(all, rel) {
				all = append(all, rel)
			}
		}
	}
	slices.Sort(all)
	return all
}

func isPythonTest(file string) bool {
	name := path.Base(file)
	return path.Ext(name) == ".py" && (strings.HasPrefix(name, "test_") || strings.HasSuffix(name, "_test.py"))
}

// wrapper returns the wrapper script of a build tool, or its name.
func (p *part) wrapper(script, program string) string {
	if p.hasFile(script) {
		return "./" + script
	}
	return program
}

// maven returns the command that runs Maven without a network. What the user's settings name, such as a mirror, is not
// known in the sandbox: what came from there is as good, whichever name it has in the file that tracks it.
func (p *part) maven() []string {
	return []string{p.wrapper("mvnw", "mvn"), "-o", "-B", "-Daether.enhancedLocalRepository.trackingFilename=none"}
}

// buildFolder returns the folder in which CMake was configured, "" if it was not.
func (p *part) buildFolder() string {
	for _, dir := range append([]string{"build", "out", "cmake-build-debug"}, p.names(p.dir, "build-*")...) {
		if p.hasFile(dir + "/CMakeCache.txt") {
			return dir
		}
	}
	return ""
}

func cmake(p *part) []Step {
	if dir := p.buildFolder(); dir != "" {
		return p.one("cmake", lines(cFormats), []string{"cmake", "--build", dir})
	}
	return nil
}

func ctest(p *part) []Step {
	if dir := p.buildFolder(); dir != "" {
		return p.tests("ctest", reading(cFormats, ctestBlocks), []string{"ctest", "--test-dir", dir, "--output-on-failure"})
	}
	return nil
}

func makeAll(p *part) []Step {
	if len(p.those(".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".m")) == 0 {
		return nil
	}
	command := []string{"make", "-k"}
	if target := p.target("all", "build"); target != "" {
		command = append(command, target)
	}
	return p.one("make", lines(cFormats), command)
}

func makeTest(p *part) []Step {
	if target := p.target("check", "test"); target != "" {
		return p.tests("make "+target, readMake, []string{"make", target})
	}
	return nil
}

// rules matches the targets of the rules of a Makefile. What they need, and assignments, are not in the group.
var rules = lazyregexp.New(`(?m)^([\w./-]+(?: +[\w./-]+)*) *::?(?:[^:=]|$)`)

// target returns the first of the targets that the Makefile of the part has a rule for, "" if it has none.
func (p *part) target(names ...string) string {
	var all []string
	for _, groups := range rules.FindAllStringSubmatch(strings.ReplaceAll(p.text(p.manifest), "\r\n", "\n"), -1) {
		all = append(all, strings.Fields(groups[1])...)
	}
	for _, name := range names {
		if slices.Contains(all, name) {
			return name
		}
	}
	return ""
}

func rubyTools(p *part) (steps []Step) {
	files := p.those(".rb", ".rake")
	if len(files) == 0 || len(files) > maxNarrowed {
		return nil
	}
	return p.one("ruby", lines(rubyFormats), eachFile(`ruby -c "$f" >/dev/null`, files))
}

func rubyTests(p *part) []Step {
	var bundle []string
	if p.hasFile("Gemfile") {
		bundle = []string{"bundle", "exec"}
	}
	switch {
	case p.hasFile("spec"):
		return p.tests("rspec", readRSpec, append(bundle, "rspec", "--no-color", "--format", "progress", "--format", "json"))
	case p.hasFile("bin/rails"):
		return p.tests("rails test", reading(rubyTestFormats, minitestBlocks, testUnitBlocks), []string{"ruby", "bin/rails", "test"})
	case p.hasFile("Rakefile"):
		return p.tests("rake test", reading(rubyTestFormats, minitestBlocks, testUnitBlocks), append(bundle, "rake", "test"))
	}
	return nil
}

func phpTools(p *part) (steps []Step) {
	files := p.those(".php")
	if len(files) == 0 || len(files) > maxNarrowed {
		return nil
	}
	if stan := p.tool("vendor/bin/phpstan"); stan != "" && len(p.names(p.dir, "phpstan.neon*")) > 0 {
		steps = p.one("phpstan", lines(phpstanFormats),
			append([]string{stan, "analyse", "--no-progress", "--no-ansi", "--error-format=raw", "--"}, files...))
	}
	return append(steps, p.one("php", lines(phpFormats), eachFile(`php -l "$f"`, files))...)
}

func phpunit(p *part) []Step {
	unit := p.tool("vendor/bin/phpunit")
	if unit == "" && len(p.names(p.dir, "phpunit*.xml*")) > 0 {
		unit = "phpunit"
	}
	if unit == "" {
		return nil
	}
	return p.tests("phpunit", reading(phpunitFormats, phpunitBlocks), []string{unit, "--colors=never"})
}

// eachFile returns a command that runs another one on each file $f, and fails as the last one that fails.
func eachFile(command string, files []string) []string {
	script := `status=0; for f do ` + command + ` || status=$?; done; exit $status`
	return append([]string{"sh", "-c", script, "sh"}, files...)
}
