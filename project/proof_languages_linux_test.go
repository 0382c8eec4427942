package project_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/session"
	"ploke-lsp/session/llm/llmtest"
)

// language is a project of a language, a change that breaks it, and one that repairs that.
type language struct {
	programs             []string
	others               map[string]string // code of others by where it is put, see [source]
	files                map[string]string // of the project besides
	tools                []string          // of the test's tools, as they are in a project's folder
	file, old, bad, good string
	settings             string
	problem, green       string // the place that the model gets; what the person sees, as a regular expression
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
	"c": {programs: []string{"make", "cc"}, others: map[string]string{"stack.c": "go:github.com/smacker/go-tree-sitter/stack.c",
		"headers": "go:github.com/smacker/go-tree-sitter/*.h"}, file: "headers/stack.h",
		files: map[string]string{"Makefile": "CFLAGS = -O0 -Iheaders\n\nstack.o: stack.c headers/*.h\n\ncheck: all\n\ttest -f stack.o\n\nall: stack.o\n"},
		old:   "Stack *ts_stack_new(SubtreePool *);", bad: "Stack *ts_stack_new(SubtreePool *, int);", good: "Stack *ts_stack_new(SubtreePool *pool);",
		problem: "stack.c:421:", green: `^make: passed$`},
	"java": {programs: []string{"make", "javac"}, file: "M.java", old: "1 + 1", bad: "one", good: "2",
		files:    map[string]string{"Makefile": "all:\n\tjavac -d out M.java\n", "M.java": "class M { int two = 1 + 1; }\n"},
		settings: `, "checks": {"javac": {"command": ["make"], "on": "proposal", "files": ["*.java"]}}`,
		problem:  "M.java:1: ", green: "^javac: passed$"},
	"ruby": {programs: []string{"ruby", "rspec"}, file: "lib/diff/lcs/change.rb", old: "def adding?", bad: "def adds?", good: "def adding?; adds?; end\n\n  def adds?",
		others:   map[string]string{"lib": "/usr/share/rubygems-integration/all/gems/diff-lcs-*/lib"},
		settings: withTests,
		files: map[string]string{"diff-lcs.gemspec": "\n", "spec/change_spec.rb": "$LOAD_PATH.unshift File.join(__dir__, '..', 'lib')\nrequire 'diff/lcs'\n" +
			"RSpec.describe Diff::LCS::Change do\n  it('adds') { expect(described_class.new('+', 0, 'x')).to be_adding }\nend\n"},
		problem: "spec/change_spec.rb:4: ", green: "^rspec: 1 test passed; ruby: passed$"},
	"php": {programs: []string{"php"}, file: "src/flatted.php", old: "return json_encode($output, $options, $depth);", bad: "break;",
		good: "return json_encode($output, $options);", others: map[string]string{"src": "tools:node_modules/flatted/php"},
		files: map[string]string{"composer.json": "{}\n"}, problem: "src/flatted.php:", green: "^php: passed$"},
}

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
		t.Run(name, func(t *testing.T) {
			for _, program := range l.programs {
				_, err := exec.LookPath(program)
				testbed.Need(t, program, err)
			}
			root := toolFolder(t, l.tools...)
			for to, from := range l.others {
				put(t, filepath.Join(root, to), source(t, from))
			}
			var problem string
			v := newProvenIn(t, root, l.settings, session.AllowAlways, l.files, onlyEdit(l.file, l.old, l.bad),
				llmtest.Turn{Calls: []llmtest.Call{edit("2", l.file, l.bad, l.good, "done")}, Check: func(r *llmtest.Request) error {
					problem = r.Last().Content
					return nil
				}})
			result, _ := v.ask(t, "Do it.")
			if result.Text != "done" || !strings.Contains(problem, l.problem) {
				t.Errorf("the turn ended with %q; the model got %q", result.Text, problem)
			}
			if got := v.known(t, v.Project); !regexp.MustCompile(l.green).MatchString(got) {
				t.Errorf("the person sees %q, not %s", got, l.green)
			}
		})
	}
}
