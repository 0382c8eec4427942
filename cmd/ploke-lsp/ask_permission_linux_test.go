package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"ploke-lsp/internal/sandbox"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/session/llm/llmtest"
)

// runsCommand has the programs that a test starts use a model that runs a command, and returns their flags.
func runsCommand(t *testing.T, script string) (flags []string) {
	t.Helper()
	_, err := sandbox.New(nil)
	testbed.Need(t, "bubblewrap", err)
	testbed.UserNamespaces(t)
	arguments, err := json.Marshal(map[string]any{"command": script})
	check(t, err)
	call := llmtest.Turn{Calls: []llmtest.Call{{ID: "one", Name: "run_command", Arguments: string(arguments)}}}
	end := llmtest.Turn{Text: []string{"done"}}
	useTurns(t, call, end, call, end, call, end, call, end)
	return []string{"ask", "--workspace", manyFiles(t, 1), "--state-dir", t.TempDir(), "run it"}
}

// TestAPermissionIsAskedForOnTheTerminal answers no, once, for exactly one command, and always, after which nothing is
// asked.
func TestAPermissionIsAskedForOnTheTerminal(t *testing.T) {
	flags := runsCommand(t, "true")
	for _, tt := range []struct{ typed, want string }{
		{"", "the user rejected it"},
		{"y", "exit status 0"},
		{"e", "exit status 0"},
	} {
		g := onTerminal(t, 200, nil, flags...)
		g.await("may it run commands in a sandbox, on copies of ")
		g.await("sh -c true")
		g.answer("Allow it? y: once, a: always, e: always, exactly this [y/N]", tt.typed)
		g.await(tt.want)
		g.await("done")
		check(t, g.Wait())
	}
	if shown := onTerminal(t, 200, nil, flags...).rest(); strings.Contains(shown, "Allow it?") || !strings.Contains(shown, "exit status 0") {
		t.Errorf("after exactly this was allowed: %s", shown)
	}
}

// TestAPermissionBreaksBetweenWords has a narrow terminal.
func TestAPermissionBreaksBetweenWords(t *testing.T) {
	g := onTerminal(t, 60, nil, runsCommand(t, "true")...)
	g.await("  in a sandbox: it reaches no network and writes none of\r\n  your files; what it changes in the copy is proposed to you\r\n")
	g.answer("Allow it?", "")
	g.await("done")
	check(t, g.Wait())
}

// TestAPermissionIsNotReadFromAPipe pipes "y" into a program that has a terminal. Then the person answers, or presses Ctrl-C.
func TestAPermissionIsNotReadFromAPipe(t *testing.T) {
	flags := runsCommand(t, "true")
	for _, interrupts := range []bool{false, true} {
		master, terminal := terminals(t)
		g := &guided{Cmd: program(t, flags...), t: t, terminal: master}
		in, out, err := os.Pipe()
		check(t, err)
		_, err = out.WriteString("y\n")
		check(t, err)
		out.Close()
		g.Stdin, g.Stdout, g.Stderr = in, terminal, terminal
		g.SysProcAttr = &unix.SysProcAttr{Setsid: true, Setctty: true, Ctty: 1}
		check(t, g.Start())
		terminal.Close()
		g.endAfter(20 * time.Second)
		g.await("Allow it?")
		if interrupts {
			check(t, g.Process.Signal(os.Interrupt))
			if g.Wait(); g.ProcessState.ExitCode() != interrupted {
				t.Errorf("after Ctrl-C it ends with %d", g.ProcessState.ExitCode())
			}
			continue
		}
		_, err = master.WriteString("y\n")
		check(t, err)
		g.await("exit status 0")
		check(t, g.Wait())
	}
}

// TestWithoutATerminalAPermissionIsRejected says what would permit it.
func TestWithoutATerminalAPermissionIsRejected(t *testing.T) {
	flags := runsCommand(t, "true")
	cmd := program(t, flags...)
	cmd.Stdin = strings.NewReader("y\n")
	out, err := cmd.CombinedOutput()
	check(t, err)
	for _, want := range []string{"not permitted, since no terminal is here to ask on: run commands in a sandbox",
		`run "ploke-lsp ask" on a terminal and answer "a"`} {
		if !strings.Contains(string(out), want) {
			t.Errorf("it does not say %q: %s", want, out)
		}
	}
}

// TestWhatIsTypedAheadReachesNoCommand types while a command runs that reads its input, and looks for a terminal.
func TestWhatIsTypedAheadReachesNoCommand(t *testing.T) {
	flags := runsCommand(t, `cat > got.txt; (read line < /dev/tty && echo "$line" >> got.txt) 2> /dev/null; `+
		`cat >> got.txt; test ! -s got.txt && echo nothing came`)
	g := onTerminal(t, 200, nil, flags...)
	g.answer("Allow it? y: once, a: always, e: always, exactly this [y/N]", "y\ntyped ahead")
	g.await("exit status 0")
	g.await("done")
	check(t, g.Wait())
}
