package project_test

import (
	"os/exec"
	"strings"
	"testing"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/session"
	"ploke-lsp/session/llm/llmtest"
)

// language is a small project of a language, a change that breaks it, and one that repairs that.
type language struct {
	programs             []string
	files                map[string]string
	file, old, bad, good string
	settings             string
	problem, green       string // the place that the model gets; what the person sees
}

var languages = map[string]language{
	"rust": {programs: []string{"cargo"}, file: "src/lib.rs", old: "1 + 1", bad: `"two"`, good: "2",
		files: map[string]string{"Cargo.toml": "[package]\nname = \"m\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
			"src/lib.rs": "pub fn two() -> i32 { 1 + 1 }\n\n#[test]\nfn is_two() { assert_eq!(two(), 2); }\n"},
		settings: `, "proof": {"test": true}`, problem: "src/lib.rs:1:", green: "cargo check: passed; cargo test: 1 test passed"},
	"python": {programs: []string{"python3"}, file: "m.py", old: "1 + 1", bad: "1 +", good: "2",
		files:   map[string]string{"pyproject.toml": "[project]\nname = \"m\"\n", "m.py": "two = 1 + 1\n"},
		problem: "line 1: new syntax error", green: "python: passed"},
	"c": {programs: []string{"make", "cc"}, file: "m.c", old: "1 + 1", bad: "one", good: "2",
		files:   map[string]string{"Makefile": "m: m.c\n\tcc -o m m.c\n\ncheck: m\n\t./m\n", "m.c": "int main(void) { return 1 + 1 - 2; }\n"},
		problem: "m.c:1:25: ", green: "make: passed"},
	"java": {programs: []string{"make", "javac"}, file: "M.java", old: "1 + 1", bad: "one", good: "2",
		files:    map[string]string{"Makefile": "all:\n\tjavac -d out M.java\n", "M.java": "class M { int two = 1 + 1; }\n"},
		settings: `, "checks": {"javac": {"command": ["make"], "on": "proposal", "files": ["*.java"]}}`,
		problem:  "M.java:1: ", green: "javac: passed"},
	"ruby": {programs: []string{"ruby"}, file: "m.rb", old: "1 + 1", bad: "TWO = 2", good: "2",
		files:   map[string]string{"Gemfile": "\n", "m.rb": "def two\n  1 + 1\nend\n"},
		problem: "m.rb:2: ", green: "ruby: passed"},
	"php": {programs: []string{"php"}, file: "m.php", old: "return 1 + 1", bad: "break", good: "return 2",
		files:   map[string]string{"composer.json": "{}\n", "m.php": "<?php\nfunction two() { return 1 + 1; }\n"},
		problem: "m.php:2: ", green: "php: passed"},
}

// TestEachLanguageIsFixedBeforeAnybodySeesIt makes a change that does not build, as the model sees, which repairs it.
func TestEachLanguageIsFixedBeforeAnybodySeesIt(t *testing.T) {
	for name, l := range languages {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, program := range l.programs {
				_, err := exec.LookPath(program)
				testbed.Need(t, program, err)
			}
			var problem string
			v := newProven(t, l.settings, session.AllowAlways, l.files, onlyEdit(l.file, l.old, l.bad),
				llmtest.Turn{Calls: []llmtest.Call{edit("2", l.file, l.bad, l.good, "done")}, Check: func(r *llmtest.Request) error {
					problem = r.Last().Content
					return nil
				}})
			result, _ := v.ask(t, "Do it.")
			if result.Text != "done" || !strings.Contains(problem, l.problem) {
				t.Errorf("the turn ended with %q; the model got %q", result.Text, problem)
			}
			if got := v.known(t, v.Project); got != l.green {
				t.Errorf("the person sees %q, not %q", got, l.green)
			}
		})
	}
}
