//go:build linux || darwin

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.lsp.dev/protocol"

	"ploke-lsp/internal/lease"
	"ploke-lsp/internal/store"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
)

// startMCPIn starts an MCP server that applies edits, with an environment of its own.
func startMCPIn(t *testing.T, environment []string, root string, flags ...string) mcpClient {
	t.Helper()
	cmd := program(t, append([]string{"mcp", "--apply", "--workspace", root}, flags...)...)
	cmd.Env, cmd.Stderr = environment, os.Stderr
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(),
		&sdk.CommandTransport{Command: cmd}, nil)
	check(t, err)
	t.Cleanup(func() { session.Close() })
	return mcpClient{t, session}
}

// TestProcessesMeetWhateverNamesTheirStateFolders has an editor's server and an MCP server without a flag for the state folder,
// which variables of only one of them name. Both see what is typed in the editor, and the file that is open there is not written.
func TestProcessesMeetWhateverNamesTheirStateFolders(t *testing.T) {
	home := t.TempDir()
	at := func(environment []string, variables ...string) []string {
		return slices.Concat(environment, []string{"HOME=" + home}, variables)
	}
	without := func(environment []string, name string) []string {
		return slices.DeleteFunc(slices.Clone(environment), func(v string) bool { return strings.HasPrefix(v, name+"=") })
	}
	six, desktop := ofMCPClient(t), ofDesktop(t)
	for name, tt := range map[string]struct{ editor, mcp []string }{
		"XDG_STATE_HOME of the editor":      {at(desktop, "XDG_STATE_HOME="+t.TempDir()), at(six)},
		"XDG_STATE_HOME of the MCP server":  {at(desktop), at(six, "XDG_STATE_HOME="+t.TempDir())},
		"PLOKE_STATE_DIR of the editor":     {at(desktop, "PLOKE_STATE_DIR="+t.TempDir()), at(six)},
		"PLOKE_STATE_DIR of the MCP server": {at(desktop), at(six, "PLOKE_STATE_DIR="+t.TempDir())},
		"both, each its own":                {at(desktop, "PLOKE_STATE_DIR="+t.TempDir()), at(six, "XDG_STATE_HOME="+t.TempDir())},
		"a path too long for sockets":       {at(desktop, "XDG_STATE_HOME="+filepath.Join(t.TempDir(), strings.Repeat("long", 25))), at(six)},
		"another HOME":                      {at(desktop), append(slices.Clone(six), "HOME="+t.TempDir())},
		"no HOME":                           {at(desktop), append(without(six, "HOME"), "PLOKE_STATE_DIR="+t.TempDir())},
		"no variables":                      {at(desktop), append(kept(append([]string{"PATH"}, ofGo...)...), "PLOKE_STATE_DIR="+t.TempDir())},
	} {
		t.Run(name, func(t *testing.T) {
			root := manyFiles(t, 2)
			path := filepath.Join(root, "file0.go")
			server := serveIn(t, tt.editor)
			editor := lsptest.Connect(t, server, lsptest.Options{Roots: []string{root}})
			editor.AwaitIndex()
			editor.Open(path)
			editor.Type(path, 0, 0, "// TypedNow is not saved.\n")
			onDisk, err := os.ReadFile(path)
			check(t, err)

			mcp := startMCPIn(t, tt.mcp, root)
			await(t, "MCP", "TypedNow", func() string { return mcp.call("search_text", map[string]any{"pattern": "TypedNow"}) })
			editor.OpenText(filepath.Join(root, "new.go"), "package p\n\nfunc Newcomer() {}\n")
			await(t, "search", "function Newcomer", func() string {
				cmd := program(t, "search", "--workspace", root, "Newcomer")
				cmd.Env = tt.mcp
				out, _ := cmd.Output() // what is printed is checked
				return string(out)
			})
			edit := func(to string) string {
				return mcp.call("edit", map[string]any{"reason": "count on", "edits": []any{map[string]any{"file": "file0.go", "old": "x + 0", "new": to}}})
			}
			if refused := edit("x + 100"); !strings.Contains(refused, "file0.go is open in the editor, whose ploke-lsp has another state folder") {
				t.Errorf("the edit of an open file: %s", refused)
			}
			if now, err := os.ReadFile(path); err != nil || string(now) != string(onDisk) {
				t.Errorf("the file was written under the editor: %q, %v", now, err)
			}
			if said := mcp.call("status", nil); !strings.Contains(said, "with another state folder") {
				t.Errorf("status says %s", said)
			}

			editor.Save(path)
			editor.CloseDocument(path)
			said := ""
			testbed.Eventually(t, func() bool {
				said = edit("x + 200")
				now, err := os.ReadFile(path)
				return err == nil && strings.Contains(string(now), "x + 200")
			}, func() string { return "the file is not written after it was closed: " + said })
			stop(t, server, editor)
			await(t, "MCP", "0 lines", func() string { return mcp.call("search_text", map[string]any{"pattern": "Newcomer"}) })
		})
	}
}

// TestEachDoorSaysWhoIsMet has an editor's server, an MCP server and doctor in one folder.
func TestEachDoorSaysWhoIsMet(t *testing.T) {
	state, root := t.TempDir(), manyFiles(t, 1)
	server, editor := startServer(t, state, root)
	editor.AwaitIndex()
	mcp := startMCP(t, state, root)
	here := fmt.Sprintf("process %d (ploke-lsp %s), which has %s open, too", server.Process.Pid, version, root)
	await(t, "status", "; other processes: "+here, func() string { return mcp.call("status", nil) })
	doctor := func(flags ...string) string {
		cmd := program(t, append([]string{"doctor", "--state-dir", state, "--workspace", root}, flags...)...)
		var out bytes.Buffer
		cmd.Stdout = &out
		cmd.Run() // what is printed is checked
		return out.String()
	}
	if said := doctor(); !strings.Contains(said, "ok    processes  "+here) {
		t.Errorf("doctor says %s", said)
	}
	var report doctorReport
	check(t, json.Unmarshal([]byte(doctor("--json")), &report))
	if !slices.ContainsFunc(report.Findings, func(f ploke.Finding) bool {
		return f.What == "processes" && f.Level == "ok" && f.Text == here
	}) {
		t.Errorf("doctor --json says %+v", report.Findings)
	}
	shows := func(words ...string) {
		t.Helper()
		testbed.Eventually(t, func() bool {
			editor.Call(protocol.MethodWorkspaceExecuteCommand, &protocol.ExecuteCommandParams{Command: ploke.CommandIndexStatus}, nil)
			return slices.ContainsFunc(editor.Messages(), func(m protocol.ShowMessageParams) bool {
				return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(m.Message, w) })
			})
		}, func() string { return fmt.Sprintf("the command says %+v, want %q", editor.Messages(), words) })
	}
	shows("; other processes: process ", "which has "+root+" open, too")

	folder := store.Folder(state, root)
	lock := flock.New(filepath.Join(folder, "index.lock"))
	check(t, lock.Lock())
	defer lock.Close()
	writer, err := json.Marshal(lease.Owner{Host: lease.Host(), PID: 1 << 22})
	check(t, err)
	check(t, os.WriteFile(filepath.Join(folder, "index.writer"), writer, 0o600))
	missed := "process 4194304 writes the index of " + root + " and is not met"
	await(t, "status", missed, func() string { return mcp.call("status", nil) })
	shows(missed)
	defer func(usual time.Duration) { indexTimeout = usual }(indexTimeout)
	indexTimeout = time.Second
	var said bytes.Buffer
	run(t.Context(), []string{"doctor", "--state-dir", state, "--workspace", root}, environment{stdin: io.NopCloser(strings.NewReader("")),
		stdout: &said, stderr: io.Discard, getenv: func(string) string { return "" }})
	if !strings.Contains(said.String(), "warn  processes  "+missed) {
		t.Errorf("doctor says %s", &said)
	}
	lock.Close()
	stop(t, server, editor)
}
