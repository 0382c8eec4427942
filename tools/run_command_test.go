//go:build linux

package tools_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/edits"
	"ploke-lsp/internal/sandbox"
	"ploke-lsp/tools"
)

// commands returns a world of these files whose commands run in the sandbox, once the person permits it.
func commands(t *testing.T, files map[string]string) *world {
	t.Helper()
	w := newWorld(t, files)
	w.grant = true
	w.sandboxed()
	return w
}

// commandResult is what run_command returns.
type commandResult struct {
	Passed  bool
	Ended   string
	Output  string
	Omitted int64 `json:"output_bytes_omitted"`
	Changed []struct {
		File, What, Left string
		RenamedTo        string `json:"renamed_to"`
	}
	Note        string
	Error, Code string
}

// run runs a command, which is JSON: a list, or a line for a shell.
func (w *world) run(command string) (r commandResult) {
	w.t.Helper()
	result := w.call("run_command", `{"command":`+command+`}`)
	if err := json.Unmarshal(result.Content, &r); err != nil {
		w.t.Fatal(err)
	}
	return r
}

// changes returns what a command changed, in a line each, with paths relative to the folder.
func (w *world) changes(r commandResult) (lines string) {
	for _, c := range r.Changed {
		line := w.deps.Workspace.Rel(c.File) + " " + c.What
		if c.RenamedTo != "" {
			line += " to " + w.deps.Workspace.Rel(c.RenamedTo)
		}
		if c.Left != "" {
			line += ": " + c.Left
		}
		lines += line + "\n"
	}
	return lines
}

func line(script string) string { return string(must(json.Marshal(script))) }

func must(data []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return data
}

const badlyFormatted = "package a\nfunc   A( ) int {\nreturn 1 }\n"

// TestACommandSeesWhatIsProposed runs one as a program with arguments, and one as a line for a shell.
func TestACommandSeesWhatIsProposed(t *testing.T) {
	w := commands(t, map[string]string{"a.go": "package a\n", "dir/b.txt": "b\n"})
	w.call("create_file", `{"file":"new.txt","content":"new\n"}`)
	for command, want := range map[string]commandResult{
		`["cat","new.txt"]`:                     {Passed: true, Ended: "exit status 0", Output: "new\n"},
		`"cat new.txt | tr n N; exit 3"`:        {Ended: "exit status 3", Output: "New\n"},
		`["cat"]`:                               {Passed: true, Ended: "exit status 0"},
		`["printf", "\\377\\033[1mbold\\r\\n"]`: {Passed: true, Ended: "exit status 0", Output: "\ufffdbold\n"},
		`"kill -9 $$"`:                          {Ended: "exit status 137 (signal: killed), as what takes too much memory is ended"},
	} {
		got := w.run(command)
		got.Note = ""
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", command, diff)
		}
	}
	result := w.call("run_command", `{"command":"cat b.txt","dir":"dir","timeout":60,"reason":"see"}`)
	if !strings.Contains(string(result.Content), `"output":"b\n"`) || !strings.Contains(w.printed, "New\n") {
		t.Errorf("in a folder: %s; people saw %q", result.Content, w.printed)
	}
}

// TestWhatAFormatterWritesIsProposed runs a formatter on saved and on proposed text, edits the file
// afterwards, and runs another command, which finds nothing that it has changed.
func TestWhatAFormatterWritesIsProposed(t *testing.T) {
	w := commands(t, map[string]string{"a.go": badlyFormatted, "b.go": "package a\n", "go.mod": "module a\n"})
	w.call("create_file", `{"file":"c.go","content":`+line(badlyFormatted)+`}`)
	r := w.run(`["gofmt","-w","."]`)
	if got, want := w.changes(r), "a.go changed\nc.go changed\n"; !r.Passed || got != want {
		t.Fatalf("changed %q, want %q: %+v", got, want, r)
	}
	const formatted = "package a\n\nfunc A() int {\n\treturn 1\n}\n"
	if a, c := w.read("a.go"), w.read("c.go"); a != formatted || c != formatted {
		t.Errorf("the turn sees %q and %q", a, c)
	}
	if data, err := os.ReadFile(w.path("a.go")); err != nil || string(data) != badlyFormatted {
		t.Errorf("the folder has %q, %v", data, err)
	}
	w.call("apply_code_edit", `{"edits":[{"file":"a.go","old":"return 1","new":"return 2"}]}`)
	if r := w.run(`"cat a.go"`); len(r.Changed) > 0 || !strings.Contains(r.Output, "return 2") {
		t.Errorf("the next command: %+v", r)
	}
	waiting, err := w.deps.Edits.Staging.Waiting(t.Context(), edits.Turn{ID: w.turn})
	if err != nil || len(waiting) != 1 || !strings.Contains(waiting[0].Reason, "gofmt -w .") {
		t.Errorf("%+v, %v", waiting, err)
	}
}

// TestWhatGoGenerateWritesIsProposed runs the generator that a package names, over a file that was there.
func TestWhatGoGenerateWritesIsProposed(t *testing.T) {
	w := commands(t, map[string]string{"go.mod": "module a\n", "made.go": "package a\n",
		"a.go": "package a\n\n//go:generate sh -c \"echo 'const One = 1' >> made.go; echo 'package a' > new.go\"\n"})
	r := w.run(`["go","generate","./..."]`)
	if got, want := w.changes(r), "made.go changed\nnew.go created\n"; !r.Passed || got != want {
		t.Fatalf("changed %q, want %q: %+v", got, want, r)
	}
	if got := w.read("made.go"); got != "package a\nconst One = 1\n" {
		t.Errorf("the turn sees %q", got)
	}
	if data, err := os.ReadFile(w.path("made.go")); err != nil || string(data) != "package a\n" {
		t.Errorf("the folder has %q, %v", data, err)
	}
}

// TestWhatCommandsWriteIsProposed runs generators, git and others.
func TestWhatCommandsWriteIsProposed(t *testing.T) {
	const long = "one\ntwo\nthree\nfour\n"
	files := map[string]string{".gitignore": "/build/\n", "a.txt": long, "crlf.txt": "one\r\ntwo\r\nthree\r\n", "bom.txt": "\ufeffone\n",
		"latin1.txt": "caf\xe9 au lait\n", "mv/old.txt": long, ".env": "TOKEN=1\n"}
	for name, tt := range map[string]struct {
		script, changed string
		texts           map[string]string // what the turn sees
	}{
		"nothing":             {"cat a.txt", "", nil},
		"a generator":         {"mkdir gen; seq 3 > gen/list.txt", "gen/list.txt created\n", map[string]string{"gen/list.txt": "1\n2\n3\n"}},
		"ignored and binary":  {"mkdir build; echo x > build/x.txt; printf 'a\\0b' > data.bin", "data.bin created: it is binary, not text\n", nil},
		"git":                 {"mkdir -p .git; echo x > .git/x", "", nil},
		"removed":             {"rm a.txt", "a.txt deleted\n", nil},
		"git mv":              {"git init -q /tmp/g && git --git-dir=/tmp/g/.git --work-tree=. add mv && git --git-dir=/tmp/g/.git --work-tree=. mv mv/old.txt mv/new.txt", "mv/old.txt renamed to mv/new.txt\n", map[string]string{"mv/new.txt": long}},
		"renamed and changed": {"sed s/two/2/ a.txt > b.txt; rm a.txt", "a.txt renamed to b.txt\n", map[string]string{"b.txt": "one\n2\nthree\nfour\n"}},
		"another":             {"rm a.txt; echo other > b.txt", "a.txt deleted\nb.txt created\n", nil},
		"line ends stay":      {"sed -i s/two/2/ crlf.txt", "crlf.txt changed\n", map[string]string{"crlf.txt": "one\r\n2\r\nthree\r\n"}},
		"other line ends":     {"sed -i 's/\\r//' crlf.txt", "crlf.txt changed\n", map[string]string{"crlf.txt": "one\ntwo\nthree\n"}},
		"a mark stays":        {"echo two >> bom.txt", "bom.txt changed\n", map[string]string{"bom.txt": "one\ntwo\n"}},
		"a mark goes":         {"echo one > bom.txt", "bom.txt changed: its encoding is another one than before\n", nil},
		"a charset":           {"printf '\\344\\n' >> latin1.txt", "latin1.txt changed\n", map[string]string{"latin1.txt": "café au lait\nä\n"}},
		"secrets":             {"echo TOKEN=2 > .env", ".env changed: its name or content says that it holds secrets\n", nil},
		"a link":              {"ln -s a.txt l.txt", "l.txt changed: it is a link or no file\n", nil},
		"a mode":              {"chmod +x a.txt", "a.txt changed: only its mode is another one\n", nil},
		"touched":             {"touch a.txt; cp a.txt x; mv x a.txt", "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := commands(t, files)
			r := w.run(line(tt.script))
			if got := w.changes(r); !r.Passed || got != tt.changed {
				t.Errorf("changed %q, want %q: %+v", got, tt.changed, r)
			}
			for name, want := range tt.texts {
				if got := w.read(name); got != want {
					t.Errorf("%s is %q, want %q", name, got, want)
				}
			}
			if again := w.run(`"true"`); strings.Contains(strings.ReplaceAll(w.changes(again), ": ", ""), "\n") && tt.texts != nil {
				t.Errorf("the next command changed %q", w.changes(again))
			}
			for name, text := range files {
				if data, err := os.ReadFile(w.path(name)); err != nil || string(data) != text {
					t.Errorf("%s of the folder is %q, %v", name, data, err)
				}
			}
		})
	}
}

// TestADecisionHoldsForTheCopy rejects what a command has changed: the next command neither sees it nor proposes it again. What
// is accepted stays.
func TestADecisionHoldsForTheCopy(t *testing.T) {
	for _, rejects := range []bool{true, false} {
		w := commands(t, map[string]string{"a.txt": "old\n"})
		w.run(`"echo new > a.txt"`)
		waiting, err := w.deps.Edits.Staging.Waiting(t.Context(), edits.Turn{ID: w.turn})
		if err != nil || len(waiting) != 1 {
			t.Fatal(waiting, err)
		}
		want := "new\n"
		if rejects {
			want = "old\n"
			_, err = w.deps.Edits.Reject(t.Context(), waiting[0].Whole(), "")
		} else {
			w.accept()
		}
		if err != nil {
			t.Fatal(err)
		}
		if r := w.run(`"cat a.txt"`); r.Output != want || len(r.Changed) > 0 {
			t.Errorf("rejected: %v: %+v", rejects, r)
		}
	}
}

// atOnce is called when a command prints something.
type atOnce func()

func (f atOnce) Write(p []byte) (int, error) {
	f()
	return len(p), nil
}

// TestAFileThatIsChangedMeanwhileIsNotProposed has the person save one while a command runs, and type in another one.
func TestAFileThatIsChangedMeanwhileIsNotProposed(t *testing.T) {
	w := commands(t, map[string]string{"saved.txt": "old\n", "typed.txt": "old\n", "gone.txt": "old\n", "left.txt": "old\n"})
	run := w.deps.RunTrial
	w.deps.RunTrial = func(ctx context.Context, t tools.Trial) (tools.TrialResult, error) {
		t.Output = atOnce(func() {
			w.write("saved.txt", "the person's\n")
			w.deps.Workspace.SetBuffer(w.path("typed.txt"), 1, []byte("the person's\n"))
			if err := os.Remove(w.path("gone.txt")); err != nil {
				w.t.Error(err)
			}
		})
		return run(ctx, t)
	}
	w.set = tools.New(w.deps)
	r := w.run(`"for f in *.txt; do echo new > $f; done; echo now"`)
	const why = ": it was changed meanwhile; run the command again\n"
	if got, want := w.changes(r), "gone.txt changed"+why+"left.txt changed\nsaved.txt changed"+why+"typed.txt changed"+why; got != want {
		t.Errorf("changed %q, want %q", got, want)
	}
	w.deps.RunTrial = run
	w.set = tools.New(w.deps)
	if r := w.run(`"cat *.txt"`); r.Output != "new\nthe person's\nthe person's\n" || len(r.Changed) > 0 {
		t.Errorf("the next command: %+v", r)
	}
}

// TestASavedFileThatACommandHasTouched reads as it was saved, although the command has written it, with the text that it had.
func TestASavedFileThatACommandHasTouched(t *testing.T) {
	w := commands(t, map[string]string{"a.txt": "old\n"})
	if r := w.run(`"sed -i s/none/none/ a.txt"`); !r.Passed || len(r.Changed) > 0 {
		t.Errorf("touched: %+v", r)
	}
	w.write("a.txt", "new\n")
	if r := w.run(`"cat a.txt"`); r.Output != "new\n" || len(r.Changed) > 0 {
		t.Errorf("the next command: %+v", r)
	}
}

// TestVeryManyChangesAreAskedFor answers once with no, and once with yes.
func TestVeryManyChangesAreAskedFor(t *testing.T) {
	w := commands(t, map[string]string{"a.txt": "a\n"})
	const many = `"for i in $(seq 201); do echo $i > f$i.txt; done"`
	r := w.run(many)
	if len(w.asked) != 2 || !w.asked[1].OnlyOnce || !strings.Contains(w.asked[1].Title, "201 files") || len(r.Changed) != 50 {
		t.Fatalf("asked %+v; %d files", w.asked, len(r.Changed))
	}
	w = commands(t, map[string]string{"a.txt": "a\n"})
	w.answers = []bool{true, false}
	r = w.run(many)
	if _, err := w.deps.Edits.Staging.View(edits.Turn{ID: w.turn}).Read(t.Context(), w.path("f1.txt")); err == nil ||
		!strings.Contains(r.Changed[0].Left, "so many") {
		t.Errorf("%v, %+v", err, r.Changed[0])
	}
	for _, tt := range []struct{ script, want string }{
		{"cat f1.txt", ""},
		{"echo one > one.txt", "one.txt created\n"},
		{"echo other > f1.txt; rm f2.txt", "f1.txt created\n"},
	} {
		w.asked, w.answers = nil, nil
		if r := w.run(line(tt.script)); w.changes(r) != tt.want || !r.Passed || len(w.asked) > 1 {
			t.Errorf("%s: changed %q, asked %+v", tt.script, w.changes(r), w.asked)
		}
	}
	w.answers = []bool{true, false}
	if r = w.run(`"head -c 3000000 /dev/zero | tr '\\0' 'x' | fold -w 99 > large.txt"`); len(w.asked) != 3 || len(r.Changed) != 1 {
		t.Errorf("three megabytes: asked %+v, changed %q", w.asked, w.changes(r))
	}
}

// TestTheFolderOfGitIsNoPartOfAProposal has commands write in repositories: the folder's own, which they can only read, and
// those that they make.
func TestTheFolderOfGitIsNoPartOfAProposal(t *testing.T) {
	w := commands(t, map[string]string{"a.txt": "a\n", "nested/.git/config": "[core]\n", "nested/b.txt": "b\n"})
	for _, tt := range []struct{ script, want string }{
		{"git init -q . && git add -A && echo x > .git/hooks/pre-commit && test -e .git/config", ""},
		{"mkdir -p sub/.git/hooks && echo x > sub/.git/hooks/post-checkout && echo y > sub/y", "sub/y created\n"},
		{"echo owned > nested/.git/config && echo x > nested/.git/hook && rm -r nested/.git", ""},
		{"mkdir linked && echo 'gitdir: /tmp/evil' > linked/.git && mkdir .GIT && echo x > .GIT/config", ""},
		{"mv nested/b.txt .git/b.txt && mv .git/config config", "config created\nnested/b.txt deleted\n"},
	} {
		if r := w.run(line(tt.script)); !r.Passed || w.changes(r) != tt.want {
			t.Errorf("%s: changed %q, %+v", tt.script, w.changes(r), r)
		}
	}
	if text, err := os.ReadFile(w.path("nested/.git/config")); err != nil || string(text) != "[core]\n" {
		t.Errorf("the folder has %q, %v", text, err)
	}
	if _, err := os.Stat(w.path(".git")); err == nil {
		t.Error("the folder has become a repository")
	}
}

// TestWhatACommandPrintsIsStreamedPlain has sequences of terminals and characters that come in pieces.
func TestWhatACommandPrintsIsStreamedPlain(t *testing.T) {
	w := commands(t, map[string]string{"a.txt": "a\n"})
	w.deps.RunTrial = func(_ context.Context, t tools.Trial) (tools.TrialResult, error) {
		for _, piece := range []string{"a \x1b[3", "1mred\x1b(B \xc3", "\xb6\x1b]0;ti", "tle\a end\x1b["} {
			if _, err := t.Output.Write([]byte(piece)); err != nil {
				return tools.TrialResult{}, err
			}
		}
		return tools.TrialResult{}, nil
	}
	w.set = tools.New(w.deps)
	r := w.run(`"true"`)
	if want := "a red ö end"; w.printed != want || r.Output != want {
		t.Errorf("people saw %q, the model %q; want %q", w.printed, r.Output, want)
	}
}

// TestTheSecretsThatACommandPrintsAreKnown, so that a part of one that is shown later is hidden, too.
func TestTheSecretsThatACommandPrintsAreKnown(t *testing.T) {
	w := commands(t, map[string]string{"a.txt": "a\n"})
	result := w.call("run_command", `{"command":"printf 'password = \"%s%s\"\\n' hunter2 Zebra77"}`)
	if !slices.Contains(result.Secrets, "hunter2Zebra77") {
		t.Errorf("%q: known are %q", result.Content, result.Secrets)
	}
}

// TestACommandThatCannotRunSaysWhy has one sentence that a model can act on for each reason.
func TestACommandThatCannotRunSaysWhy(t *testing.T) {
	w := commands(t, map[string]string{"a.txt": "a\n", "plain.sh": "echo hi\n"})
	for arguments, want := range map[string]string{
		`{"command":["nonesuch-program","x"]}`:  "there is no program nonesuch-program in the sandbox",
		`{"command":["./plain.sh","x"]}`:        "./plain.sh is not executable",
		`{"command":[]}`:                        "the command is empty",
		`{"command":" "}`:                       "the command is empty",
		`{"command":["","x"]}`:                  "the command is empty",
		`{"command":["a\u0000b"]}`:              "the command contains a NUL byte",
		`{"command":["true"],"dir":"../.."}`:    "outside",
		`{"command":["true"],"dir":"nonesuch"}`: "there is no folder nonesuch",
		`{"command":["true"],"dir":"a.txt"}`:    "there is no folder a.txt",
		`{"command":["true"],"timeout":-1}`:     "not a time that a command may take",
		`{"command":["true"],"timeout":"soon"}`: "timeout",
		`{"command":["true"],"timeout":1.5}`:    "timeout",
		`{"command":["true"],"timeout":100000}`: "not a time that a command may take",
	} {
		result := w.call("run_command", arguments)
		if result.OK || !strings.Contains(string(result.Content), want) {
			t.Errorf("%s: %s, want %q", arguments, result.Content, want)
		}
	}
	r := w.call("run_command", `{"command":"echo begun; sleep 300","timeout":1}`)
	if content := string(r.Content); !strings.Contains(content, "stopped after 1s, its time limit") ||
		!strings.Contains(content, "begun") {
		t.Errorf("%s", r.Content)
	}
	if r := w.run(`"nonesuch-program"`); r.Ended != "exit status 127" || !strings.Contains(r.Output, "not found") {
		t.Errorf("in a shell: %+v", r)
	}
}

// TestWithoutASandboxEachCommandIsAskedFor, and the question says why. It runs in the folder.
func TestWithoutASandboxEachCommandIsAskedFor(t *testing.T) {
	w := commands(t, map[string]string{"a.txt": "a\n"})
	run := w.deps.RunTrial
	w.deps.RunTrial = func(context.Context, tools.Trial) (tools.TrialResult, error) {
		return tools.TrialResult{}, &sandbox.LaunchError{Reason: "bubblewrap (bwrap) is not installed"}
	}
	w.set = tools.New(w.deps)
	r := w.run(`"echo b > a.txt"`)
	if asked := w.asked[len(w.asked)-1]; !asked.OnlyOnce || !strings.Contains(asked.Detail, "bwrap") ||
		!strings.Contains(asked.Title, "WITHOUT a sandbox") {
		t.Errorf("asked %+v", w.asked)
	}
	if data, err := os.ReadFile(w.path("a.txt")); err != nil || string(data) != "b\n" || !strings.Contains(r.Note, "saved files") {
		t.Errorf("%q, %v, %+v", data, err, r)
	}
	w.deps.RunTrial, w.asked = run, nil
	w.set = tools.New(w.deps)
	testInAWeakerSandbox(t, w)
}

// testInAWeakerSandbox has no bubblewrap: the question says what the kernel alone does not keep a command from.
func testInAWeakerSandbox(t *testing.T, w *world) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := os.Symlink(sh, bin+"/sh"); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	w.run(`"echo c > a.txt"`)
	if len(w.asked) != 1 || !w.asked[0].OnlyOnce || !strings.Contains(w.asked[0].Title, "weaker") ||
		!strings.Contains(w.asked[0].Detail, "can change permissions") {
		t.Errorf("asked %+v", w.asked)
	}
	if data, err := os.ReadFile(w.path("a.txt")); err != nil || string(data) != "b\n" {
		t.Errorf("%q, %v", data, err)
	}
}

// TestANetworkIsAskedForByItself, since what is in the copy can leave the machine.
func TestANetworkIsAskedForByItself(t *testing.T) {
	w := commands(t, map[string]string{"a.txt": "a\n"})
	w.call("run_command", `{"command":["true","x"],"network":true}`)
	w.call("run_command", `{"command":["true","x"]}`)
	if len(w.asked) != 2 || w.asked[0].Key == w.asked[1].Key || w.asked[0].Key == w.asked[1].Exact.Key ||
		!strings.Contains(w.asked[0].Title, "network") {
		t.Errorf("asked %+v", w.asked)
	}
	for network, words := range map[sandbox.Network]string{sandbox.HostLoopback: "servers of this machine", sandbox.HostNetwork: "the network"} {
		w.deps.Network = func() sandbox.Network { return network }
		w.set, w.asked = tools.New(w.deps), nil
		w.call("run_command", `{"command":["true","x"]}`)
		if len(w.asked) != 1 || !strings.Contains(w.asked[0].Title, words) {
			t.Errorf("with %q in the settings: asked %+v", words, w.asked)
		}
	}
}
