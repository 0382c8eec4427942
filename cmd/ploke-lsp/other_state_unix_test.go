//go:build linux || darwin

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/lsp/lsptest"
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
	return mcpClient{t, session, cmd}
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
