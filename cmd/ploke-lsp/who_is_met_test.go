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
	"go.lsp.dev/protocol"

	"ploke-lsp/internal/lease"
	"ploke-lsp/internal/store"
	"ploke-lsp/internal/testbed"
	ploke "ploke-lsp/lsp/protocol"
)

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
	began := time.Now()
	var said bytes.Buffer
	run(t.Context(), []string{"doctor", "--state-dir", state, "--workspace", root}, environment{stdin: io.NopCloser(strings.NewReader("")),
		stdout: &said, stderr: io.Discard, getenv: func(string) string { return "" }})
	if !strings.Contains(said.String(), "warn  processes  "+missed) {
		t.Errorf("doctor says %s", &said)
	}
	if took := time.Since(began); took > indexTimeout/2 { // most of it for the rest, on a busy machine
		t.Errorf("doctor took %v", took)
	}
	lock.Close()
	stop(t, server, editor)
}
