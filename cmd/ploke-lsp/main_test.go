package main

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"ploke-lsp/internal/sandbox"
	"ploke-lsp/internal/store"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/tools/mcpclient/mcptest"
)

func TestMain(m *testing.M) {
	sandbox.Enter()
	testscript.Main(tests{m},
		map[string]func(){"ploke-lsp": main, "neighbor": func() { io.Copy(io.Discard, os.Stdin) }, "mcp-server": mcptest.ServeIfAsked,
			"connected": stayConnected})
}

// stayConnected connects to the address in its argument and ends with the connection, by which a test sees whether it runs.
func stayConnected() {
	conn, err := net.Dial("tcp", os.Args[1])
	if err == nil {
		_, err = io.Copy(io.Discard, conn)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

// tests are all tests, and what is removed after them.
type tests struct{ *testing.M }

func (t tests) Run() int {
	forgetRunner()
	code := t.M.Run()
	if err := removeNames(); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	return code
}

// TestScripts runs the scripts of testdata/script with the real program.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("PLOKE_STATE_DIR", filepath.Join(env.WorkDir, ".state"))
			env.Setenv("PROGRAMS", filepath.SplitList(env.Getenv("PATH"))[0]) // ploke-lsp and the other programs of these tests
			account, err := user.Current()
			if err != nil {
				return err
			}
			env.Setenv("ACCOUNT_HOME", account.HomeDir)
			env.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+filepath.Join(env.WorkDir, "no-bus")) // no access to the machine's keyring
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"awkward-files":   awkwardFiles,
			"block-index":     blockIndex,
			"copy-of-upgrade": copyOfUpgrade,
			"damage-index":    damageIndex,
			"damage-page":     damagePage,
			"damage-state":    damageState,
			"id-beginning":    idBeginning,
			"json":            jsonField,
			"model-server":    modelServer,
			"many-files":      manyFilesCommand,
			"newer-state":     newerState,
			"proposal-id":     proposalID,
			"version":         proposalVersion,
			"settings":        settingsFile,
		},
	})
}

// awkwardFiles creates files in a folder that a txtar archive can't hold.
func awkwardFiles(ts *testscript.TestScript, _ bool, args []string) {
	dir := ts.MkAbs(args[0])
	write := func(name, text string) {
		ts.Check(os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	write("bom.go", "\ufeffpackage p\n\nfunc WithBOM() {}\n")
	write("crlf.go", "package p\r\n\r\nfunc WithCRLF() {}\r\n")
	write("invalid.go", "package p\n\n// \xff\xfe\nfunc WithInvalidUTF8() {}\n")
	write("binary.go", "package p\x00\x01\x02")
	ts.Check(os.Truncate(touch(ts, dir, "huge.go"), 50<<20))
	ts.Check(os.Symlink(".", filepath.Join(dir, "loop")))
	ts.Check(os.Chmod(touch(ts, dir, "unreadable.go"), 0))
	ts.Check(testbed.NamedPipe(filepath.Join(dir, "pipe.go")))
}

// manyFilesCommand creates a folder with a number of Go files: many-files w 200.
func manyFilesCommand(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	ts.Check(os.MkdirAll(ts.MkAbs(args[0]), 0o700))
	ts.Check(writeFiles(ts.MkAbs(args[0]), n))
}

// indexFolder returns the folder that holds the index of dir.
func indexFolder(ts *testscript.TestScript, dir string) string {
	root, err := filepath.EvalSymlinks(ts.MkAbs(dir))
	ts.Check(err)
	return store.Folder(ts.Getenv("PLOKE_STATE_DIR"), root)
}

// damageIndex overwrites the index database of a folder with other data.
func damageIndex(ts *testscript.TestScript, _ bool, args []string) {
	path := filepath.Join(indexFolder(ts, args[0]), "index.db")
	ts.Check(os.WriteFile(path, []byte(strings.Repeat("no database ", 1000)), 0o600))
}

// damagePage flips a bit in each page of the index database of a folder but the first.
func damagePage(ts *testscript.TestScript, _ bool, args []string) {
	const page = 4096
	path := filepath.Join(indexFolder(ts, args[0]), "index.db")
	data, err := os.ReadFile(path)
	ts.Check(err)
	for at := page; at < len(data); at += page {
		data[at+page/2] ^= 1
	}
	ts.Check(os.WriteFile(path, data, 0o600))
}

// blockIndex makes the index of a folder unwritable.
func blockIndex(ts *testscript.TestScript, _ bool, args []string) {
	path := filepath.Join(indexFolder(ts, args[0]), "index.lock")
	ts.Check(os.RemoveAll(path))
	ts.Check(os.MkdirAll(filepath.Join(path, "not empty"), 0o700))
}

func touch(ts *testscript.TestScript, dir, name string) string {
	path := filepath.Join(dir, name)
	ts.Check(os.WriteFile(path, []byte("package p\n"), 0o600))
	return path
}

// jsonField compares a field of the JSON object on standard output, named by its dotted
// path, with a value: json skipped.binary 1.
func jsonField(ts *testscript.TestScript, neg bool, args []string) {
	var value any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &value))
	for key := range strings.SplitSeq(args[0], ".") {
		switch v := value.(type) {
		case map[string]any:
			value = v[key]
		case []any:
			i, err := strconv.Atoi(key)
			ts.Check(err)
			if i >= len(v) {
				ts.Fatalf("%s: the array has only %d elements", args[0], len(v))
			}
			value = v[i]
		default:
			ts.Fatalf("%s: the parent of %q is neither an object nor an array", args[0], key)
		}
	}
	if got := fmt.Sprint(value); (got == args[1]) == neg {
		ts.Fatalf("%s is %s, want %s (negated: %v)", args[0], got, args[1], neg)
	}
}

// modelServer starts a model server with one answer, and sets $MODEL_URL to its address.
func modelServer(ts *testscript.TestScript, _ bool, args []string) {
	server := httptest.NewServer(llmtest.NewScript(llmtest.Turn{Text: args, Usage: llmtest.Usage{Prompt: 9, Completion: 2}}))
	ts.Defer(server.Close)
	ts.Setenv("MODEL_URL", server.URL+"/v1")
}

// settingsFile copies a file of the archive and expands $MODEL_URL in it.
func settingsFile(ts *testscript.TestScript, _ bool, args []string) {
	text := strings.ReplaceAll(ts.ReadFile(args[1]), "$MODEL_URL", ts.Getenv("MODEL_URL"))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o600))
}

// proposalID sets $ID to the id of the proposal that ask printed.
func proposalID(ts *testscript.TestScript, _ bool, _ []string) {
	_, after, ok := strings.Cut(ts.ReadFile("stdout"), "proposals accept ")
	if !ok {
		ts.Fatalf("standard output has no proposal")
	}
	ts.Setenv("ID", strings.Fields(after)[0])
}

// idBeginning sets $BEGINNING to all but the last digit of $ID.
func idBeginning(ts *testscript.TestScript, _ bool, _ []string) {
	id := ts.Getenv("ID")
	ts.Setenv("BEGINNING", id[:len(id)-1])
}

// proposalVersion sets $VERSION to the version of the proposal that show printed.
func proposalVersion(ts *testscript.TestScript, _ bool, _ []string) {
	_, after, ok := strings.Cut(ts.ReadFile("stdout"), "to decide on exactly this: ploke-lsp proposals ")
	if fields := strings.Fields(after); ok && len(fields) == 3 {
		ts.Setenv("VERSION", fields[2])
		return
	}
	ts.Fatalf("standard output has no version")
}

// process is a server process. Its reader and writer are the standard streams.
type process struct {
	io.ReadCloser
	io.WriteCloser
	*exec.Cmd
}

func (p *process) Close() error { return p.WriteCloser.Close() }

// program returns a command that runs this program in a terminal's environment.
func program(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(named(t, "ploke-lsp"), args...)
	cmd.Env = ofTerminal(t)
	return cmd
}

// named returns the path of this test binary under another name. testscript.Main makes it behave
// as the program of that name.
func named(t *testing.T, name string) string {
	t.Helper()
	self, err := os.Executable()
	check(t, err)
	path, err := giveName(t, self, name)
	check(t, err)
	return path
}

// serve starts a server process, as an editor of a desktop does.
func serve(t *testing.T, state string, flags ...string) *process {
	t.Helper()
	return serveIn(t, ofDesktop(t), append([]string{"--state-dir", state}, flags...)...)
}

// serveIn is serve with an environment of its own, and without a state folder unless the flags name one.
func serveIn(t *testing.T, environment []string, flags ...string) *process {
	t.Helper()
	cmd := program(t, append([]string{"serve", "--stdio"}, flags...)...)
	cmd.Env, cmd.Stderr = environment, os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return &process{ReadCloser: out, WriteCloser: in, Cmd: cmd}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// change creates or opens a state.db and runs statements.
func change(t *testing.T, path, statements string) {
	t.Helper()
	db, err := store.Open(t.Context(), path)
	check(t, err)
	check(t, db.Write(t.Context(), func(tx *sql.Tx) error { _, err := tx.Exec(statements); return err }))
	check(t, db.Close())
}

// TestSIGKILL kills the server after an answer. The conversation must exist after a
// restart, and its proposal can still be accepted.
func TestSIGKILL(t *testing.T) {
	state := t.TempDir()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(root, "a.go")
	if err := os.WriteFile(path, []byte("package a\n\nfunc first() {}\n\nfunc second() { first() }\n"), 0o600); err != nil {
		t.Fatal(err)
	}

	p := serve(t, state)
	e := lsptest.Connect(t, p, lsptest.Options{Roots: []string{root}})
	e.AwaitIndex()
	answer := e.Ask("rename first to initial")
	if len(answer.Proposals) != 1 {
		t.Fatalf("no proposal: %s", answer.Text)
	}
	if err := p.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := p.Wait(); err == nil {
		t.Fatal("the killed server ended with exit status 0")
	}

	p = serve(t, state)
	e = lsptest.Connect(t, p, lsptest.Options{Roots: []string{root}})
	e.AwaitIndex()
	var history ploke.ChatHistoryResult
	e.Call(ploke.MethodChatHistory, ploke.ChatHistoryParams{ConversationID: answer.ConversationID}, &history)
	if len(history.Messages) != 2 || history.Messages[1].Text != answer.Text || history.Messages[1].Status != "completed" {
		t.Errorf("the conversation is %+v", history.Messages)
	}
	e.Open(path)
	var decision ploke.ProposalDecision
	e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: answer.Proposals[0]}, &decision)
	if got := e.Text(path); decision.Status != "verified" || strings.Count(got, "initial()") != 2 {
		t.Errorf("%s:\n%s", decision.Status, got)
	}
	e.Shutdown()
	if err := p.Wait(); err != nil {
		t.Errorf("the server ended with: %v", err)
	}
}
