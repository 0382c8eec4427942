//go:build linux

package tools_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ploke-lsp/internal/sandbox"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/project/trials"
	"ploke-lsp/tools"
)

func TestMain(m *testing.M) {
	sandbox.Enter()
	os.Exit(m.Run())
}

// onProposal returns a world with checks that run in a sandbox.
func onProposal(t *testing.T, scripts map[string]string) *world {
	t.Helper()
	configured := map[string]tools.Check{}
	for name, script := range scripts {
		check := sh(script)
		check.OnProposal = true
		configured[name] = check
	}
	w := checks(t, configured)
	w.write("b.txt", "saved\n")
	w.write("c.txt", "saved\n")
	w.sandboxed()
	return w
}

// sandboxed gives a world the sandbox.
func (w *world) sandboxed() {
	t := w.t
	t.Helper()
	_, err := sandbox.New(nil)
	testbed.Need(t, "bubblewrap", err)
	testbed.UserNamespaces(t)
	all := trials.New(filepath.Join(t.TempDir(), "trials"), "one", func(context.Context, string) bool { return true })
	t.Cleanup(func() {
		if err := all.Close(); err != nil {
			t.Error(err)
		}
	})
	w.deps.RunTrial = func(ctx context.Context, run tools.Trial) (tools.TrialResult, error) {
		result, err := all.Run(ctx, trials.Command(run))
		return tools.TrialResult(result), err
	}
	w.deps.ReadTrial, w.deps.LayTrial = all.Read, all.Lay
	w.set = tools.New(w.deps)
}

// TestACheckOnTheProposal sees what is proposed and unsaved, writes nothing in the folder, and goes on where it was.
func TestACheckOnTheProposal(t *testing.T) {
	w := onProposal(t, map[string]string{
		"look": "cat a.go b.txt c.txt new.txt; test ! -e gone.txt; exit 3",
		"make": "echo made >> made.txt; echo written > b.txt; cat made.txt",
	})
	w.write("gone.txt", "gone\n")
	w.call("apply_code_edit", `{"edits":[{"file":"a.go","old":"package a","new":"package proposed"}]}`)
	w.call("create_file", `{"file":"new.txt","content":"new\n"}`)
	w.call("delete_file", `{"file":"gone.txt"}`)
	w.deps.Workspace.SetBuffer(w.path("c.txt"), 1, []byte("unsaved\n"))
	want := ran{Ended: "exit status 3", Output: "package proposed\nsaved\nunsaved\nnew\n"}
	if got := w.check("look"); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	for _, made := range []string{"made\n", "made\nmade\n"} {
		if got, want := w.check("make"), (ran{Passed: true, Ended: "exit status 0", Output: made}); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
	if _, err := os.Stat(w.path("made.txt")); !os.IsNotExist(err) {
		t.Errorf("a check has written in the folder: %v", err)
	}
	for name, text := range map[string]string{"a.go": "package a\n", "b.txt": "saved\n", "c.txt": "saved\n", "gone.txt": "gone\n"} {
		if got, err := os.ReadFile(w.path(name)); err != nil || string(got) != text {
			t.Errorf("%s of the folder is %q, %v", name, got, err)
		}
	}
}

// TestWhatIsPermittedInASandboxIsNotPermittedOutside asks with another key, and says where the command runs.
func TestWhatIsPermittedInASandboxIsNotPermittedOutside(t *testing.T) {
	w := onProposal(t, map[string]string{"make": "true"})
	w.check("make")
	w.deps.Checks = func() map[string]tools.Check { return map[string]tools.Check{"make": sh("true")} }
	w.set = tools.New(w.deps)
	w.check("make")
	if len(w.asked) != 2 || w.asked[0].Key == w.asked[1].Key || w.asked[0].Exact.Key == w.asked[1].Key ||
		!strings.Contains(w.asked[0].Title, "in a sandbox") || strings.Contains(fmt.Sprint(w.asked[1]), "sandbox") {
		t.Errorf("asked %+v", w.asked)
	}
}

// TestACheckOnTheProposalNeedsTheSandbox, and does not run without it.
func TestACheckOnTheProposalNeedsTheSandbox(t *testing.T) {
	w := onProposal(t, map[string]string{"make": "echo made > made.txt"})
	w.deps.RunTrial = func(context.Context, tools.Trial) (tools.TrialResult, error) {
		return tools.TrialResult{}, &sandbox.LaunchError{Reason: "bubblewrap (bwrap) is not installed"}
	}
	w.set = tools.New(w.deps)
	result := w.call("run_check", `{"name":"make"}`)
	if result.OK || !strings.Contains(string(result.Content), "bwrap") {
		t.Errorf("%s", result.Content)
	}
	if _, err := os.Stat(w.path("made.txt")); !os.IsNotExist(err) {
		t.Errorf("the check ran without a sandbox: %v", err)
	}
}
