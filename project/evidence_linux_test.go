package project_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"ploke-lsp/edits/evidence"
	"ploke-lsp/internal/config"
	"ploke-lsp/internal/sandbox"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/project"
	"ploke-lsp/session"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm/llmtest"
)

func TestMain(m *testing.M) {
	sandbox.Enter()
	os.Exit(m.Run())
}

// person is a front end whose person answers questions.
type person struct {
	headless
	answer session.Answer
	asked  chan bus.PermissionAsked
	hidden bool // the person sees no questions
}

func (f *person) ShowsQuestions() bool { return !f.hidden }

func (f *person) AskPermission(ctx context.Context, e bus.PermissionAsked) session.Answer {
	f.asked <- e
	if f.answer == "" {
		<-ctx.Done()
	}
	return f.answer
}

// proven is a project whose model answers from a script, and whose checks run.
type proven struct {
	*smallModel
	person *person
	state  string
}

func needSandbox(t *testing.T) {
	t.Helper()
	_, err := sandbox.New(nil)
	testbed.Need(t, "bubblewrap", err)
	testbed.UserNamespaces(t)
}

// newProven opens a folder with files. settings are JSON, without the braces.
func newProven(t *testing.T, settings string, answer session.Answer, files map[string]string, script ...llmtest.Turn) *proven {
	t.Helper()
	return newProvenIn(t, t.TempDir(), settings, answer, files, script...)
}

// newProvenIn is newProven for a folder that has more files.
func newProvenIn(t *testing.T, root, settings string, answer session.Answer, files map[string]string, script ...llmtest.Turn) *proven {
	t.Helper()
	needSandbox(t)
	m := &smallModel{root: root, server: llmtest.NewServer(t, script...)}
	for name, text := range files {
		path := filepath.Join(m.root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	v := &proven{smallModel: m, state: t.TempDir(), person: &person{answer: answer, asked: make(chan bus.PermissionAsked, 100)}}
	m.Project = v.open(t, settings)
	return v
}

func (v *proven) open(t *testing.T, settings string) *project.Project {
	t.Helper()
	layer := config.FromJSON("the test", fmt.Appendf(nil, `{"model": "own/it", "providers": {"own": {"type": "openai", "baseUrl": %q}}%s}`,
		v.server.URL, settings))
	p, err := project.Open(t.Context(), project.Options{StateDir: v.state, Settings: project.NewSettings(layer), Getenv: os.Getenv},
		[]string{v.root}, v.person)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	if err := p.AwaitIndex(t.Context()); err != nil {
		t.Fatal(err)
	}
	return p
}

// known returns what is known of the only proposal, in one line.
func (v *proven) known(t *testing.T, p *project.Project) string {
	t.Helper()
	all, err := p.Edits.Proposals.List(t.Context(), "")
	if err != nil || len(all) != 1 {
		t.Fatalf("%d proposals, %v", len(all), err)
	}
	known, err := p.Evidence.Refreshed(t.Context(), all[0])
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, e := range known {
		e.Took = 0
		lines = append(lines, e.Source+": "+e.Line())
	}
	return strings.Join(lines, "; ")
}

// edit is a call that replaces text of a file, with the answer that ends the turn.
func edit(id, file, old, new, answer string) llmtest.Call {
	return toolCall(id, "apply_code_edit", map[string]any{
		"edits": []any{map[string]any{"file": file, "old": old, "new": new}}, "answer": answer})
}

var goFiles = map[string]string{
	"go.mod":       "module m\n\ngo 1.21\n",
	"a/a.go":       "package a\n\n// Sum adds.\nfunc Sum(x, y int) int { return x + y }\n",
	"b/b.go":       "package b\n\nimport \"m/a\"\n\n// Three is three.\nvar Three = a.Sum(1, 2)\n",
	"old/old.go":   "package old\n\nvar broken int = \"before\"\n",
	"b/b_test.go":  "package b\n\nimport \"testing\"\n\nfunc TestThree(t *testing.T) {\n\tif Three != 3 {\n\t\tt.Errorf(\"%d\", Three)\n\t}\n}\n",
	"c/readme.txt": "not code\n",
}

// TestAChangeThatDoesNotBuildIsFixedBeforeAnybodySeesIt breaks a package that imports the changed one. The model gets the
// problem, and the person's first sight is green.
func TestAChangeThatDoesNotBuildIsFixedBeforeAnybodySeesIt(t *testing.T) {
	var problem string
	v := newProven(t, "", session.AllowAlways, goFiles,
		llmtest.Turn{Calls: []llmtest.Call{edit("1", "a/a.go", "func Sum(x, y int) int", "func Sum(x, y, z int) int", "Sum takes three.")}},
		llmtest.Turn{Calls: []llmtest.Call{edit("2", "b/b.go", "a.Sum(1, 2)", "a.Sum(1, 2, 0)", "Sum takes three, also in b.")},
			Check: func(r *llmtest.Request) error {
				problem = r.Last().Content
				return nil
			}})
	result, _ := v.ask(t, "Let Sum take three numbers.")
	if !strings.Contains(problem, "b/b.go:6:") || !strings.Contains(problem, "not enough arguments in call to a.Sum") ||
		strings.Contains(problem, "old.go") {
		t.Errorf("the model got %q", problem)
	}
	if want := "Sum takes three, also in b."; result.Text != want || result.StopReason != bus.StopDone {
		t.Errorf("the turn ended %q with %q %s", result.StopReason, result.Text, result.Error)
	}
	if got, want := v.known(t, v.Project), "go vet: passed"; got != want {
		t.Errorf("the person sees %q, not %q", got, want)
	}
	if n := len(v.person.asked); n != 1 {
		t.Errorf("the person was asked %d times", n)
	}
	for name, text := range goFiles {
		if got, err := os.ReadFile(filepath.Join(v.root, name)); err != nil || string(got) != text {
			t.Errorf("%s is %q, %v", name, got, err)
		}
	}
}

// onlyEdit is a turn that replaces text of a file and ends.
func onlyEdit(file, old, new string) llmtest.Turn {
	return llmtest.Turn{Calls: []llmtest.Call{edit("1", file, old, new, "done")}}
}

// TestWhatIsKnownOfAProposal checks one proposal, and says what the person sees.
func TestWhatIsKnownOfAProposal(t *testing.T) {
	for name, tt := range map[string]struct {
		settings string
		answer   session.Answer
		edit     llmtest.Turn
		want     string
	}{
		"not permitted": {"", session.RejectOnce, onlyEdit("a/a.go", "x + y", "y + x"),
			"go vet: unknown: you have not allowed commands in a sandbox on copies of this folder"},
		"switched off":        {`, "proof": {"compile": false}`, session.AllowAlways, onlyEdit("a/a.go", "x + y", "y + x"), ""},
		"not of its business": {"", session.AllowAlways, onlyEdit("c/readme.txt", "not code", "no code"), ""},
		"tests pass": {`, "proof": {"test": true}`, session.AllowAlways, onlyEdit("a/a.go", "x + y", "y + x"),
			"go test: 1 test passed; go vet: passed"},
		"a test fails": {`, "proof": {"test": true, "rounds": 0}`, session.AllowAlways, onlyEdit("a/a.go", "x + y", "x - y"),
			"go test: 1 new problem; 1 of 1 test failed; go vet: passed"},
		"no tests": {`, "proof": {"test": true}`, session.AllowAlways, onlyEdit("old/old.go", "var broken int = \"before\"", "var fixed int"),
			"go test: unknown: no tests ran; go vet: passed"},
		"broken before": {"", session.AllowAlways, onlyEdit("old/old.go", "package old", "// Package old is old.\npackage old"),
			"go vet: unknown: it fails without the proposal, too"},
		"worse than before": {`, "proof": {"rounds": 0}`, session.AllowAlways, onlyEdit("old/old.go", "package old", "package old\n\nvar x string = 1"),
			"go vet: 1 new problem"},
		"a check of the user": {`, "proof": {"rounds": 0}, "checks": {"words": {"command": ["grep", "-rn", "not code", "c"], "on": "proposal", "files": ["*.txt"]}}`,
			session.AllowAlways, onlyEdit("c/readme.txt", "not code", "no code"), "words: 1 new problem"},
		"a check of other files": {`, "checks": {"words": {"command": ["false"], "on": "proposal", "files": ["*.md"]}}`,
			session.AllowAlways, onlyEdit("c/readme.txt", "not code", "no code"), ""},
		"a missing program": {`, "checks": {"lint": {"command": ["there-is-no-such-program"], "on": "proposal"}}`,
			session.AllowAlways, onlyEdit("c/readme.txt", "not code", "no code"),
			"lint: unknown: there-is-no-such-program is not installed, or not where the sandbox can see it"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := newProven(t, tt.settings, tt.answer, goFiles, tt.edit)
			if result, _ := v.ask(t, "Do it."); result.Text != "done" || result.StopReason != bus.StopDone {
				t.Errorf("the turn ended %q with %q %s", result.StopReason, result.Text, result.Error)
			}
			if got := v.known(t, v.Project); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

// TestWhatDoesNotParseIsEvidence has a model that leaves it so.
func TestWhatDoesNotParseIsEvidence(t *testing.T) {
	t.Parallel()
	v := newProven(t, `, "proof": {"compile": false}`, session.AllowAlways, goFiles,
		onlyEdit("a/a.go", "x + y }", "x + }"), llmtest.Turn{Text: []string{"done"}})
	v.ask(t, "Do it.")
	if got, want := v.known(t, v.Project), "syntax: 1 new problem"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestWhereNoQuestionIsShownNothingIsAsked: the person asks for the check, once and then for always.
func TestWhereNoQuestionIsShownNothingIsAsked(t *testing.T) {
	t.Parallel()
	v := newProven(t, "", "", goFiles, onlyEdit("a/a.go", "x + y", "y + x"), onlyEdit("a/a.go", "y + x", "0 + y + x"))
	v.person.hidden = true
	v.ask(t, "Do it.")
	const notYet = "go vet: unknown: not allowed yet: to run it in a sandbox on a copy, check the proposal with its code action"
	if got := v.known(t, v.Project); !strings.HasPrefix(got, notYet) {
		t.Errorf("the person sees %q", got)
	}
	all, err := v.Edits.Proposals.List(t.Context(), "")
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	known, err := v.Evidence.Of(t.Context(), all[0])
	if err != nil || len(known) != 1 || !v.Evidence.NotAllowed(t.Context(), known[0]) {
		t.Errorf("%+v, %v", known, err)
	}
	if err := v.Evidence.Check(all[0], false, v.Evidence.Standing).Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, want := v.known(t, v.Project), "go vet: passed"; got != want {
		t.Errorf("once it was checked, the person sees %q", got)
	}
	if err := v.Evidence.AllowAlways(t.Context(), all[0]); err != nil || v.Evidence.NotAllowed(t.Context(), known[0]) {
		t.Errorf("it is not allowed, %v", err)
	}
	v.ask(t, "Do more.")
	if got, want := v.known(t, v.Project), "go vet: passed"; got != want {
		t.Errorf("once it is always allowed, the person sees %q", got)
	}
	if n := len(v.person.asked); n != 0 {
		t.Errorf("the person was asked %d times", n)
	}
}

// TestACheckSeesWhatThePersonTypes beside what is proposed, and in place of it.
func TestACheckSeesWhatThePersonTypes(t *testing.T) {
	t.Parallel()
	v := newProven(t, `, "proof": {"rounds": 0}`, session.AllowAlways, goFiles, onlyEdit("a/a.go", "return x + y", `return "x"`))
	v.ask(t, "Do it.")
	all, err := v.Edits.Proposals.List(t.Context(), "")
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	file := filepath.Join(v.root, "a", "a.go")
	for i, tt := range []struct{ typed, want string }{
		{goFiles["a/a.go"], "go vet: 1 new problem"},
		{"// typed\n" + goFiles["a/a.go"], "go vet: 1 new problem"},
		{strings.Replace(goFiles["a/a.go"], "package a\n", "package a\n\nvar typed int = \"x\"\n", 1), "go vet: 1 new problem"},
		{strings.Replace(goFiles["a/a.go"], "x + y", "y + x", 1),
			"go vet: unknown: the proposal does not fit a/a.go as it is now: lines that it changes have changed"},
	} {
		v.Workspace.SetBuffer(file, int32(i), []byte(tt.typed))
		if got := v.known(t, v.Project); i > 0 && i < 3 && got != "go vet: stale: the files have changed since" {
			t.Errorf("after typing %d: %q", i, got)
		}
		if err := v.Evidence.Check(all[0], false, v.Evidence.Standing).Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := v.known(t, v.Project); got != tt.want {
			t.Errorf("with %q typed: %q, want %q", tt.typed, got, tt.want)
		}
	}
}

// TestExactlyOneCommandIsAllowed allows each command by itself, and is asked for the next one.
func TestExactlyOneCommandIsAllowed(t *testing.T) {
	t.Parallel()
	v := newProven(t, `, "proof": {"test": true}`, session.AllowExact, goFiles, onlyEdit("a/a.go", "x + y", "y + x"),
		onlyEdit("a/a.go", "y + x", "0 + y + x"))
	for range 2 {
		v.ask(t, "Do it.")
		if n := len(v.person.asked); n != 2 {
			t.Errorf("the person was asked %d times for two commands", n)
		}
		if got, want := v.known(t, v.Project), "go test: 1 test passed; go vet: passed"; got != want {
			t.Errorf("the person sees %q", got)
		}
	}
}

// TestAYesForOnceHoldsForTheTurn: what the model repairs is checked without another question.
func TestAYesForOnceHoldsForTheTurn(t *testing.T) {
	t.Parallel()
	v := newProven(t, "", session.AllowOnce, goFiles, onlyEdit("a/a.go", "return x + y", "return x + z"),
		llmtest.Turn{Calls: []llmtest.Call{edit("2", "a/a.go", "return x + z", "return y + x", "done")}})
	v.ask(t, "Do it.")
	if got := v.known(t, v.Project); got != "go vet: passed" || len(v.person.asked) != 1 {
		t.Errorf("%q after %d questions", got, len(v.person.asked))
	}
}

// TestWhatIsNotAllowedIsAskedOnceInAConversation says no, and goes on.
func TestWhatIsNotAllowedIsAskedOnceInAConversation(t *testing.T) {
	t.Parallel()
	v := newProven(t, "", session.RejectOnce, goFiles, onlyEdit("a/a.go", "x + y", "y + x"),
		onlyEdit("a/a.go", "y + x", "0 + y + x"), onlyEdit("a/a.go", "Sum adds", "Sum sums"))
	for turn, want := range []int{1, 1, 2} {
		if turn == 2 {
			v.conversation = ""
		}
		v.ask(t, "Do it.")
		if n := len(v.person.asked); n != want {
			t.Errorf("after turn %d the person was asked %d times, want %d", turn, n, want)
		}
	}
}

// TestEvidenceIsKeptUntilTheFilesChange opens the folder again, and saves a file that the proposal does not name.
func TestEvidenceIsKeptUntilTheFilesChange(t *testing.T) {
	t.Parallel()
	v := newProven(t, "", session.AllowAlways, goFiles, onlyEdit("a/a.go", "x + y", "y + x"))
	v.ask(t, "Do it.")
	v.Project.Close()
	again := v.open(t, "")
	if got, want := v.known(t, again), "go vet: passed"; got != want {
		t.Errorf("after a restart %q, not %q", got, want)
	}
	if err := os.WriteFile(filepath.Join(v.root, "b", "b.go"), []byte("package b\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, want := v.known(t, again), "go vet: stale: the files have changed since"; got != want {
		t.Errorf("after a change %q, not %q", got, want)
	}
}

// TestEvidenceOfFilesThatChangeUnseen becomes stale when a process starts, also where nobody asks for it.
func TestEvidenceOfFilesThatChangeUnseen(t *testing.T) {
	t.Parallel()
	v := newProven(t, "", session.AllowAlways, goFiles, onlyEdit("a/a.go", "x + y", "y + x"))
	v.ask(t, "Do it.")
	v.Project.Close()
	if err := os.WriteFile(filepath.Join(v.root, "b", "b.go"), []byte("package b\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	again := v.open(t, "")
	all, err := again.Edits.Proposals.List(t.Context(), "")
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	testbed.Eventually(t, func() bool {
		known, err := again.Evidence.Of(t.Context(), all[0])
		return err == nil && len(known) == 1 && known[0].State == evidence.Stale
	}, func() string { return "it is not stale" })
}

// runs returns how often the check of [countedRuns] has run in each of the trees, the most often first.
func (v *proven) runs(t *testing.T) (counts []int) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(v.state, "*", "trials", "*", "*", "home", "runs"))
	if more, moreErr := filepath.Glob(filepath.Join(v.state, "trials", "*", "*", "home", "runs")); moreErr == nil {
		files = append(files, more...)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		counts = append(counts, strings.Count(string(text), "\n"))
	}
	slices.Sort(counts)
	slices.Reverse(counts)
	return counts
}

// countedRuns is a check that counts its runs in the home folder of its tree, and fails if a file has a word.
const countedRuns = `, "proof": {"rounds": 0}, "checks": {"words": {"on": "proposal", "command":
	["sh", "-c", "echo >> $HOME/runs; if grep -q wrong c/readme.txt; then echo c/readme.txt:1: wrong; exit 1; fi"]}}`

// TestTheBaseIsCheckedIfItMustBe: not if the check passes, and once for what is below the proposal.
func TestTheBaseIsCheckedIfItMustBe(t *testing.T) {
	t.Parallel()
	passes := newProven(t, countedRuns, session.AllowAlways, goFiles, onlyEdit("c/readme.txt", "not code", "no code"))
	passes.ask(t, "Do it.")
	if got := fmt.Sprint(passes.runs(t)); got != "[1]" {
		t.Errorf("a check that passes ran %s times", got)
	}
	v := newProven(t, countedRuns, session.AllowAlways, goFiles, onlyEdit("c/readme.txt", "not code", "wrong"))
	v.ask(t, "Do it.")
	all, err := v.Edits.Proposals.List(t.Context(), "")
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	other := filepath.Join(v.root, "a", "a.go")
	for i, step := range []struct {
		what   string
		change func()
		want   string // how often it ran with the proposal, and without
	}{
		{"at the end of the turn", nil, "[1 1]"},
		{"again", func() {}, "[2 1]"},
		{"with another text unsaved", func() { v.Workspace.SetBuffer(other, 1, []byte("package a // unsaved\n")) }, "[3 2]"},
		{"again with that", func() {}, "[4 2]"},
		{"without it", func() { v.Workspace.CloseBuffer(other) }, "[5 2]"},
		{"with another text saved", func() {
			if err := os.WriteFile(other, []byte("package a // saved\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}, "[6 3]"},
	} {
		if step.change != nil {
			step.change()
			if err := v.Evidence.Check(all[0], false, v.Evidence.Standing).Wait(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if got, want := v.known(t, v.Project), "words: 1 new problem"; got != want {
			t.Errorf("%d, %s: %q", i, step.what, got)
		}
		if got := fmt.Sprint(v.runs(t)); got != step.want {
			t.Errorf("%s it ran %s times, want %s", step.what, got, step.want)
		}
	}
}

// TestATurnWaitsForItsChecksForAWhile, and ends before the check does, which goes on.
func TestATurnWaitsForItsChecksForAWhile(t *testing.T) {
	t.Parallel()
	const slow = `, "checks": {"slow": {"on": "proposal", "command": ["sh", "-c", "until test -e $HOME/enough; do sleep 0.1; done"]}}`
	v := newProven(t, slow, session.AllowAlways, goFiles, onlyEdit("c/readme.txt", "not code", "no code"))
	if usually := v.Evidence.BePatient(2 * time.Second); usually != 20*time.Second {
		t.Errorf("a turn usually waits for %v", usually)
	}
	began := time.Now()
	if result, _ := v.ask(t, "Do it."); result.Text != "done" || result.StopReason != bus.StopDone {
		t.Errorf("the turn ended %q with %q %s", result.StopReason, result.Text, result.Error)
	}
	if waited := time.Since(began); waited > time.Minute { // whatever the machine does besides
		t.Errorf("with a patience of 2s the turn waited %v", waited)
	}
	// The turn may end before the check has begun, which a machine under load takes its time for.
	testbed.Eventually(t, func() bool { return v.known(t, v.Project) == "slow: running" },
		func() string { return "at the end of the turn: " + v.known(t, v.Project) })
	var homes []string
	testbed.Eventually(t, func() bool {
		var err error
		homes, err = filepath.Glob(filepath.Join(v.state, "trials", "*", "*", "home"))
		return err == nil && len(homes) == 1
	}, func() string { return "the homes of trials: " + fmt.Sprint(homes) })
	if err := os.WriteFile(filepath.Join(homes[0], "enough"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	testbed.Eventually(t, func() bool { return v.known(t, v.Project) == "slow: passed" },
		func() string { return "later: " + v.known(t, v.Project) })
}

// TestFilesThatChangeWhileACheckRuns leave its evidence stale, whatever it says.
func TestFilesThatChangeWhileACheckRuns(t *testing.T) {
	t.Parallel()
	const slow = `, "proof": {"rounds": 0}, "checks": {"slow": {"on": "proposal", "command":
		["sh", "-c", "touch $HOME/began; until test -e $HOME/enough; do sleep 0.1; done; exit 1"]}}`
	v := newProven(t, slow, session.AllowAlways, goFiles, onlyEdit("c/readme.txt", "not code", "no code"))
	v.Evidence.BePatient(5 * time.Second)
	v.ask(t, "Do it.")
	var began []string
	testbed.Eventually(t, func() bool {
		began, _ = filepath.Glob(filepath.Join(v.state, "trials", "*", "*", "home", "began"))
		return len(began) == 1
	}, func() string { return "the check does not begin" })
	for name, text := range map[string]string{filepath.Join(v.root, "b", "b.go"): "package b\n", filepath.Join(filepath.Dir(began[0]), "enough"): ""} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	testbed.Eventually(t, func() bool { return v.known(t, v.Project) == "slow: stale: the files changed while it ran" },
		func() string { return v.known(t, v.Project) })
}

// TestChecksThatMisbehave are stopped or bounded, and say so.
func TestChecksThatMisbehave(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ script, more, want string }{
		"never ends":        {"while :; do sleep 1; done", `, "timeout": 1`, "bad: unknown: it was stopped after 1s, its time limit"},
		"forks away":        {"(setsid sleep 1000 &) ; sleep 1000 & exit 0", "", "bad: passed"},
		"prints much":       {"yes c/readme.txt:1: wrong | head -n 800000; exit 1", "", "bad: 1 new problem"},
		"kills its parent":  {"kill -9 $PPID; kill -9 -1; exit 0", "", "bad: passed"},
		"waits for input":   {"read x; cat; exit 0", "", "bad: passed"},
		"prints bytes":      {`printf 'c/readme.txt:1: \\377\\376 \\033[31mwrong\\033[0m\\n'; exit 1`, "", "bad: 1 new problem"},
		"breaks the folder": {"rm -rf ./* .[a-z]* 2>/dev/null; mkdir a; exit 0", "", "bad: passed"},
		"kills itself":      {"kill -9 $$", "", "bad: 1 new problem"},
		"fills a file":      {"truncate -s 1T large; exit 3", "", "bad: 1 new problem"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			settings := fmt.Sprintf(`, "proof": {"rounds": 0}, "checks": {"bad": {"on": "proposal", "command": ["sh", "-c",
				"test -z \"$(grep 'no code' c/readme.txt)\" || { %s; }"]%s}}`, tt.script, tt.more)
			v := newProven(t, settings, session.AllowAlways, goFiles, onlyEdit("c/readme.txt", "not code", "no code"))
			v.Evidence.BePatient(5 * time.Minute)
			v.ask(t, "Do it.")
			if got := v.known(t, v.Project); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
			all, err := v.Edits.Proposals.List(t.Context(), "")
			if err != nil || len(all) != 1 {
				t.Fatal(all, err)
			}
			known, err := v.Evidence.Of(t.Context(), all[0])
			if err != nil || len(known) != 1 || len(known[0].Output) > evidence.MaxOutput || !utf8.ValidString(known[0].Output) ||
				strings.Contains(known[0].Output, "\x1b") {
				t.Errorf("%+v, %v", known, err)
			}
			for name, text := range goFiles {
				if got, err := os.ReadFile(filepath.Join(v.root, name)); err != nil || string(got) != text {
					t.Errorf("%s is %q, %v", name, got, err)
				}
			}
		})
	}
}
