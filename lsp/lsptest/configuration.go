package lsptest

import (
	"encoding/json"
	"fmt"

	"go.lsp.dev/protocol"
)

// WithConfiguration adds to c the support of workspace/configuration, and of the dynamic
// registration of workspace/didChangeConfiguration.
func WithConfiguration(c *protocol.ClientCapabilities) *protocol.ClientCapabilities {
	yes := true
	c.Workspace.Configuration = &yes
	c.Workspace.DidChangeConfiguration = &protocol.DidChangeConfigurationClientCapabilities{DynamicRegistration: &yes}
	return c
}

// SetSettings changes the result of workspace/configuration. It waits until the server
// has registered for changes, and then notifies it.
func (e *Editor) SetSettings(section any) {
	e.t.Helper()
	e.Await("the registration of didChangeConfiguration", func() bool {
		return e.Registered(protocol.MethodWorkspaceDidChangeConfiguration)
	})
	e.mu.Lock()
	e.options.Settings = section
	e.mu.Unlock()
	e.Notify(protocol.MethodWorkspaceDidChangeConfiguration,
		&protocol.DidChangeConfigurationParams{Settings: marshal(nil)})
}

// answerConfiguration answers workspace/configuration.
func (e *Editor) answerConfiguration(params []byte) (any, error) {
	var p protocol.ConfigurationParams
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, err
	}
	if len(p.Items) != 1 || p.Items[0].Section == nil || *p.Items[0].Section != "ploke" {
		return nil, fmt.Errorf("the requested section is not ploke: %s", params)
	}
	return []any{e.options.Settings}, nil
}
