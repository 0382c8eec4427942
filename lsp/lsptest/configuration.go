package lsptest

import (
	"encoding/json"
	"fmt"

	"go.lsp.dev/protocol"
)

// WithConfiguration declares that the editor answers workspace/configuration and tells
// of changes once it was asked to.
func WithConfiguration(c *protocol.ClientCapabilities) *protocol.ClientCapabilities {
	yes := true
	c.Workspace.Configuration = &yes
	c.Workspace.DidChangeConfiguration = &protocol.DidChangeConfigurationClientCapabilities{DynamicRegistration: &yes}
	return c
}

// SetSettings changes what the editor answers to workspace/configuration, and
// tells the server, once it has asked to be told, that something has changed.
func (e *Editor) SetSettings(section any) {
	e.t.Helper()
	e.Await("the server to ask for changed settings", func() bool {
		e.mu.Lock()
		defer e.mu.Unlock()
		return e.configurationRegistered
	})
	e.mu.Lock()
	e.options.Settings = section
	e.mu.Unlock()
	e.Notify(protocol.MethodWorkspaceDidChangeConfiguration, &protocol.DidChangeConfigurationParams{Settings: marshal(nil)})
}

// answerConfiguration answers workspace/configuration.
func (e *Editor) answerConfiguration(params []byte) (any, error) {
	w := e.capabilities.Workspace
	e.declared(protocol.MethodWorkspaceConfiguration, w != nil && w.Configuration != nil && *w.Configuration)
	var p protocol.ConfigurationParams
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, err
	}
	if len(p.Items) != 1 || p.Items[0].Section == nil || *p.Items[0].Section != "ploke" {
		return nil, fmt.Errorf("another section than ploke is asked for: %s", params)
	}
	return []any{e.options.Settings}, nil
}
