//go:build unix

package tools_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/tools"
)

func sh(script string) tools.Check { return tools.Check{Command: []string{"sh", "-c", script}} }

func TestRunCheck(t *testing.T) {
	t.Setenv("PLOKE_API_KEY", "ours")
	t.Setenv("PROVIDER_KEY", "the provider's")
	t.Setenv("DATABASE", "a database of tests")
	w := checks(t, map[string]tools.Check{
		"passes":   sh("echo out; echo err >&2"),
		"fails":    sh("echo no; exit 3"),
		"is here":  sh("pwd"),
		"knows it": {Command: []string{"printenv", "PWD"}, Env: []string{"PWD"}},
		"no shell": {Command: []string{"echo", "$HOME; exit 1"}},
		"no input": {Command: []string{"cat"}},
		"no keys":  sh("echo $PLOKE_API_KEY$PROVIDER_KEY$DATABASE."),
		"variable": {Command: []string{"sh", "-c", "echo $PROVIDER_KEY$DATABASE."}, Env: []string{"DATABASE"}},
		"colors":   sh(`printf '\033[1;31mred\033[0m \033]0;title\007and\r\n\377'`),
		"killed":   sh("kill -9 $$"),
		"slow":     {Command: []string{"sleep", "300"}, Timeout: 50 * time.Millisecond},
	})
	for name, want := range map[string]ran{
		"passes":   {Passed: true, Ended: "exit status 0", Output: "out\nerr\n"},
		"fails":    {Ended: "exit status 3", Output: "no\n"},
		"knows it": {Passed: true, Ended: "exit status 0", Output: w.root + "\n"},
		"is here":  {Passed: true, Ended: "exit status 0", Output: w.root + "\n"},
		"no shell": {Passed: true, Ended: "exit status 0", Output: "$HOME; exit 1\n"},
		"no input": {Passed: true, Ended: "exit status 0"},
		"no keys":  {Passed: true, Ended: "exit status 0", Output: ".\n"},
		"variable": {Passed: true, Ended: "exit status 0", Output: "a database of tests.\n"},
		"colors":   {Passed: true, Ended: "exit status 0", Output: "red and\n\ufffd"},
		"killed":   {Ended: "signal: killed"},
		"slow":     {Ended: "stopped after 50ms, its time limit"},
	} {
		if diff := cmp.Diff(want, w.check(name)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestACheckSaysWhatItDidNotSee has unsaved text in the editor, and a proposal. The summary leaves the time to front
// ends.
func TestACheckSaysWhatItDidNotSee(t *testing.T) {
	w := checks(t, map[string]tools.Check{"test": sh("true")})
	for _, name := range []string{"a.txt", "b.txt", "saved.txt"} {
		w.write(name, "saved\n")
		w.deps.Workspace.SetBuffer(w.path(name), 1, []byte("saved\n"))
	}
	note := func() string {
		result := w.call("run_check", `{"name":"test"}`)
		if want := "ran test: exit status 0"; result.Summary != want {
			t.Errorf("the summary is %q, want %q", result.Summary, want)
		}
		var r struct{ Note string }
		if err := json.Unmarshal(result.Content, &r); err != nil {
			t.Fatal(err)
		}
		return r.Note
	}
	if got, want := note(), "it ran on the saved files"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	w.deps.Workspace.SetBuffer(w.path("a.txt"), 2, []byte("unsaved\n"))
	if got, want := note(), "it ran on the saved files, without what is unsaved in a.txt"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	w.deps.Workspace.SetBuffer(w.path("b.txt"), 2, []byte("unsaved\n"))
	w.call("create_file", `{"file":"c.txt","content":"new\n"}`)
	const both = "it ran on the saved files, without what is proposed for c.txt, without what is unsaved in a.txt and 1 more file"
	if got := note(); got != both {
		t.Errorf("%q, want %q", got, both)
	}
}

// TestALongOutputIsShownInParts shows the beginning, the end, and between them what looks like an error.
func TestALongOutputIsShownInParts(t *testing.T) {
	const mistakes = "seq 1 60000; echo a.go:3:1: undefined: y; seq 60001 %d; echo FAIL; seq 1 20000"
	w := checks(t, map[string]tools.Check{
		"lines":     sh("seq 1 100000"),
		"line":      sh("head -c 100000 /dev/zero | tr '\\0' x"),
		"errors":    sh(fmt.Sprintf(mistakes, 65000)),
		"very long": sh(fmt.Sprintf(mistakes, 500000)),
		"only them": sh("yes 'error: here' | head -100000"),
	})
	for name, test := range map[string]struct {
		total              int64
		begins, has, final string
	}{
		"lines":     {588895, "1\n2\n3\n", "bytes of output left out…]\n97", "99999\n100000\n"},
		"line":      {100000, "xx", "bytes of output left out…]\nxx", "xx"},
		"errors":    {487716, "1\n2\n3\n", "errors:]\na.go:3:1: undefined: y\nFAIL\n[…]\n", "19999\n20000\n"},
		"very long": {3497716, "1\n2\n3\n", "errors:]\na.go:3:1: undefined: y\nFAIL\n[…]\n", "19999\n20000\n"},
		"only them": {1200000, "error: here\n", "errors:]\nerror: here\n", "error: here\n"},
	} {
		got := w.check(name)
		if shown := int64(len(got.Output)); got.Omitted == 0 || shown > 16<<10+200 || shown+got.Omitted < test.total {
			t.Errorf("%s: %d bytes are shown and %d left out, of %d", name, shown, got.Omitted, test.total)
		}
		if !strings.HasPrefix(got.Output, test.begins) || !strings.HasSuffix(got.Output, test.final) || !strings.Contains(got.Output, test.has) {
			t.Errorf("%s: %q … %q", name, got.Output[:min(3000, len(got.Output))], got.Output[len(got.Output)-20:])
		}
	}
}

// All processes that a check has started end with it: at its time limit, when the call is
// cancelled, and when it leaves one running.
func TestRunCheckLeavesNothingRunning(t *testing.T) {
	const script = "exec 3>pipe; sleep 300 & "
	for name, test := range map[string]struct {
		check tools.Check
		err   error // of the cancelled call
	}{
		"time is up":     {check: tools.Check{Command: []string{"sh", "-c", script + "wait"}, Timeout: 300 * time.Millisecond}},
		"left something": {check: sh(script + "exit 0")},
		"cancelled":      {check: sh(script + "wait"), err: context.Canceled},
	} {
		t.Run(name, func(t *testing.T) {
			w := checks(t, map[string]tools.Check{"it": test.check})
			if err := syscall.Mkfifo(w.path("pipe"), 0o600); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			gone := make(chan error, 1)
			go func() { // the pipe ends when no process holds it open any more
				pipe, err := os.Open(w.path("pipe"))
				if err == nil {
					if test.err != nil {
						cancel()
					}
					_, err = io.ReadAll(pipe)
				}
				gone <- err
			}()
			tool, _ := w.set.Get("run_check")
			if _, err := tool.Run(ctx, w, json.RawMessage(`{"name":"it"}`)); !errors.Is(err, test.err) {
				t.Errorf("the call ended with %v, want %v", err, test.err)
			}
			select {
			case err := <-gone:
				if err != nil {
					t.Error(err)
				}
			case <-time.After(30 * time.Second):
				t.Error("a process of the check still runs")
			}
		})
	}
}

func TestRunCheckAsksFirst(t *testing.T) {
	w := checks(t, map[string]tools.Check{"touch": {Command: []string{"touch", "it's here"}}})
	w.grant = false
	tool, _ := w.set.Get("run_check")
	if _, err := tool.Run(t.Context(), w, json.RawMessage(`{"name":"touch"}`)); !errors.Is(err, tools.ErrDenied) {
		t.Errorf("the call ended with %v, want a denial", err)
	}
	if _, err := os.Stat(w.path("it's here")); err == nil {
		t.Error("it ran although it was not permitted")
	}
	want := []tools.Permission{{Title: "run the check touch", Detail: `touch 'it'\''s here'` + "\nin " + w.root, Key: w.asked[0].Key}}
	if diff := cmp.Diff(want, w.asked); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A permanent answer holds for exactly one command in one folder, however long it is, and the
// person sees all of it.
func TestPermissionOfACheckHoldsForTheWholeCommand(t *testing.T) {
	long := strings.Repeat("long ", 200)
	here, elsewhere := checks(t, nil), checks(t, nil)
	ask := func(w *world, command ...string) tools.Permission {
		w.deps.Checks = func() map[string]tools.Check { return map[string]tools.Check{"it": {Command: command}} }
		w.grant, w.asked = false, nil
		tool, _ := tools.New(w.deps).Get("run_check")
		if _, err := tool.Run(t.Context(), w, json.RawMessage(`{"name":"it"}`)); !errors.Is(err, tools.ErrDenied) {
			t.Fatal(err)
		}
		return w.asked[0]
	}
	asked := ask(here, "echo", long, "good")
	if !strings.Contains(asked.Detail, "good") {
		t.Errorf("the person sees only %s", asked.Detail)
	}
	if again := ask(here, "echo", long, "good"); again.Key != asked.Key {
		t.Errorf("the same command in the same folder has the keys %s and %s", asked.Key, again.Key)
	}
	for what, other := range map[string]tools.Permission{
		"another end":    ask(here, "echo", long, "evil"),
		"another split":  ask(here, "echo", long+"good"),
		"another folder": ask(elsewhere, "echo", long, "good"),
	} {
		if other.Key == asked.Key {
			t.Errorf("%s: the key is the same", what)
		}
	}
}

func TestRunCheckThatCannotRun(t *testing.T) {
	none := checks(t, nil)
	some := checks(t, map[string]tools.Check{"test": sh("exit"), "lint": sh("exit"), "gone": {Command: []string{"no-such-program"}}})
	for _, test := range []struct {
		w              *world
		args, mentions string
	}{
		{none, `{"name":"test"}`, "checks.test.command"},
		{none, `{}`, "checks.test.command"},
		{some, `{}`, `"checks":[{"name":"gone","command":"no-such-program"},{"name":"lint","command":"sh -c exit"},{"name":"test",`},
		{some, `{"name":"tests"}`, `"candidates":[{"name":"test",`},
		{some, `{"name":"gone"}`, `no-such-program`},
	} {
		if result := test.w.call("run_check", test.args); !strings.Contains(string(result.Content), test.mentions) {
			t.Errorf("%s: %s, want %s", test.args, result.Content, test.mentions)
		}
	}
}
