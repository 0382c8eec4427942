package mcp

import (
	"context"
	"encoding/json"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	engine "ploke-lsp/session"
)

// handOver puts into the ledger what a client is about to be given. Without an open project nothing
// of one is given.
func (c *session) handOver(ctx context.Context, to *sdk.Implementation, call string, began time.Time,
	texts ...string) error {
	p, err := c.server.open(ctx)
	if err != nil {
		return nil
	}
	agent := "a client without a name"
	if to != nil && to.Name != "" {
		agent = to.Name
	}
	return p.Engine.RecordHandedOver(ctx,
		engine.HandedOver{Agent: agent, Call: call, Texts: texts, Took: time.Since(began)})
}

// handedOver is call, whose result is in the ledger.
func (c *session) handedOver(ctx context.Context, t tool, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	began := time.Now()
	result, err := c.call(ctx, t, r)
	if err != nil {
		return nil, err
	}
	if err := c.handOver(ctx, r.ClientInfo(), t.declaration.Name, began, textsOf(result)...); err != nil {
		return failed(ctx, err)
	}
	return result, nil
}

// textsOf returns what a result has: for the model, as structure, and for the person.
func textsOf(r *sdk.CallToolResult) (texts []string) {
	for _, content := range r.Content {
		if text, ok := content.(*sdk.TextContent); ok {
			texts = append(texts, text.Text)
		}
	}
	if structure, ok := r.StructuredContent.(json.RawMessage); ok {
		texts = append(texts, string(structure))
	}
	for _, request := range r.InputRequests {
		if question, ok := request.(*sdk.ElicitParams); ok {
			texts = append(texts, question.Message)
		}
	}
	return texts
}

// handedResource returns the text of a resource, which is in the ledger.
func (c *session) handedResource(ctx context.Context, r *sdk.ReadResourceRequest, kind string, began time.Time,
	text string) (*sdk.ReadResourceResult, error) {
	if err := c.handOver(ctx, r.ClientInfo(), kind, began, text); err != nil {
		return nil, err
	}
	return resource(text), nil
}
