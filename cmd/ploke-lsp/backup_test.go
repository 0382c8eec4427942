package main

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
)

// TestRestoreWaitsForTheServersEnd runs backup and restore while a server process runs:
// restore fails until the server has ended.
func TestRestoreWaitsForTheServersEnd(t *testing.T) {
	state, file := t.TempDir(), filepath.Join(t.TempDir(), "saved.db")
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	do := func(args ...string) (code int, output string) {
		var out bytes.Buffer
		code = run(t.Context(), append(args, "--state-dir", state, "--workspace", root, file), environment{
			stdin: io.NopCloser(strings.NewReader("")), stdout: &out, stderr: &out, getenv: func(string) string { return "" }})
		return code, out.String()
	}
	p := serve(t, state)
	e := lsptest.Connect(t, p, lsptest.Options{Roots: []string{root}})
	e.Call(ploke.MethodChatCreate, ploke.ChatCreateParams{Title: "saved"}, &ploke.ChatCreateResult{})
	if code, output := do("backup"); code != 0 {
		t.Fatalf("backup: %s", output)
	}
	e.Call(ploke.MethodChatCreate, ploke.ChatCreateParams{Title: "later"}, &ploke.ChatCreateResult{})
	if code, output := do("restore"); code != 1 || !strings.Contains(output, "is in use: close the editors") {
		t.Fatalf("restore while a server runs: exit status %d: %s", code, output)
	}
	e.Shutdown()
	if err := p.Wait(); err != nil {
		t.Fatal(err)
	}
	if code, output := do("restore"); code != 0 {
		t.Fatalf("restore: %s", output)
	}
	e = lsptest.Connect(t, serve(t, state), lsptest.Options{Roots: []string{root}})
	var list ploke.ChatListResult
	e.Call(ploke.MethodChatList, nil, &list)
	if len(list.Conversations) != 1 || list.Conversations[0].Title != "saved" {
		t.Errorf("the conversations are %+v", list.Conversations)
	}
	e.Shutdown()
}
