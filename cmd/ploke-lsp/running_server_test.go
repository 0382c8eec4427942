package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ploke-lsp/internal/store"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/lsp/lsptest"
	"ploke-lsp/project"
)

// commandLine runs commands on a folder.
type commandLine struct {
	t           *testing.T
	state, root string
}

// run returns what a command prints.
func (c commandLine) run(command string, args ...string) (stdout, stderr string) {
	c.t.Helper()
	cmd := program(c.t, append([]string{command, "--state-dir", c.state, "--workspace", c.root}, args...)...)
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	cmd.Run() // what is printed is checked
	return out.String(), problems.String()
}

func (c commandLine) write(name, text string) (path string) {
	c.t.Helper()
	path = filepath.Join(c.root, name)
	check(c.t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

const newcomer = "package p\n\nfunc Newcomer() {}\n"

// TestTheCommandLineAsksARunningServer has an editor's server that trusts the editor to report changes. What a
// command prints shows who has answered: the server does not look for what was not reported.
func TestTheCommandLineAsksARunningServer(t *testing.T) {
	c := commandLine{t, t.TempDir(), manyFiles(t, 3)}
	server, editor := startServer(t, c.state, c.root)
	editor.AwaitIndex()
	editor.Await("the watcher", func() bool { return editor.Watches(filepath.Join(c.root, "a.go")) })
	editor.Ask("where is File0") // it waits for the scan that follows the registration
	finds := func(want bool, command string, args ...string) {
		t.Helper()
		out, problems := c.run(command, args...)
		if strings.Contains(out, "Newcomer(") != want {
			t.Errorf("%s %q prints %q and %q; Newcomer is wanted: %v", command, args, out, problems, want)
		}
	}
	path := c.write("new.go", newcomer)
	commands := [][]string{{"search", "Newcomer"}, {"symbol", "Newcomer"}, {"context", "what does Newcomer do"}}
	for _, args := range commands {
		finds(false, args[0], args[1:]...)
	}
	editor.DiskChanged(path)
	for _, args := range commands {
		finds(true, args[0], args[1:]...)
	}
	if out, _ := c.run("outline", "new.go"); !strings.Contains(out, "3 function Newcomer") {
		t.Errorf("outline prints %q", out)
	}
	editor.OpenText(path, strings.ReplaceAll(newcomer, "Newcomer", "Typed"))
	if out, _ := c.run("search", "Typed"); !strings.Contains(out, "new.go:3  function Typed") {
		t.Errorf("unsaved text is not found: %s", out)
	}
	if out, problems := c.run("symbol", "Nothing"); out != "" || !strings.Contains(problems, "ploke-lsp symbol: no symbol Nothing") {
		t.Errorf("a failure prints %q and %q", out, problems)
	}

	c.write("later.go", strings.ReplaceAll(newcomer, "Newcomer", "Latecomer"))
	suspend(t, server.Process.Pid)
	if out, problems := c.run("symbol", "Latecomer"); !strings.Contains(out, "Latecomer") {
		t.Errorf("while the server is suspended, symbol prints %q and %q", out, problems)
	}
	check(t, server.Process.Kill())
	server.Wait()
	if out, problems := c.run("symbol", "Latecomer"); !strings.Contains(out, "Latecomer") {
		t.Errorf("after the server was killed, symbol prints %q and %q", out, problems)
	}
}

// TestWhoAnswersForSeveral has servers that must not answer for a folder: two editors, each of which has only its
// own unsaved text, and one that has another folder open, too.
func TestWhoAnswersForSeveral(t *testing.T) {
	c := commandLine{t, t.TempDir(), manyFiles(t, 1)}
	type open struct {
		process *process
		editor  *lsptest.Editor
	}
	var editors []open
	for _, name := range []string{"First", "Second"} {
		p, e := startServer(t, c.state, c.root)
		e.AwaitIndex()
		e.OpenText(filepath.Join(c.root, name+".go"), "package p\n\nfunc "+name+"() {}\n")
		editors = append(editors, open{p, e})
	}
	for _, name := range []string{"First", "Second"} {
		await(t, name, "function "+name, func() string {
			out, _ := c.run("search", name)
			return out
		})
	}
	for _, o := range editors {
		stop(t, o.process, o.editor)
	}
	other := manyFiles(t, 1)
	check(t, os.WriteFile(filepath.Join(other, "other.go"), []byte("package p\n\nfunc Elsewhere() {}\n"), 0o600))
	p := serve(t, c.state)
	e := lsptest.Connect(t, p, lsptest.Options{Roots: []string{c.root, other}})
	e.AwaitIndex()
	if out, _ := c.run("search", "Elsewhere"); strings.Contains(out, "Elsewhere") {
		t.Errorf("a folder that was not asked about is searched: %s", out)
	}
	stop(t, p, e)
}

// TestQuestionsOnlyRead asks for what changes something.
func TestQuestionsOnlyRead(t *testing.T) {
	p, _ := openTwin(t, t.TempDir(), manyFiles(t, 1))
	for _, command := range []string{"edit", "apply_code_edit", "accept", "proposals", "ask", "index", "ledger", "create_file", "run_check", ""} {
		if got, err := answer(t.Context(), p, project.Question{Command: command, Arguments: []byte(`{}`)}); err == nil {
			t.Errorf("%s: the answer is %s", command, got)
		}
	}
}

// TestSearchWithoutAServer searches the index as it is, which is said to be old, and is brought up to date for
// the next search. Each hit is as its file is now.
func TestSearchWithoutAServer(t *testing.T) {
	c := commandLine{t, t.TempDir(), manyFiles(t, 2)}
	if out, problems := c.run("search", "File0"); !strings.Contains(out, "function File0") || problems != "" {
		t.Fatalf("the first search prints %q and %q", out, problems)
	}
	t.Cleanup(func() { // the process that scans may not have ended
		testbed.Eventually(t, func() bool { return os.RemoveAll(c.state) == nil }, func() string { return "the state can't be removed" })
	})
	root, err := filepath.EvalSymlinks(c.root)
	check(t, err)
	mark := filepath.Join(store.Folder(c.state, root), "scanned")
	age := func() time.Duration {
		info, err := os.Stat(mark)
		check(t, err)
		return time.Since(info.ModTime())
	}
	c.write("new.go", newcomer)
	c.write("file0.go", "package p\n\n// It has moved.\nfunc File0() {}\n")
	c.write("file1.go", "package p\n")
	if out, problems := c.run("search", "Newcomer"); strings.Contains(out, "Newcomer") ||
		problems != "ploke-lsp: nothing was found for \"Newcomer\"\n" {
		t.Errorf("a new file right after a scan: %q and %q", out, problems)
	}
	if out, _ := c.run("search", "File0"); !strings.Contains(out, "file0.go:4  function File0") {
		t.Errorf("a hit is not as its file: %q", out)
	}
	if out, _ := c.run("search", "File1"); strings.Contains(out, "function File1") {
		t.Errorf("what its file does not have any more: %q", out)
	}
	if out, _ := c.run("search", "--fresh", "Newcomer"); !strings.Contains(out, "new.go:3  function Newcomer") {
		t.Errorf("--fresh prints %q", out)
	}
	c.write("late.go", strings.ReplaceAll(newcomer, "Newcomer", "Latecomer"))
	old := time.Now().Add(-3 * time.Hour)
	check(t, os.Chtimes(mark, old, old))
	out, problems := c.run("search", "Latecomer")
	if strings.Contains(out, "Latecomer") || !strings.Contains(problems, "the index is 3 hours old") ||
		!strings.Contains(problems, "--fresh") {
		t.Errorf("with an old index, search prints %q and %q", out, problems)
	}
	testbed.Eventually(t, func() bool { return age() <= time.Hour }, func() string { return "nothing scans the disk afterwards" })
	if out, problems := c.run("search", "Latecomer"); !strings.Contains(out, "function Latecomer") || problems != "" {
		t.Errorf("after the scan, search prints %q and %q", out, problems)
	}
}
