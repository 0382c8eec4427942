package index_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ploke-lsp/index"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/internal/workspace"
)

// TestOnlyAFailureOfGitIsLogged closes an index while git reads the history, in each of
// its commands. That is not a failure. A command that fails is.
func TestOnlyAFailureOfGitIsLogged(t *testing.T) {
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ command, does, logs string }{
		{"rev-parse", "waits", ""},
		{"rev-list", "waits", ""},
		{"diff-tree", "waits", ""},
		{"rev-list", "fails", "git rev-list: exit status 7: no luck"},
	} {
		t.Run(tt.command+" "+tt.does, func(t *testing.T) {
			root, bin := t.TempDir(), t.TempDir()
			git := func(args ...string) {
				if out, err := exec.Command(real, append([]string{"-C", root, "-c", "user.name=A", "-c", "user.email=a@b.c"}, args...)...).CombinedOutput(); err != nil {
					t.Fatalf("%v: %v: %s", args, err, out)
				}
			}
			git("init", "--quiet")
			git("commit", "--quiet", "--allow-empty", "--message", "Begin")
			started, never := filepath.Join(bin, "started"), filepath.Join(bin, "never")
			for _, pipe := range []string{started, never} {
				testbed.Need(t, "named pipes in folders", testbed.NamedPipe(pipe))
			}
			does := map[string]string{"waits": "echo >" + started + "; read x <" + never,
				"fails": "echo >" + started + "; echo no luck >&2; exit 7"}[tt.does]
			script := fmt.Sprintf("#!/bin/sh\ncase \"$*\" in *%s*) %s;; esac\nexec %s \"$@\"\n", tt.command, does, real)
			testbed.WriteProgram(t, filepath.Join(bin, "git"), strings.NewReader(script))
			t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))

			w, err := workspace.New([]string{root}, workspace.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var log bytes.Buffer
			state := t.TempDir()
			x, err := index.Open(t.Context(), w,
				index.Options{Dir: func(string) string { return state }, Logger: slog.New(slog.NewTextHandler(&log, nil))})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := x.Update(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
			if _, err := os.ReadFile(started); err != nil {
				t.Fatal(err)
			}
			if tt.does == "fails" {
				x.Settle()
			}
			if err := x.Close(); err != nil {
				t.Fatal(err)
			}
			if got := log.String(); tt.logs == "" && got != "" || !strings.Contains(got, tt.logs) {
				t.Errorf("the log is %q", got)
			}
		})
	}
}

// TestAHistoryThatTakesTooMuchIsGivenUp has a git that needs more than it may. The person is told once, and git is not
// asked again.
func TestAHistoryThatTakesTooMuchIsGivenUp(t *testing.T) {
	p := open(t, sample)
	notices := p.reopenWithNotices()
	if err := os.Mkdir(p.path(".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	asked := filepath.Join(bin, "asked")
	script := "#!/bin/sh\necho >>" + asked + "\necho fatal: Out of memory, malloc failed >&2\nexit 128\n"
	testbed.WriteProgram(t, filepath.Join(bin, "git"), strings.NewReader(script))
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	for n := range 3 {
		p.write(fmt.Sprintf("f%d.go", n), "package f\n")
		p.update()
		p.index.Settle()
	}
	if calls, err := os.ReadFile(asked); err != nil || len(calls) != 1 {
		t.Errorf("git was asked %d times, %v", len(calls), err)
	}
	if len(*notices) != 1 || !strings.Contains((*notices)[0], "the history of the repository of "+p.root+" is not used until the next start") {
		t.Errorf("the notices are %q", *notices)
	}
}
