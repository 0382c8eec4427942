package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"ploke-lsp/acp/acptest"
	acpprotocol "ploke-lsp/acp/protocol"
	"ploke-lsp/internal/testbed"
	ploke "ploke-lsp/lsp/protocol"
)

// mcpClient is a client of ploke-lsp mcp, which gets the environment that the SDKs of MCP pass on.
type mcpClient struct {
	t *testing.T
	*sdk.ClientSession
	server *exec.Cmd
}

func startMCP(t *testing.T, state, root string) mcpClient {
	t.Helper()
	cmd := program(t, "mcp", "--apply", "--state-dir", state, "--workspace", root)
	cmd.Env, cmd.Stderr = ofMCPClient(t), os.Stderr
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(),
		&sdk.CommandTransport{Command: cmd}, nil)
	check(t, err)
	t.Cleanup(func() { session.Close() })
	return mcpClient{t, session, cmd}
}

// call returns the text of a tool's result.
func (c mcpClient) call(tool string, arguments map[string]any) (text string) {
	c.t.Helper()
	result, err := c.CallTool(context.WithoutCancel(c.t.Context()), &sdk.CallToolParams{Name: tool, Arguments: arguments})
	check(c.t, err)
	for _, content := range result.Content {
		if one, ok := content.(*sdk.TextContent); ok {
			text += one.Text
		}
	}
	return text
}

// await asks until the answer has a text.
func await(t *testing.T, what, want string, ask func() string) {
	t.Helper()
	got := ""
	testbed.Eventually(t, func() bool { got = ask(); return strings.Contains(got, want) },
		func() string { return fmt.Sprintf("%s: %q is not in %q", what, want, got) })
}

// TestThreeDoorsToOneFolder has an editor, an agent that speaks ACP and an MCP server on one folder. The editor's server has
// the environment of a desktop, the others have only the six variables that MCP clients pass on.
// What is typed in the editor is found through both others. An edit of the open file that one of
// them makes waits in the editor, and all see it once it is accepted there.
func TestThreeDoorsToOneFolder(t *testing.T) {
	state, root := t.TempDir(), manyFiles(t, 3)
	path := filepath.Join(root, "file0.go")
	server, editor := startServer(t, state, root)
	editor.AwaitIndex()
	editor.Open(path)
	mcp := startMCP(t, state, root)
	acp := acptest.StartProcess(t, acptest.Options{}, ofMCPClient(t), program(t).Path, "acp", "--state-dir", state)
	acp.Initialize()
	session := acp.New(root)

	at := strings.Index(editor.Text(path), "return")
	editor.Type(path, at, at, "typedNow(); ")
	search := func(word string) func() string {
		return func() string { return mcp.call("search_text", map[string]any{"pattern": word}) }
	}
	await(t, "MCP", "typedNow()", search("typedNow"))
	ask := func(word string) func() string {
		return func() string {
			acp.Prompt(session, "where is "+word)
			return acp.Said(session, "agent_message_chunk")
		}
	}
	at = len(editor.Text(path))
	editor.Type(path, at, at, "\nfunc TypedThen() {}\n")
	await(t, "ACP", "func TypedThen()", ask("TypedThen"))

	refused := mcp.call("edit", map[string]any{"reason": "count on", "edits": []any{map[string]any{"file": "file0.go", "old": "TypedThen", "new": "Accepted"}}})
	if !strings.Contains(refused, "file0.go is open in the editor; accept it there") {
		t.Errorf("the edit of an open file: %s", refused)
	}
	var waiting ploke.ReviewedProposal
	editor.Await("the proposal in the review", func() bool {
		var review ploke.ReviewResult
		editor.Call(ploke.MethodReview, nil, &review)
		i := slices.IndexFunc(review.Proposals, func(p ploke.ReviewedProposal) bool { return p.Title == "count on" })
		if i >= 0 {
			waiting = review.Proposals[i]
		}
		return i >= 0
	})
	editor.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: waiting.ID}, nil)
	await(t, "MCP", "func Accepted()", search("func Accepted"))
	await(t, "MCP", "verified", func() string { return mcp.call("status", nil) })
	await(t, "ACP", "func Accepted()", ask("Accepted"))
	if disk, err := os.ReadFile(path); err != nil || strings.Contains(string(disk), "Accepted") {
		t.Errorf("the file was written, although it is not saved: %q, %v", disk, err)
	}
	stop(t, server, editor)
	await(t, "MCP", "0 lines", search("func Accepted"))
}

// TestUnsavedTextIsSeenWhateverVariablesAProcessGets types in an editor whose server has the environment of a desktop. An
// MCP server that has only the six variables, and a command in a terminal with a folder of its own for temporary files, find
// the text. The path of the second state folder is too long for sockets.
func TestUnsavedTextIsSeenWhateverVariablesAProcessGets(t *testing.T) {
	for name, state := range map[string]string{
		"in the state folder": t.TempDir(),
		"elsewhere":           filepath.Join(t.TempDir(), strings.Repeat("long", 25)),
	} {
		t.Run(name, func(t *testing.T) {
			root := manyFiles(t, 1)
			server, editor := startServer(t, state, root)
			editor.AwaitIndex()
			editor.OpenText(filepath.Join(root, "file0.go"), "package p\n\nfunc TypedNow() {}\n")
			mcp := startMCP(t, state, root)
			await(t, "MCP", "func TypedNow()", func() string { return mcp.call("search_text", map[string]any{"pattern": "TypedNow"}) })
			await(t, "the command", "function TypedNow", func() string { return search(t, state, root, "TypedNow") })
			stop(t, server, editor)
		})
	}
}

// TestAnEditorWithTwoDoors accepts, through ACP, an edit of a file that is open with unsaved text in an editor with the
// language server. If both are the same editor, it applies the edit to that text. Another one, which has the text on
// disk, or has typed something else, must not write the file.
func TestAnEditorWithTwoDoors(t *testing.T) {
	for name, of := range map[string]func(server, disk string) (client string){
		"of the same editor":       func(server, _ string) string { return server },
		"of two editors":           func(_, disk string) string { return disk },
		"of two editors in change": func(server, _ string) string { return "// Typed elsewhere.\n\n" + server },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			desktop, state, root := ofDesktop(t), t.TempDir(), manyFiles(t, 3)
			path := filepath.Join(root, "file0.go")
			server, editor := startServer(t, state, root)
			editor.AwaitIndex()
			editor.Open(path)
			onDisk, err := os.ReadFile(path)
			check(t, err)
			var client *acptest.Client
			client = acptest.StartProcess(t, acptest.Options{
				Capabilities: acpprotocol.ClientCapabilities{FS: acpprotocol.FileSystemCapabilities{ReadTextFile: true, WriteTextFile: true}},
				OnPermission: func(context.Context, acpprotocol.RequestPermissionRequest) string {
					client.SetText(path, of(editor.Text(path), string(onDisk)))
					return "accept"
				},
				OnWrite: func(path, text string) error {
					editor.Type(path, 0, len(editor.Text(path)), text)
					return nil
				},
			}, desktop, program(t).Path, "acp", "--state-dir", state)
			client.Initialize()
			session := client.New(root)
			editor.Type(path, 0, 0, "// Typed.\n")
			end := len(editor.Text(path))
			editor.Type(path, end, end, "\nfunc TypedThen() {}\n")
			await(t, "ACP", "func TypedThen()", func() string {
				client.Prompt(session, "where is TypedThen")
				return client.Said(session, "agent_message_chunk")
			})

			same := of("same", "") == "same"
			client.Prompt(session, "rename File0 to Renamed")
			if !same {
				client.Await("the refusal", func() bool {
					return strings.Contains(client.Said(session, "agent_thought_chunk"), "file0.go is open in the editor; accept it there")
				})
			}
			text := editor.Text(path)
			if !strings.HasPrefix(text, "// Typed.\n") || strings.Contains(text, "func Renamed") != same {
				t.Errorf("the editor shows %q", text)
			}
			if disk, err := os.ReadFile(path); err != nil || (string(disk) == string(onDisk)) == same {
				t.Errorf("the file reads %q, %v", disk, err)
			}
			stop(t, server, editor)
		})
	}
}
