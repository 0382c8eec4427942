package acp

import (
	"context"
	"slices"

	"ploke-lsp/acp/protocol"
)

// versions are the versions of the protocol that the agent speaks, the latest last. Version 2 is
// a draft, and is added here once it is not.
var versions = []int{protocol.Version}

// negotiate returns the version that is spoken with a client whose latest version is asked.
func negotiate(asked int) int {
	if slices.Contains(versions, asked) {
		return asked
	}
	return versions[len(versions)-1]
}

// setupModel is the id of the method of authentication that sets up a model.
const setupModel = "setup-model"

func (a *Agent) initialize(_ context.Context, p *protocol.InitializeRequest) (*protocol.InitializeResponse, error) {
	a.client.capabilities = p.ClientCapabilities
	yes := &struct{}{}
	return &protocol.InitializeResponse{
		ProtocolVersion: negotiate(p.ProtocolVersion),
		AgentInfo:       protocol.Implementation{Name: "ploke-lsp", Title: "Ploke", Version: a.options.Version},
		AgentCapabilities: protocol.AgentCapabilities{
			LoadSession:        true,
			PromptCapabilities: protocol.PromptCapabilities{EmbeddedContext: true},
			MCPCapabilities:    protocol.MCPCapabilities{HTTP: true},
			SessionCapabilities: protocol.SessionCapabilities{List: yes, Delete: yes, AdditionalDirectories: yes, Resume: yes,
				Close: yes},
		},
		AuthMethods: a.authMethods(),
	}, nil
}

// authMethods are the ways to get a model. Without any, the embedded model answers.
func (a *Agent) authMethods() []protocol.AuthMethod {
	if !a.client.capabilities.Auth.Terminal {
		return []protocol.AuthMethod{}
	}
	return []protocol.AuthMethod{{
		Type: "terminal", ID: setupModel, Name: "Set up a model", Args: []string{"--setup-model"},
		Description: "Choose a model and store its key. Without one, the embedded model answers.",
	}}
}

// authenticate has nothing to do: the client runs the method in a terminal, and the settings are
// read again before each turn.
func (a *Agent) authenticate(_ context.Context, p *protocol.AuthenticateRequest) (struct{}, error) {
	if p.MethodID != setupModel {
		return struct{}{}, invalidParams("there is no method %q to authenticate: run \"ploke-lsp setup model\" in a terminal",
			p.MethodID)
	}
	return struct{}{}, nil
}
