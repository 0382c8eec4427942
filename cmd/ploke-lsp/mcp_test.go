package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ploke-lsp/internal/testbed"
)

// realClientReport is what mcp/realclient/client.mjs prints.
type realClientReport struct {
	Tools                                  []string
	Miss, Wrong, Written, Agreed, Declined realCall
	Status, Moved, Deleted                 realCall
	Questions, Resources, Templates        []string
	Diff, File                             string
	Checked                                int
}

type realCall struct {
	Text   string
	Failed bool
}

// mcpClients returns the folder into which scripts/install-mcp-client.sh has put the protocol's own programs: that
// in PLOKE_TEST_MCP_CLIENT, or the one that make uses.
func mcpClients(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(cmp.Or(os.Getenv("PLOKE_TEST_MCP_CLIENT"), filepath.Join("..", "..", "build", "mcp-client")))
	if err != nil {
		t.Fatal(err)
	}
	testbed.File(t, "the protocol's own programs", filepath.Join(dir, "node_modules", "installed-lock.json"))
	return dir
}

// TestTheOfficialClient runs the clients of the protocol's TypeScript libraries over both transports.
func TestTheOfficialClient(t *testing.T) {
	node, installed := testbed.Program(t, "node"), mcpClients(t)
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		for _, transport := range []string{"stdio", "http"} {
			t.Run(version+" "+transport, func(t *testing.T) {
				root := t.TempDir()
				for name, text := range map[string]string{
					"greet.go": "package greet\n\n// Hello greets somebody.\nfunc Hello(name string) string { return \"hello \" + name }\n",
					"Makefile": "one:\n\techo one\ntwo:\n\techo two\n",
				} {
					if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				server := []string{"ploke-lsp", "mcp", "--workspace", root, "--state-dir", t.TempDir(), "--apply"}
				arguments := append([]string{"stdio"}, server...)
				if transport == "http" {
					url, token := serveMCP(t, server)
					arguments = []string{"http", url, token}
				}
				runRealClient(t, node, append([]string{installed, version}, arguments...)).check(t, root)
			})
		}
	}
}

// runRealClient runs the client and returns what it prints.
func runRealClient(t *testing.T, node string, arguments []string) *realClientReport {
	t.Helper()
	client := exec.CommandContext(t.Context(), node,
		append([]string{filepath.Join("..", "..", "mcp", "realclient", "client.mjs")}, arguments...)...)
	client.Env = ofMCPClient(t) // which it passes on
	var out, problems bytes.Buffer
	client.Stdout, client.Stderr = &out, &problems
	if err := client.Run(); err != nil {
		t.Fatalf("%v: %s%s", err, out.String(), problems.String())
	}
	report := &realClientReport{}
	if err := json.Unmarshal(out.Bytes(), report); err != nil {
		t.Fatalf("%v: %s", err, out.String())
	}
	return report
}

func (r *realClientReport) check(t *testing.T, root string) {
	t.Helper()
	if len(r.Tools) != 11 || r.Checked < 30 || len(r.Questions) != 2 {
		t.Errorf("%+v", r)
	}
	if len(r.Resources) != 3 || len(r.Templates) != 2 || !strings.Contains(r.Diff, "--- a/greet.go\n") ||
		!strings.Contains(r.File, `return "hi "`) {
		t.Errorf("the resources are %q and %q, the first is %s, the file %s", r.Resources, r.Templates, r.Diff, r.File)
	}
	for _, tt := range []struct {
		call   realCall
		failed bool
		text   string
	}{
		{r.Miss, true, "there is no file nothing.go\npath: "},
		{r.Wrong, true, "error: "},
		{r.Written, false, "\nwritten"},
		{r.Agreed, false, "the person agreed"},
		{r.Declined, false, "the person declined"},
		{r.Status, false, "rejected: "},
		{r.Moved, false, "\nwritten"},
		{r.Deleted, false, "\nwritten"},
	} {
		if tt.call.Failed != tt.failed || !strings.Contains(tt.call.Text, tt.text) {
			t.Errorf("%+v, want %q", tt.call, tt.text)
		}
	}
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if want := "one:\n\techo agreed\ntwo:\n\techo two\n"; err != nil || string(makefile) != want {
		t.Errorf("the Makefile is %q, %v", makefile, err)
	}
}

var servedAt = regexp.MustCompile(`serving MCP at (\S+); the token is in (.+)\n`)

// serveMCP starts a server over HTTP and returns its address and token.
func serveMCP(t *testing.T, arguments []string) (url, token string) {
	t.Helper()
	server := exec.Command(arguments[0], append(arguments[1:], "--http", "127.0.0.1:0")...)
	server.Env = ofTerminal(t)
	messages, err := server.StderrPipe()
	if err == nil {
		err = server.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Process.Signal(os.Interrupt); err != nil {
			t.Error(err)
		}
		server.Wait() // it was interrupted
	})
	line := make([]byte, 1000)
	n, err := io.ReadAtLeast(messages, line, 1)
	if err != nil {
		t.Fatal(err)
	}
	found := servedAt.FindSubmatch(line[:n])
	if found == nil {
		t.Fatalf("the server says %s", line[:n])
	}
	content, err := os.ReadFile(string(found[2]))
	if err != nil {
		t.Fatal(err)
	}
	return string(found[1]), strings.TrimSpace(string(content))
}
