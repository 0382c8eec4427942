package project_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/session"
	"ploke-lsp/session/llm/llmtest"
)

// language is a project of a language, a change that breaks it, and one that repairs that.
type language struct {
	programs             []string
	optional             bool              // no test machine must have the programs
	long                 bool              // its tools take long
	others               map[string]string // code of others by where it is put, see [source]
	files                map[string]string // of the project besides
	tools                []string          // of the test's tools, as they are in a project's folder
	file, old, bad, good string
	settings             string
	prepare              func(t *testing.T, root string) // what else the project needs; may be nil
	problem, green       string                          // the place that the model gets; what the person sees, as a regular expression
}

var withTests = `, "proof": {"test": true}`

// languages are small projects: their code is that of others where something that the tests need anyway has some.
var languages = map[string]language{
	"go": {programs: []string{"go"}, file: "semver/semver.go", others: map[string]string{"semver": "go:golang.org/x/mod/semver",
		"module": "go:golang.org/x/mod/module", "internal/lazyregexp": "go:golang.org/x/mod/internal/lazyregexp"},
		files: map[string]string{"go.mod": "module golang.org/x/mod\n\ngo 1.24\n"}, settings: withTests,
		old: "func IsValid(v string) bool {", bad: "func IsOK(v string) bool {",
		good:    "func IsValid(v string) bool { return IsOK(v) }\n\n// IsOK does the same.\nfunc IsOK(v string) bool {",
		problem: "module/module.go:221:", green: `^go test: \d\d tests passed; go vet: passed$`},
	// a solution of two packages, in a folder of a larger repository
	"typescript": {programs: []string{"node"}, tools: []string{"node_modules"}, file: "web/packages/codec/src/vlq.ts",
		others: map[string]string{"web/packages/codec/src": "tools:node_modules/@jridgewell/sourcemap-codec/src"},
		files: map[string]string{"README.md": "A repository.\n", "web/package.json": "\ufeff{\"private\": true}\n",
			"web/tsconfig.json":                "{\n  // all of it\n  \"files\": [],\n  \"references\": [{ \"path\": \"packages/codec\" }, { \"path\": \"packages/user\" }],\n}\n",
			"web/packages/codec/tsconfig.json": composite(""), "web/packages/user/tsconfig.json": composite(`{"path": "../codec"}`),
			"web/packages/codec/src/globals.d.ts": "declare const Buffer: any;\ndeclare class TextDecoder { decode(b: Uint8Array): string }\n",
			"web/packages/user/src/index.ts": "import { decode } from \"../../codec/src/sourcemap-codec\";\n" +
				"import { comma } from \"../../codec/src/vlq\";\nexport const lines = (m: string): number => decode(m).length + comma;\n"},
		old: "export const comma = ','.charCodeAt(0);", bad: "export const comma = ',';", good: "export const comma = ','.charCodeAt(0);\nexport const colon = ':';",
		problem: "web/packages/user/src/index.ts:3:", green: `^tsc in web: passed$`},
	"rust": {programs: []string{"cargo"}, others: map[string]string{"lib.rs": "/usr/share/cargo/registry/fnv-*/lib.rs"}, file: "lib.rs",
		files:    map[string]string{"Cargo.toml": "[package]\nname = \"fnv\"\nversion = \"1.0.7\"\n\n[lib]\npath = \"lib.rs\"\n\n[features]\ndefault = [\"std\"]\nstd = []\n"},
		settings: withTests, old: "FnvHasher(key)", bad: "FnvHasher(&key)", good: "Self(key)",
		problem: "lib.rs:10", green: `^cargo check: passed; cargo test: \d+ tests passed$`},
	// the layout with src, the tests beside it, and an environment of its own
	"python": {tools: []string{"venv"}, file: "src/iniconfig/_parse.py",
		others: map[string]string{"src/iniconfig": "tools:venv/lib/python*/site-packages/iniconfig"}, settings: withTests,
		files: map[string]string{"pyproject.toml": "[project]\nname = \"iniconfig\"\n\n[tool.ruff.lint]\nselect = [\"F\"]\n\n[tool.pytest.ini_options]\npythonpath = [\"src\"]\n",
			"tests/test_ini.py":   "from iniconfig import IniConfig\n\n\ndef test_value():\n    assert IniConfig(\"x\", \"[a]\\nb=1\")[\"a\"][\"b\"] == \"1\"\n",
			"tests/test_other.py": "def test_other():\n    pass\n"},
		old: "COMMENTCHARS = \"#;\"", bad: "COMMENT = \"#;\"", good: "COMMENT = \"#;\"\nCOMMENTCHARS = COMMENT",
		problem: "src/iniconfig/_parse.py:", green: `^pytest: 1 test passed; python: passed; ruff: passed$`},
	// a library with a test that is linked with it
	"c": {programs: []string{"make", "cc"}, settings: withTests, file: "headers/stack.h",
		others: map[string]string{"headers": "go:github.com/smacker/go-tree-sitter/*.h", "src/stack.c": "go:github.com/smacker/go-tree-sitter/stack.c",
			"src/alloc.c": "go:github.com/smacker/go-tree-sitter/alloc.c", "src/language.c": "go:github.com/smacker/go-tree-sitter/language.c",
			"src/subtree.c": "go:github.com/smacker/go-tree-sitter/subtree.c", "src/wasm_store.c": "go:github.com/smacker/go-tree-sitter/wasm_store.c"},
		files: map[string]string{"Makefile": cMakefile, "test/stack.c": cTest},
		old:   "Stack *ts_stack_new(SubtreePool *);", bad: "Stack *ts_stack_new(SubtreePool *, int);", good: "Stack *ts_stack_new(SubtreePool *pool);",
		problem: "src/stack.c:421:", green: `^make: passed; make check: 1 test passed$`},
	// classes in two packages, and their tests in a third one
	"java": {programs: []string{"make", "javac", "java"}, file: "src/shop/price/Price.java",
		old: "Price plus(", bad: "Price add(", good: "Price plus(Price other) { return add(other); }\n\n    public Price add(",
		files:    javaShop,
		settings: `, "checks": {"javac": {"command": ["make", "classes"], "on": "proposal", "files": ["*.java"]}, "tests": {"command": ["make", "check"], "on": "proposal", "files": ["*.java"]}}`,
		problem:  "src/shop/cart/Cart.java:10: ", green: "^javac: passed; tests: passed$"},
	"java with gradle": {programs: []string{"gradle"}, optional: true, long: true, settings: withTests, file: "src/main/java/m/Sum.java",
		old: "int of(", bad: "int sum(", good: "int of(int a, int b) { return sum(a, b); }\n    public static int sum(",
		files: javaFiles(map[string]string{"build.gradle": gradleBuild}, ""), problem: "src/test/java/m/SumTest.java:8:45: cannot find symbol: method of(int,int)\nsrc/test/java/m/SumTest.java:6:51: ",
		green: "^gradle: passed; gradle test: 2 tests passed$"},
	// two modules, and a home folder with what Maven has fetched; the change breaks what the other module needs
	"java with maven": {programs: []string{"mvn"}, long: true, settings: withTests, file: "price/src/main/java/shop/price/Price.java",
		old: "Price plus(", bad: "Price add(", good: "Price plus(Price other) { return add(other); }\n\n    public Price add(",
		files: mavenShop, prepare: warmMaven, problem: "cart/src/main/java/shop/cart/Cart.java:10:22: cannot find symbol: method plus(",
		green: "^mvn: passed; mvn test: 2 tests passed$"},
	"ruby": {programs: []string{"ruby", "rspec"}, file: "lib/diff/lcs/change.rb", old: "def adding?", bad: "def adds?", good: "def adding?; adds?; end\n\n  def adds?",
		others:   map[string]string{"lib": "/usr/share/rubygems-integration/all/gems/diff-lcs-*/lib"},
		settings: withTests,
		files: map[string]string{"diff-lcs.gemspec": "\n", "spec/change_spec.rb": "$LOAD_PATH.unshift File.join(__dir__, '..', 'lib')\nrequire 'diff/lcs'\n" +
			"RSpec.describe Diff::LCS::Change do\n  it('adds') { expect(described_class.new('+', 0, 'x')).to be_adding }\nend\n"},
		problem: "spec/change_spec.rb:4: ", green: "^rspec: 1 test passed; ruby: passed$"},
	// a class of others, one that uses it, and tests that load both by their names; the change breaks what runs, not the syntax
	"php": {programs: []string{"php"}, file: "src/flatted.php", old: "function index(", bad: "function place(",
		good:   "function index(&$known, &$input, &$value) { return Flatted::place($known, $input, $value); }\n\n  private static function place(",
		others: map[string]string{"src": "tools:node_modules/flatted/php"}, files: phpFiles("tests/run.php", phpTest),
		settings: `, "checks": {"tests": {"command": ["php", "tests/run.php"], "on": "proposal", "files": ["*.php"]}}`,
		problem:  "src/flatted.php:55: ", green: "^php: passed; tests: passed$"},
	"php with phpunit": {programs: []string{"php", "phpunit"}, optional: true, long: true, settings: withTests, file: "src/flatted.php",
		old: "function index(", bad: "function place(",
		good:   "function index(&$known, &$input, &$value) { return Flatted::place($known, $input, $value); }\n\n  private static function place(",
		others: map[string]string{"src": "tools:node_modules/flatted/php"}, files: phpFiles("tests/StoreTest.php", phpUnitTest),
		problem: "StoreTest::testKeepsCycles: ", green: "^php: passed; phpunit: 1 test passed$"},
}

// cMakefile builds a library and a test of it.
const cMakefile = `CFLAGS = -O0 -Iheaders
objects = $(patsubst %.c,%.o,$(wildcard src/*.c))

all: libsitter.a

libsitter.a: $(objects)
	$(AR) rc $@ $^

$(objects): $(wildcard headers/*.h)

check: all
	$(CC) $(CFLAGS) -o test/stack test/stack.c libsitter.a
	./test/stack
`

const cTest = `#include "stack.h"
#include <stdio.h>

int main(void) {
  SubtreePool pool = ts_subtree_pool_new(0);
  Stack *stack = ts_stack_new(&pool);
  int one = ts_stack_version_count(stack) == 1;
  ts_stack_delete(stack);
  ts_subtree_pool_delete(&pool);
  printf("%s 1 - a new stack has one version\n# pass %d\n# fail %d\n", one ? "ok" : "not ok", one, !one);
  return !one;
}
`

// javaShop is a project of a Makefile.
var javaShop = map[string]string{
	"Makefile": "classes:\n\tjavac -d out $$(find src test -name '*.java')\n\ncheck: classes\n\tjava -cp out shop.test.CartTest\n",
	"src/shop/price/Price.java": "package shop.price;\n\npublic record Price(long cents) {\n" +
		"    public Price plus(Price other) { return new Price(cents + other.cents); }\n}\n",
	"src/shop/cart/Cart.java": "package shop.cart;\n\nimport java.util.List;\nimport shop.price.Price;\n\n" +
		"public record Cart(List<Price> items) {\n    public Price total() {\n        Price sum = new Price(0);\n" +
		"        for (Price item : items) {\n            sum = sum.plus(item);\n        }\n        return sum;\n    }\n}\n",
	"test/shop/test/CartTest.java": "package shop.test;\n\nimport java.util.List;\nimport shop.cart.Cart;\nimport shop.price.Price;\n\n" +
		"class CartTest {\n    public static void main(String[] args) {\n" +
		"        Price total = new Cart(List.of(new Price(1), new Price(2))).total();\n" +
		"        if (total.cents() != 3) {\n            throw new AssertionError(total);\n        }\n    }\n}\n",
}

// mavenShop has the classes of javaShop in two modules. A test writes in the cache of Maven.
var mavenShop = map[string]string{
	"pom.xml":       mavenModule("shop", "pom", "<modules><module>price</module><module>cart</module></modules>"),
	"price/pom.xml": mavenModule("price", "jar", ""),
	"cart/pom.xml": mavenModule("cart", "jar", "<dependencies><dependency><groupId>shop</groupId><artifactId>price</artifactId>"+
		"<version>1</version></dependency><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.x</version>"+
		"<scope>test</scope></dependency></dependencies>"),
	"price/src/main/java/shop/price/Price.java": javaShop["src/shop/price/Price.java"],
	"cart/src/main/java/shop/cart/Cart.java":    javaShop["src/shop/cart/Cart.java"],
	"cart/src/test/java/shop/cart/CartTest.java": "package shop.cart;\n\nimport static org.junit.Assert.assertEquals;\n\n" +
		"import java.nio.file.*;\nimport java.util.List;\nimport org.junit.Test;\nimport shop.price.Price;\n\npublic class CartTest {\n" +
		"    @Test public void adds() { assertEquals(3, new Cart(List.of(new Price(1), new Price(2))).total().cents()); }\n" +
		"    @Test public void writes() throws Exception {\n" +
		"        Files.writeString(Path.of(System.getenv(\"HOME\"), \".m2/repository/junit/poisoned\"), \"\");\n    }\n}\n",
}

// mavenModule is the pom.xml of a module of the shop.
func mavenModule(name, packaging, more string) string {
	return "<project><modelVersion>4.0.0</modelVersion><groupId>shop</groupId>" +
		"<artifactId>" + name + "</artifactId><version>1</version><packaging>" + packaging + "</packaging>" +
		"<properties><maven.compiler.release>17</maven.compiler.release>" +
		"<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>" + more + "</project>\n"
}

// warmMaven makes a home folder in which Maven has fetched what Debian has, JUnit from a mirror of the user's settings.
func warmMaven(t *testing.T, root string) {
	const debian = "/usr/share/maven-repo"
	home := t.TempDir()
	t.Setenv("HOME", home)
	repository := filepath.Join(home, ".m2/repository")
	put(t, filepath.Join(repository, "junit/junit/4.x"), source(t, debian+"/junit/junit/4.x/*"))
	err := os.Mkdir(filepath.Join(root, ".mvn"), 0o700)
	for path, text := range map[string]string{
		filepath.Join(home, ".m2/settings.xml"): "<settings><mirrors><mirror><id>corp</id><mirrorOf>*</mirrorOf><url>https://corp.example/</url>" +
			"</mirror></mirrors></settings>\n",
		filepath.Join(repository, "junit/junit/4.x/_remote.repositories"): "junit-4.x.jar>corp=\njunit-4.x.pom>corp=\n",
		filepath.Join(root, ".mvn/jvm.config"):                            "-Duser.home=" + home + "\n", // Java does not ask $HOME
	} {
		err = errors.Join(err, os.WriteFile(path, []byte(text), 0o600))
	}
	for _, folder := range source(t, debian+"/*") {
		if name := filepath.Base(folder); name != "junit" {
			err = errors.Join(err, os.Symlink(folder, filepath.Join(repository, name)))
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if names, err := filepath.Glob(repository + "/junit/*"); err != nil || len(names) != 1 {
			t.Errorf("the cache of Maven has %v, %v", names, err)
		}
	})
}

// gradleBuild is that of a project with the libraries that Debian has.
const gradleBuild = "apply plugin: 'java'\nrepositories { flatDir { dirs '/usr/share/java' } }\n" +
	"dependencies { testCompile name: 'junit4'; testCompile name: 'hamcrest-core' }\n"

// phpFiles are those of a project with a class that uses one of others, and with a test.
func phpFiles(name, test string) map[string]string {
	return map[string]string{name: test,
		"composer.json":    `{"name": "m/m", "autoload": {"psr-4": {"M\\": "src/"}, "files": ["src/flatted.php"]}}`,
		"phpunit.xml.dist": `<phpunit bootstrap="autoload.php"><testsuites><testsuite name="all"><directory>tests</directory></testsuite></testsuites></phpunit>`,
		"autoload.php": "<?php\nrequire __DIR__ . '/src/flatted.php';\nspl_autoload_register(function ($class) {\n" +
			"  if (str_starts_with($class, 'M\\\\')) {\n    require __DIR__ . '/src/' . substr($class, 2) . '.php';\n  }\n});\n",
		"src/Store.php": "<?php\nnamespace M;\n\nclass Store {\n" +
			"  public static function save($value) { return \\Flatted::stringify($value); }\n" +
			"  public static function load($text) { return \\Flatted::parse($text); }\n}\n"}
}

const (
	phpTest = "<?php\nrequire __DIR__ . '/../autoload.php';\n$a = new stdClass;\n$a->self = $a;\n$b = M\\Store::load(M\\Store::save($a));\n" +
		"if ($b->self !== $b) {\n  throw new Exception('a cycle is lost');\n}\n"
	phpUnitTest = "<?php\nclass StoreTest extends PHPUnit\\Framework\\TestCase {\n  public function testKeepsCycles() {\n" +
		"    $a = new stdClass;\n    $a->self = $a;\n    $b = M\\Store::load(M\\Store::save($a));\n    $this->assertSame($b, $b->self);\n  }\n}\n"
)

// composite is the tsconfig.json of a package of a solution.
func composite(references string) string {
	return fmt.Sprintf(`{"compilerOptions": {"composite": true, "strict": true, "target": "es2022", "lib": ["es2022"], "module": "preserve",
	"types": [], "outDir": "dist", "rootDir": "src"}, "include": ["src"], "references": [%s]}`, references)
}

// checkTools is the folder with the tools that a project has in its own folder, see scripts/install-check-tools.sh.
func checkTools(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("PLOKE_TEST_CHECK_TOOLS")
	var err error
	if dir == "" {
		err = errors.New("PLOKE_TEST_CHECK_TOOLS is not set")
	}
	testbed.Need(t, "what scripts/install-check-tools.sh installs", err)
	return dir
}

// toolFolder returns a new folder with such tools, which are links: nothing writes in them.
func toolFolder(t *testing.T, tools ...string) string {
	t.Helper()
	if len(tools) == 0 {
		return t.TempDir()
	}
	from := checkTools(t)
	dir, err := os.MkdirTemp(from, "folder-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	for _, tool := range tools {
		name := tool
		if tool == "venv" {
			name = ".venv"
		}
		if out, err := exec.Command("cp", "-al", filepath.Join(from, tool), filepath.Join(dir, name)).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte("node_modules\n.venv\n__pycache__\ndist\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// source returns the files and folders that a name stands for: of a Go module that is required ("go:"), of the test's
// tools ("tools:"), or of the machine.
func source(t *testing.T, name string) (paths []string) {
	t.Helper()
	kind, pattern, _ := strings.Cut(name, ":")
	switch kind {
	case "go":
		parts := strings.SplitN(pattern, "/", 4)
		out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", strings.Join(parts[:3], "/")).Output()
		if err != nil {
			t.Fatal(err)
		}
		pattern = filepath.Join(strings.TrimSpace(string(out)), parts[3])
	case "tools":
		pattern = filepath.Join(checkTools(t), pattern)
	default:
		pattern = name
	}
	paths, err := filepath.Glob(pattern)
	if err == nil && len(paths) == 0 {
		err = fs.ErrNotExist
	}
	testbed.Need(t, "code of others at "+name, err)
	return paths
}

// put copies files, or what is in folders, into a folder, or a file to a name.
func put(t *testing.T, to string, paths []string) {
	t.Helper()
	for _, from := range paths {
		err := filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			rel, err := filepath.Rel(from, path)
			target := filepath.Join(to, rel)
			if rel == "." && len(paths) > 1 {
				target = filepath.Join(to, entry.Name())
			}
			return errors.Join(err, os.MkdirAll(filepath.Dir(target), 0o700), os.WriteFile(target, text, 0o600))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestEachLanguageIsFixedBeforeAnybodySeesIt makes a change that does not build, as the model sees, which repairs it.
func TestEachLanguageIsFixedBeforeAnybodySeesIt(t *testing.T) {
	for name, l := range languages {
		if l.optional && slices.ContainsFunc(l.programs, func(p string) bool { _, err := exec.LookPath(p); return err != nil }) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			if l.long {
				testbed.Long(t)
			}
			for _, program := range l.programs {
				_, err := exec.LookPath(program)
				testbed.Need(t, program, err)
			}
			root := toolFolder(t, l.tools...)
			for to, from := range l.others {
				put(t, filepath.Join(root, to), source(t, from))
			}
			if l.prepare != nil {
				l.prepare(t, root)
			}
			var problem string
			v := newProvenIn(t, root, l.settings, session.AllowAlways, l.files, onlyEdit(l.file, l.old, l.bad),
				llmtest.Turn{Calls: []llmtest.Call{edit("2", l.file, l.bad, l.good, "done")}, Check: func(r *llmtest.Request) error {
					problem = r.Last().Content
					return nil
				}})
			v.Evidence.BePatient(5 * time.Minute)
			result, _ := v.ask(t, "Do it.")
			if result.Text != "done" || !strings.Contains(problem, l.problem) {
				t.Errorf("the turn ended with %q; the model got %q", result.Text, problem)
			}
			got := v.known(t, v.Project)
			if !regexp.MustCompile(l.green).MatchString(got) {
				t.Errorf("the person sees %q, not %s", got, l.green)
			}
			t.Logf("the model got %q; the person sees %q", problem, got)
		})
	}
}
