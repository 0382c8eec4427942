package proof

import (
	"cmp"
	"encoding/json"
	"path"
	"slices"
	"strings"
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
			return p.one("go vet", goFormats, append([]string{"go", "vet"}, p.goPackages()...))
		},
		test: func(p *part) []Step {
			return p.tests("go test", nil, append([]string{"go", "test", "-json"}, p.goPackages()...), goTests)
		}},
	{manifests: []string{"Cargo.toml"}, outermost: true, files: []string{"*.rs", "Cargo.lock"},
		compile: func(p *part) []Step {
			return p.one("cargo check", rustFormats,
				[]string{"cargo", "check", "--offline", "--workspace", "--all-targets", "--message-format=short"})
		},
		test: func(p *part) []Step {
			return p.tests("cargo test", rustTestFormats,
				[]string{"cargo", "test", "--offline", "--workspace", "--no-fail-fast"}, nil)
		}},
	{manifests: []string{"tsconfig.json"}, files: []string{"*.ts", "*.tsx", "*.mts", "*.cts"}, compile: tsc},
	{manifests: []string{"package.json"}, files: []string{"*.js", "*.jsx", "*.mjs", "*.cjs", "*.ts", "*.tsx", "*.vue"},
		compile: packageScripts, test: packageTests},
	{manifests: []string{"pyproject.toml", "setup.py", "setup.cfg", "requirements*.txt", "mypy.ini"},
		files: []string{"*.py", "*.pyi"}, compile: pythonTools, test: pytest},
	{manifests: []string{"build.gradle", "build.gradle.kts"}, outermost: true, files: jvmFiles,
		compile: func(p *part) []Step {
			return p.one("gradle", javaFormats,
				[]string{p.wrapper("gradlew", "gradle"), "--offline", "-q", "classes", "testClasses"})
		},
		test: func(p *part) []Step {
			return p.tests("gradle test", javaFormats, []string{p.wrapper("gradlew", "gradle"), "--offline", "test"}, nil)
		}},
	{manifests: []string{"pom.xml"}, outermost: true, files: jvmFiles,
		compile: func(p *part) []Step {
			return p.one("mvn", javaFormats, []string{p.wrapper("mvnw", "mvn"), "-o", "-q", "-B", "test-compile"})
		},
		test: func(p *part) []Step {
			return p.tests("mvn test", javaFormats, []string{p.wrapper("mvnw", "mvn"), "-o", "-B", "test"}, nil)
		}},
	{manifests: []string{"*.sln", "*.csproj", "*.fsproj"}, files: []string{"*.cs", "*.fs", "*.csproj", "*.razor"},
		compile: func(p *part) []Step {
			return p.one("dotnet build", dotnetFormats,
				[]string{"dotnet", "build", "--no-restore", "--nologo", "-v", "q", "-clp:NoSummary", p.manifest})
		},
		test: func(p *part) []Step {
			return p.tests("dotnet test", dotnetFormats, []string{"dotnet", "test", "--no-restore", "--nologo", p.manifest}, nil)
		}},
	{manifests: []string{"mix.exs"}, outermost: true, files: []string{"*.ex", "*.exs"},
		compile: func(p *part) []Step {
			return p.one("mix compile", mixFormats, []string{"mix", "compile", "--no-deps-check"})
		},
		test: func(p *part) []Step { return p.tests("mix test", mixFormats, []string{"mix", "test"}, nil) }},
	{manifests: []string{"CMakeLists.txt"}, outermost: true, files: cFiles, compile: cmake, test: ctest},
	{manifests: []string{"Makefile", "makefile", "GNUmakefile"}, files: cFiles, compile: makeAll, test: makeTest},
	{manifests: []string{"Gemfile", "*.gemspec"}, files: []string{"*.rb", "*.rake"}, compile: rubyTools, test: rubyTests},
	{manifests: []string{"composer.json"}, files: []string{"*.php"}, compile: phpTools, test: phpunit},
}

var (
	jvmFiles = []string{"*.java", "*.kt", "*.scala", "*.groovy"}
	cFiles   = []string{"*.c", "*.h", "*.cc", "*.cpp", "*.cxx", "*.hh", "*.hpp", "*.m"}
)

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

func tsc(p *part) []Step {
	program := cmp.Or(p.tool("node_modules/.bin/tsc"), "tsc")
	return p.one("tsc", tscFormats, []string{program, "--noEmit", "--pretty", "false", "-p", "."})
}

// npm is what of a package.json says how it is checked.
type npm struct {
	Scripts         map[string]string `json:"scripts"`
	DevDependencies map[string]string `json:"devDependencies"`
	Dependencies    map[string]string `json:"dependencies"`
}

func (p *part) npm() (n npm) {
	_ = json.Unmarshal([]byte(p.text("package.json")), &n) // one that can't be read has no scripts
	return n
}

// packageScripts checks types by the script for it, where no tsconfig.json says how.
func packageScripts(p *part) []Step {
	scripts := p.npm().Scripts
	for _, name := range []string{"typecheck", "type-check", "check-types", "types"} {
		if scripts[name] != "" && !p.hasFile("tsconfig.json") {
			return p.one("npm run "+name, tscFormats, []string{"npm", "run", "--silent", name})
		}
	}
	return nil
}

func packageTests(p *part) []Step {
	script := p.npm().Scripts["test"]
	files := p.those(".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".vue")
	jest, vitest := p.tool("node_modules/.bin/jest"), p.tool("node_modules/.bin/vitest")
	narrow := !p.gone && len(files) > 0 && len(files) <= maxNarrowed
	switch {
	case script == "" || strings.Contains(script, "no test specified"):
		return nil
	case narrow && strings.Contains(script, "jest") && jest != "":
		return p.tests("jest", jestFormats, append([]string{jest, "--ci", "--findRelatedTests"}, files...), nil)
	case narrow && strings.Contains(script, "vitest") && vitest != "":
		return p.tests("vitest", jestFormats, append([]string{vitest, "related", "--run"}, files...), nil)
	}
	return p.tests("npm test", jestFormats, []string{"npm", "test", "--silent"}, nil)
}

// pythonTools are the tools that the project is configured for, else the compiler.
func pythonTools(p *part) (steps []Step) {
	files := p.those(".py", ".pyi")
	if len(files) == 0 || len(files) > maxNarrowed {
		return nil
	}
	project := p.text("pyproject.toml")
	if strings.Contains(project, "[tool.mypy") || p.hasFile("mypy.ini") || strings.Contains(p.text("setup.cfg"), "[mypy") {
		steps = append(steps, p.one("mypy", mypyFormats,
			append([]string{"mypy", "--no-color-output", "--show-column-numbers", "--"}, files...))...)
	}
	if strings.Contains(project, "[tool.pyright") || p.hasFile("pyrightconfig.json") {
		steps = append(steps, p.one("pyright", pyrightFormats, append([]string{"pyright"}, files...))...)
	}
	if strings.Contains(project, "[tool.ruff") || p.hasFile("ruff.toml") || p.hasFile(".ruff.toml") {
		ruff := p.one("ruff", nil, append([]string{"ruff", "check", "--no-cache", "--output-format", "json", "--"}, files...))
		ruff[0].parse = ruffProblems
		steps = append(steps, ruff...)
	}
	return append(steps, p.one("python", pythonFormats, append([]string{"python3", "-m", "py_compile"}, files...))...)
}

// pytest runs the tests that import what has changed, and those that have changed themselves.
func pytest(p *part) []Step {
	tests := map[string]bool{}
	for _, f := range p.files {
		if isPythonTest(f) {
			tests["./"+f] = true
		}
		for _, importer := range p.importers(path.Join(p.dir, f)) {
			if rel, ok := p.relative(importer); ok && isPythonTest(rel) {
				tests["./"+rel] = true
			}
		}
	}
	args := []string{"python3", "-m", "pytest", "-q", "-p", "no:cacheprovider"}
	if !p.gone && len(tests) > 0 && len(tests) <= maxNarrowed {
		for test := range tests {
			args = append(args, test)
		}
		slices.Sort(args[6:])
	}
	return p.tests("pytest", pytestFormats, args, nil)
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
		return p.one("cmake", cFormats, []string{"cmake", "--build", dir})
	}
	return nil
}

func ctest(p *part) []Step {
	if dir := p.buildFolder(); dir != "" {
		return p.tests("ctest", cFormats, []string{"ctest", "--test-dir", dir, "--output-on-failure"}, nil)
	}
	return nil
}

func makeAll(p *part) []Step {
	if len(p.those(".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".m")) == 0 {
		return nil
	}
	return p.one("make", cFormats, []string{"make", "-k"})
}

func makeTest(p *part) []Step {
	text := "\n" + p.text(p.manifest)
	for _, target := range []string{"check", "test"} {
		if strings.Contains(text, "\n"+target+":") {
			return p.tests("make "+target, cFormats, []string{"make", target}, nil)
		}
	}
	return nil
}

func rubyTools(p *part) (steps []Step) {
	files := p.those(".rb", ".rake")
	if len(files) == 0 || len(files) > maxNarrowed {
		return nil
	}
	return p.one("ruby", rubyFormats, eachFile(`ruby -c "$f" >/dev/null`, files))
}

func rubyTests(p *part) []Step {
	if p.hasFile("spec") {
		return p.tests("rspec", rubyTestFormats, []string{"bundle", "exec", "rspec"}, nil)
	}
	if p.hasFile("Rakefile") {
		return p.tests("rake test", rubyTestFormats, []string{"bundle", "exec", "rake", "test"}, nil)
	}
	return nil
}

func phpTools(p *part) (steps []Step) {
	files := p.those(".php")
	if len(files) == 0 || len(files) > maxNarrowed {
		return nil
	}
	if stan := p.tool("vendor/bin/phpstan"); stan != "" && len(p.names(p.dir, "phpstan.neon*")) > 0 {
		steps = p.one("phpstan", phpstanFormats,
			append([]string{stan, "analyse", "--no-progress", "--no-ansi", "--error-format=raw", "--"}, files...))
	}
	return append(steps, p.one("php", phpFormats, eachFile(`php -l "$f"`, files))...)
}

func phpunit(p *part) []Step {
	if unit := p.tool("vendor/bin/phpunit"); unit != "" {
		return p.tests("phpunit", phpunitFormats, []string{unit, "--colors=never"}, nil)
	}
	return nil
}

// eachFile returns a command that runs another one on each file $f, and fails as the last one that fails.
func eachFile(command string, files []string) []string {
	script := `status=0; for f do ` + command + ` || status=$?; done; exit $status`
	return append([]string{"sh", "-c", script, "sh"}, files...)
}
