package acp_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"ploke-lsp/acp/acptest"
	"ploke-lsp/acp/protocol"
	"ploke-lsp/internal/sandbox"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/tools/mcpclient/mcptest"
)

func TestMain(m *testing.M) {
	sandbox.Enter()
	mcptest.ServeIfAsked()
	os.Exit(m.Run())
}

// TestMCPServersOfTheClient calls a tool of a server that the client passes, which is a real process. Another session
// does not have it.
func TestMCPServersOfTheClient(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	f := newFixture(t)
	f.useModel(call("c1", "My-server-__say", `{"text":"hello"}`), llmtest.Turn{Text: []string{"said"}, Check: func(r *llmtest.Request) error {
		if !strings.Contains(r.Last().Content, "you said: hello") {
			return fmt.Errorf("the tool returned %q", r.Last().Content)
		}
		return nil
	}}, llmtest.Turn{Text: []string{"no"}, Check: func(r *llmtest.Request) error {
		for _, tool := range r.Tools {
			if strings.HasPrefix(tool.Function.Name, "My-server") {
				return fmt.Errorf("another session has %s", tool.Function.Name)
			}
		}
		return nil
	}})
	c := f.start(acptest.Options{OnPermission: choose("allowOnce")})
	params := acptest.Params("", f.root)
	params.MCPServers = []protocol.MCPServer{{Name: "My server!", Command: self, Args: []string{}, Env: []protocol.NameValue{{Name: mcptest.Role, Value: "good"}}}}
	var r protocol.SessionResponse
	c.Call(protocol.MethodSessionNew, params, &r)
	c.Prompt(r.SessionID, "Say hello.")
	if calls := c.ToolCalls(r.SessionID); len(calls) != 1 || calls[0].Status != protocol.StatusCompleted ||
		calls[0].ToolKind != protocol.KindOther || len(c.Asked()) != 1 {
		t.Errorf("%+v, and %d questions", calls, len(c.Asked()))
	}
	c.Prompt(c.New(f.root), "Say hello.")

	for what, servers := range map[string][]protocol.MCPServer{
		"sse":             {{Name: "a", Type: "sse", URL: "http://127.0.0.1:1", Headers: []protocol.NameValue{{Name: "x", Value: "y"}}}},
		"two MCP servers": {params.MCPServers[0], params.MCPServers[0]},
	} {
		params.MCPServers = servers
		if err := c.Error(protocol.MethodSessionNew, params); err.Code != protocol.CodeInvalidParams || !strings.Contains(err.Message, what) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
