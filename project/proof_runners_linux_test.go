package project_test

import (
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/project"
	"ploke-lsp/session"
)

// runner is a project with tests, of which one has nothing to do with what changes.
type runner struct {
	tools          []string
	programs       []string // without which it is not tried: no test machine must have them
	files          map[string]string
	file, old, new string
	want           string // what is known of the change; "/" is the folder
}

const jestTest = `test('adds', () => expect(require('../src/sum').sum(1, 2)).toBe(3))
test('has zero', () => expect(require('../src/sum').sum(1, 0)).toBe(1))
`

var runners = map[string]runner{
	"jest": {tools: []string{"node_modules"}, file: "src/sum.js", old: "a + b", new: "b + a", want: "jest: 2 tests passed",
		files: map[string]string{"package.json": `{"scripts": {"test": "jest --silent"}}`, "src/sum.js": "exports.sum = (a, b) => a + b\n",
			"test/sum.test.js": jestTest, "test/other.test.js": "test('other', () => { throw new Error('it ran') })\n"}},
	"jest, a failure in a package of a monorepo": {tools: []string{"node_modules"}, file: "packages/a/src/sum.js", old: "a + b", new: "a - b || 1",
		want: "jest: 1 new problem; 1 of 2 tests failed: /packages/a/test/sum.test.js:1: adds fails: expect(received).toBe(expected) // Object.is equality Expected: 3 Received: -1",
		files: map[string]string{"package.json": `{"scripts": {"test": "jest"}}`, "packages/a/package.json": `{"name": "a"}`,
			"packages/a/src/sum.js": "exports.sum = (a, b) => a + b\n", "packages/a/test/sum.test.js": jestTest}},
	"jest, no tests": {tools: []string{"node_modules"}, file: "src/sum.js", old: "a + b", new: "b + a", want: "jest: unknown: no tests ran",
		files: map[string]string{"package.json": `{"scripts": {"test": "jest"}}`, "src/sum.js": "exports.sum = (a, b) => a + b\n"}},
	"vitest and eslint": {tools: []string{"node_modules"}, file: "src/sum.js", old: "return a + b", new: "var c = a - b; return a - b",
		want: "eslint: 1 new problem: /src/sum.js:1:33: 'c' is assigned a value but never used.; " +
			"vitest: 1 new problem; 1 of 1 test failed: /src/sum.test.js:3: adds fails: AssertionError: expected -1 to be 3 // Object.is equality",
		files: map[string]string{"package.json": `{"type": "module", "scripts": {"test": "vitest"}}`,
			"eslint.config.js":  "export default [{ rules: { 'no-unused-vars': 'error' } }]\n",
			"src/sum.js":        "export function sum(a, b) { return a + b }\n",
			"src/sum.test.js":   "import { expect, test } from 'vitest'\nimport { sum } from './sum'\ntest('adds', () => expect(sum(1, 2)).toBe(3))\n",
			"src/other.test.js": "import { test } from 'vitest'\ntest('other', () => { throw new Error('it ran') })\n"}},
	"pytest, by another module": {tools: []string{"venv"}, file: "src/m/low.py", old: "1", new: "2",
		want: "pytest: 1 new problem; 1 of 1 test failed: /tests/test_high.py:5: test_high fails: assert 2 == 1; python: passed",
		files: map[string]string{"pyproject.toml": "[project]\nname = \"m\"\n[tool.pytest.ini_options]\npythonpath = [\"src\"]\naddopts = \"-q\"\n",
			"src/m/__init__.py": "", "src/m/low.py": "LOW = 1\n", "src/m/high.py": "from m.low import LOW\n\nHIGH = LOW\n",
			"tests/test_high.py":  "from m.high import HIGH\n\n\ndef test_high():\n    assert HIGH == 1\n",
			"tests/test_other.py": "def test_other():\n    assert False, 'it ran'\n"}},
	"pytest, no tests": {tools: []string{"venv"}, file: "m.py", old: "1", new: "2", want: "pytest: unknown: no tests ran; python: passed",
		files: map[string]string{"pyproject.toml": "[project]\nname = \"m\"\n", "m.py": "ONE = 1\n"}},
	"eslint, a file that it ignores": {tools: []string{"node_modules"}, file: "dist.js", old: "1", new: "2", want: "eslint: unknown: it found no files to look at",
		files: map[string]string{"package.json": "{}", "dist.js": "exports.a = 1\n", "eslint.config.js": "module.exports = [{ ignores: ['dist.js'] }]\n"}},
	"gradle": {programs: []string{"gradle"}, file: "src/main/java/m/Sum.java", old: "a + b", new: "b - a",
		want: "gradle: passed; gradle test: 1 new problem; 2 of 3 tests failed: /src/test/java/m/SumTest.java:8: m.SumTest.adds fails: java.lang.AssertionError: expected:<3> but was:<1>",
		files: javaFiles(map[string]string{"build.gradle": gradleBuild},
			"    @Test public void fails() { assertEquals(\"before\", 0, Sum.of(1, 1) + 1); }\n    @Ignore @Test public void later() { }\n")},
	"bundle exec rspec": {programs: []string{"bundle"}, file: "lib/sum.rb", old: "a + b", new: "a - b",
		want: "rspec: 1 new problem; 1 of 1 test failed: /spec/sum_spec.rb:3: Sum adds fails: expected: 3 got: -1 (compared using ==); ruby: passed",
		files: map[string]string{"Gemfile": "gem 'rspec'\n", "lib/sum.rb": "module Sum\n  def self.of(a, b) = a + b\nend\n",
			"spec/sum_spec.rb": "require_relative '../lib/sum'\nRSpec.describe Sum do\n  it('adds') { expect(Sum.of(1, 2)).to eq(3) }\nend\n"}},
	"bundle exec, without the gem": {programs: []string{"bundle"}, file: "lib/sum.rb", old: "a + b", new: "a - b", want: "rspec: unknown: the gem no-such-gem is not installed, or not where the sandbox can see it; ruby: passed",
		files: map[string]string{"Gemfile": "source 'https://gems.example'\ngem 'no-such-gem'\n", "lib/sum.rb": "module Sum\n  def self.of(a, b) = a + b\nend\n", "spec/a_spec.rb": ""}},
	"composer": {programs: []string{"composer", "phpunit"}, file: "src/Sum.php", old: "$a + $b", new: "$b - $a",
		want: "php: passed; phpunit: 1 new problem; 2 of 2 tests failed: /tests/SumTest.php:4: SumTest::testAdds: Failed asserting that 1 is identical to 3.",
		files: map[string]string{"composer.json": `{"name": "m/m", "autoload": {"psr-4": {"M\\": "src/"}}}`,
			"phpunit.xml.dist":    `<phpunit bootstrap="vendor/autoload.php"><testsuites><testsuite name="all"><directory>tests</directory></testsuite></testsuites></phpunit>`,
			"vendor/autoload.php": "<?php\nrequire __DIR__ . '/../src/Sum.php';\n", "src/Sum.php": "<?php\nnamespace M;\nclass Sum { public static function of($a, $b) { return $a + $b; } }\n",
			"tests/SumTest.php": "<?php\nclass SumTest extends PHPUnit\\Framework\\TestCase {\n  public function testFails() { $this->assertSame(0, M\\Sum::of(1, 2)); }\n" +
				"  public function testAdds() { $this->assertSame(3, M\\Sum::of(1, 2)); }\n}\n"}},
	"go vet, which does not say by its status that it has found something": {file: "a.go", old: "%s", new: "%d",
		want: "go test: 1 new problem: /a.go:5:25: fmt.Sprintf format %d has arg \"x\" of wrong type string; " +
			"go vet: 1 new problem: /a.go:5:25: fmt.Sprintf format %d has arg \"x\" of wrong type string",
		files: map[string]string{"go.mod": "module m\n\ngo 1.21\n", "a.go": "package m\n\nimport \"fmt\"\n\nvar Text = fmt.Sprintf(\"%s\", \"x\")\n"}},
	"npm, without its runner": {file: "a.js", old: "1", new: "2", want: "npm test: unknown: mocha is not installed, or not where the sandbox can see it",
		files: map[string]string{"package.json": `{"scripts": {"test": "mocha"}}`, "a.js": "exports.a = 1\n"}},
	"cargo, the package and what depends on it": {file: "a/src/lib.rs", old: "1", new: "2", want: "cargo check: passed; cargo test: 1 new problem; 1 of 1 test failed: " +
		"/b/src/lib.rs:2:15: is_one fails: assertion `left == right` failed",
		files: map[string]string{"Cargo.toml": "[workspace]\nmembers = [\"a\", \"b\", \"c\"]\nresolver = \"2\"\n",
			"a/Cargo.toml": "[package]\nname = \"a\"\n", "a/src/lib.rs": "pub const ONE: i32 = 1;\n",
			"b/Cargo.toml": "[package]\nname = \"b\"\n[dependencies]\na = { path = \"../a\" }\n", "b/src/lib.rs": "#[test]\nfn is_one() { assert_eq!(a::ONE, 1); }\n",
			"c/Cargo.toml": "[package]\nname = \"c\"\n", "c/src/lib.rs": "#[test]\nfn other() { panic!(\"it ran\"); }\n"}},
}

// javaFiles adds a class with two tests, and more of them.
func javaFiles(files map[string]string, more string) map[string]string {
	files["src/main/java/m/Sum.java"] = "package m;\npublic class Sum {\n    public static int of(int a, int b) { return a + b; }\n" +
		"}\n"
	files["src/test/java/m/SumTest.java"] = "package m;\nimport static org.junit.Assert.assertEquals;\nimport org.junit.Ignore;\n" +
		"import org.junit.Test;\npublic class SumTest {\n    @Test public void zero() { assertEquals(2, Sum.of(0, 2)); }\n" +
		"    @Test\n    public void adds() { assertEquals(3, Sum.of(1, 2)); }\n" +
		more + "}\n"
	return files
}

// TestRunnersAreNarrowed changes a file, and runs its tests with the real runners: those of nothing else run.
func TestRunnersAreNarrowed(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(runners)) {
		r := runners[name]
		if slices.ContainsFunc(r.programs, func(p string) bool { _, err := exec.LookPath(p); return err != nil }) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			v := newProvenIn(t, toolFolder(t, r.tools...), `, "proof": {"compile": false}`, session.AllowAlways, r.files,
				onlyEdit(r.file, r.old, r.new))
			v.ask(t, "Do it.")
			all, err := v.Edits.Proposals.List(t.Context(), "")
			if err != nil || len(all) != 1 {
				t.Fatalf("%d proposals, %v", len(all), err)
			}
			if err := v.Evidence.Check(all[0], true, v.Evidence.Standing).Wait(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := v.knownWithProblems(t, v.Project); got != r.want {
				t.Errorf("got  %s\nwant %s", got, r.want)
			}
		})
	}
}

// knownWithProblems is known with the new problems.
func (v *proven) knownWithProblems(t *testing.T, p *project.Project) string {
	t.Helper()
	all, err := p.Edits.Proposals.List(t.Context(), "")
	if err != nil || len(all) != 1 {
		t.Fatalf("%d proposals, %v", len(all), err)
	}
	known, err := p.Evidence.Of(t.Context(), all[0])
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, e := range known {
		e.Took = 0
		line := e.Source + ": " + e.Line()
		for _, problem := range e.Problems {
			line += ": /" + problem.String()
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "; ")
}
