package tools_test

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/tools"
)

// commitAll commits all files of a world to a new repository.
func (w *world) commitAll(subject string) {
	w.t.Helper()
	for _, args := range [][]string{{"init", "--quiet"}, {"add", "--all"}, {"-c", "user.name=Ann", "-c", "user.email=a@b.c", "commit",
		"--quiet", "--message", subject}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = w.root
		if out, err := cmd.CombinedOutput(); err != nil {
			w.t.Fatalf("git %s: %v: %s", args[0], err, out)
		}
	}
}

// TestProjectFacts asks for each kind of fact, as the model reads them.
func TestProjectFacts(t *testing.T) {
	w := newWorld(t, map[string]string{
		"a.go": "package a\n\n// used is used. used twice.\nfunc used() {}\n\n// unused names itself: unused.\nfunc unused() { used() " +
			"}\n\nfunc Exported() {}\n\nfunc main() {}\n",
		"a_test.go": "package a\n\nfunc helper() {}\n",
		"c/c.py":    "__all__ = ['again', 'lone']\nif 1:\n    def again(n): return again(n)\nelse:\n    def again(n): pass\ndef lone(): pass\n",
		"b/b.py":    "def f():\n    pass\n\nf()\n",
	})
	w.commitAll("Begin: add a and b")
	w.write("a.go", w.read("a.go")+"// more\n")
	w.write("new.go", "package a\n")
	tests := []struct {
		args string
		says []string // in its text
		not  []string
	}{
		{`{"about":"commits"}`, []string{"Ann: Begin: add a and b", "  a.go", "  b/b.py"}, nil},
		{`{"about":"commits","words":["add","nothing"]}`, []string{"Begin"}, nil},
		{`{"about":"commits","words":["nothing"]}`, nil, []string{"Begin"}},
		{`{"about":"commits","path":"new.go"}`, []string{"there is no history"}, nil},
		{`{"about":"commits","since":"day"}`, []string{"1 commit in that time", "Begin"}, nil},
		{`{"about":"commits","until":"2001-02-03"}`, []string{"0 commits in that time; the last one at any time is of 20"}, []string{"Begin"}},
		{`{"about":"commits","since":"1d","until":"1d"}`, []string{"0 commits"}, []string{"Begin"}},
		{`{"about":"commits","since":"year","words":["begin"]}`, []string{"1 commit", "Begin"}, nil},
		{`{"about":"commits","since":"HEAD"}`, []string{"0 commits"}, []string{"Begin"}},
		{`{"about":"commits","since":"release"}`, []string{"1 commit"}, nil},
		{`{"about":"authors","path":"b"}`, []string{"Ann: 1 commit"}, nil},
		{`{"about":"uncommitted"}`, []string{"changed: a.go", "new: new.go"}, []string{"b.py"}},
		{`{"about":"uncommitted","path":"b"}`, nil, []string{"a.go"}},
		{`{"about":"lines"}`, []string{"go: 16 lines in 3 files", "python: 10 lines in 2 files"}, nil},
		{`{"about":"lines","path":"b"}`, []string{"python: 4 lines"}, []string{"go:"}},
		{`{"about":"unused"}`, []string{"function unused: a.go:7\nfunction Exported: a.go:9"}, []string{"used: a.go:4", "main", "helper"}},
		{`{"about":"uses","words":["used"]}`, []string{"a.go#4:4: 1 use"}, nil},
		{`{"about":"longest","words":["function"],"limit":2}`, []string{"function f, 2 lines: b/b.py:1\nfunction used, 1 line: " +
			"a.go:4\n"}, []string{"Exported", "helper"}},
		{`{"about":"longest","words":["function"],"path":"a.go"}`, []string{"function used, 1 line"}, []string{"b.py"}},
		{`{"about":"unused","path":"c"}`, []string{"function again: c/c.py:3\nfunction lone: c/c.py:6"}, []string{"c.py:5"}},
		{`{"about":"unused","path":"b"}`, nil, []string{"a.go"}},
	}
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			result := w.call(tools.ProjectFacts, tt.args)
			text := w.set.Text(tools.ProjectFacts, result.Content)
			for _, want := range tt.says {
				if !strings.Contains(text, want) {
					t.Errorf("%q is missing in\n%s", want, text)
				}
			}
			for _, not := range tt.not {
				if strings.Contains(text, not) {
					t.Errorf("%q is in\n%s", not, text)
				}
			}
		})
	}
	for _, wrong := range []string{`{"about":"everything"}`, `{"about":"lines","path":"nowhere"}`, `{"about":"uses"}`,
		`{"about":"commits","since":"v9"}`, `{"about":"commits","since":"--all"}`} {
		if r := w.call(tools.ProjectFacts, wrong); r.OK {
			t.Errorf("%s is answered: %s", wrong, r.Content)
		}
	}
}

// TestProjectFactsAreBounded asks for fewer facts than there are.
func TestProjectFactsAreBounded(t *testing.T) {
	w := newWorld(t, map[string]string{"a.go": "package a\n\nfunc a1() {}\nfunc a2() {}\nfunc a3() {}\n"})
	var found struct {
		Unused  []struct{ Canon string }
		Omitted int
	}
	if err := json.Unmarshal(w.call(tools.ProjectFacts, `{"about":"unused","limit":2}`).Content, &found); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(1, found.Omitted); diff != "" || len(found.Unused) != 2 {
		t.Errorf("found %+v", found)
	}
	if r := w.call(tools.ProjectFacts, `{"about":"commits"}`); !strings.Contains(string(r.Content), `"no_history":true`) {
		t.Errorf("without a repository: %s", r.Content)
	}
}

// TestUnusedFunctionsWithPrototypes asks for unused functions of C that headers declare.
func TestUnusedFunctionsWithPrototypes(t *testing.T) {
	w := newWorld(t, map[string]string{
		"x.h": "void lone(int);\nvoid called(int);\n/* documented does it */\nvoid documented(void);\nvoid noted(void);\n" +
			"void twice(int);\nvoid twice(int);\nvoid macro(int);\n#define CALL macro(1)\n",
		"x.c": "#include \"x.h\"\nvoid lone(int n) { }\nvoid called(int n) { }\nvoid documented(void) { }\nvoid noted(void) { }\n" +
			"void twice(int n) { }\nvoid macro(int n) { }\nstatic void again(int n) { again(n); }\n",
		"y.c": "#include \"x.h\"\n/* not as noted does */\nint main(void) { called(1); twice(2); CALL; }\n",
	})
	text := w.set.Text(tools.ProjectFacts, w.call(tools.ProjectFacts, `{"about":"unused"}`).Content)
	if want := "function lone: x.c:2\nfunction documented: x.c:4\nfunction again: x.c:8"; !strings.Contains(text, want) ||
		strings.Contains(text, "x.h:") || strings.Contains(text, "called") || strings.Contains(text, "twice") ||
		strings.Contains(text, "function macro") || strings.Contains(text, "noted:") {
		t.Errorf("want %s in\n%s", want, text)
	}
}

// TestUnusedNamesWithMarks asks for unused names of Ruby, which may end in a mark, and of what the language calls.
func TestUnusedNamesWithMarks(t *testing.T) {
	w := newWorld(t, map[string]string{"a.rb": "class Stack\n  def initialize_dup(other)\n  end\n\n  def locked?\n  end\n\n" +
		"  def build!\n    ready?\n  end\n\n  def ready?\n  end\nend\n\nStack.new.build!\n"})
	result := w.call(tools.ProjectFacts, `{"about":"unused"}`)
	if got, want := w.set.Text(tools.ProjectFacts, result.Content), "method Stack::locked?: a.rb:5"; !strings.Contains(got, want) ||
		strings.Contains(got, "initialize_dup") || strings.Contains(got, "build!") || strings.Contains(got, "ready?") {
		t.Errorf("%s is not alone in\n%s", want, got)
	}
}
