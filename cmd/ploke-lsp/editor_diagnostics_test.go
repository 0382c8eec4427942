package main

import (
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
)

// TestAnAgentSeesTheDiagnosticsOfTheEditor runs an editor's server and an agent's as processes. Without the editor the
// agent is told that there may be others.
func TestAnAgentSeesTheDiagnosticsOfTheEditor(t *testing.T) {
	state, root := t.TempDir(), manyFiles(t, 1)
	broken := protocol.Diagnostic{Message: protocol.String("undeclared name: y"), Severity: protocol.DiagnosticSeverityError}
	broken.Range.Start.Line, broken.Range.End.Line = 3, 3
	editing := serve(t, state)
	editor := lsptest.Connect(t, editing, lsptest.Options{Roots: []string{root}, Capabilities: lsptest.WithDiagnostics(lsptest.Capabilities()),
		Diagnostics: []ploke.DocumentDiagnostics{{URI: uri.File(filepath.Join(root, "file0.go")), Diagnostics: []protocol.Diagnostic{broken}}}})
	editor.AwaitIndex()
	server := program(t, "mcp", "--workspace", root, "--state-dir", state)
	agent, err := sdk.NewClient(&sdk.Implementation{Name: "agent"}, nil).Connect(t.Context(), &sdk.CommandTransport{Command: server}, nil)
	check(t, err)
	defer agent.Close()
	diagnostics := func() string {
		t.Helper()
		result, err := agent.CallTool(t.Context(), &sdk.CallToolParams{Name: "diagnostics", Arguments: map[string]any{"path": "file0.go"}})
		check(t, err)
		return result.Content[0].(*sdk.TextContent).Text
	}
	if got := diagnostics(); !strings.Contains(got, "undeclared name: y") || !strings.Contains(got, "file0.go") {
		t.Errorf("the agent gets %s", got)
	}
	stop(t, editing, editor)
	if got := diagnostics(); strings.Contains(got, "undeclared") || !strings.Contains(got, "has reported so far") {
		t.Errorf("without an editor the agent gets %s", got)
	}
}
