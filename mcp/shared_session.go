package mcp

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"ploke-lsp/project"
)

// proposalArgument is the argument that a call has in a shared session.
const proposalArgument = "proposal_id"

// declaration returns how a tool is declared in the session.
func (c *session) declaration(t tool) *sdk.Tool {
	schema, ok := t.declaration.InputSchema.(*jsonschema.Schema)
	if !c.shared || !ok || t.own == "" {
		return t.declaration
	}
	declared, arguments := *t.declaration, *schema
	arguments.Properties = maps.Clone(schema.Properties)
	arguments.Properties[proposalArgument] = &jsonschema.Schema{Type: "string",
		Description: "of your edits that wait, which this call sees and amends"}
	arguments.PropertyOrder = nil
	declared.InputSchema = &arguments
	return &declared
}

// clientFor returns the client and the arguments of a call. In a shared session it sees the
// proposal that the call names.
func (c *session) clientFor(client *project.ToolClient,
	arguments json.RawMessage) (*project.ToolClient, json.RawMessage, error) {
	if !c.shared {
		return client, arguments, nil
	}
	fields := map[string]json.RawMessage{}
	var id string
	if json.Unmarshal(arguments, &fields) != nil || fields[proposalArgument] == nil {
		return client.Apart(""), arguments, nil
	}
	if json.Unmarshal(fields[proposalArgument], &id) != nil || id != "" && !slices.Contains(c.noted(), id) {
		return nil, nil, fmt.Errorf("%s %s is not one that edit has returned", proposalArgument, fields[proposalArgument])
	}
	delete(fields, proposalArgument)
	left, err := json.Marshal(fields)
	return client.Apart(id), left, err
}

// howToAmend says how later calls see and amend what was proposed, "" if they do so by themselves.
func (c *session) howToAmend() string {
	if !c.shared {
		return ""
	}
	return "; to see and amend it, name its " + proposalArgument + " in later calls"
}
