package mcp

import (
	"context"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"ploke-lsp/edits"
	"ploke-lsp/internal/display"
	"ploke-lsp/project"
)

// The client is given the question as the result of the call, and calls again with the person's
// answer. For a client of an older version of the protocol, the library asks, and calls again itself.

// question is the key of the question in a result.
const question = "apply"

// shownChange bounds what a question shows of a change, in bytes.
const shownChange = 4000

// canAsk reports whether the client can ask the person.
func canAsk(r *sdk.CallToolRequest) bool {
	capabilities := r.ClientCapabilities()
	if capabilities == nil || capabilities.Elicitation == nil {
		return false
	}
	return capabilities.Elicitation.Form != nil || capabilities.Elicitation.URL == nil
}

// ask has the client ask the person whether a proposal is applied. The answer counts for what the question shows.
func (c *session) ask(ctx context.Context, proposal *edits.Proposal,
	doubt *project.Doubt) (*sdk.CallToolResult, error) {
	change, err := c.tools.Preview(ctx, proposal)
	if err != nil {
		return failed(ctx, err)
	}
	message := display.Message(fmt.Sprintf("Apply this change? %s.\n\n%s", doubt, shortened(display.Escape(change))))
	return &sdk.CallToolResult{
		Content: []sdk.Content{}, // else it is null, which the protocol does not allow
		InputRequests: sdk.InputRequestMap{question: &sdk.ElicitParams{Mode: "form", Message: message,
			RequestedSchema: &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}}}},
		RequestState: c.server.asked.sign(proposal),
	}, nil
}

// shortened returns what a person is shown of a change: all of it, or its beginning and its end.
func shortened(change string) string {
	shown, whole := display.Bounded(change, shownChange)
	if whole {
		return change
	}
	return shown + "\n\nThis is not all of it: decline, and look at the proposal in an editor or with ploke-lsp proposals"
}

// answered does what the person has answered.
func (c *session) answered(ctx context.Context, p *project.Project,
	r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	shown, ok := c.server.asked.verify(r.Params.RequestState)
	if !ok {
		return text(true, "error: this server has asked no question that this answers"), nil
	}
	answer, _ := r.Params.InputResponses[question].(*sdk.ElicitResult)
	switch {
	case answer != nil && answer.Action == "accept":
		c.server.applying.Lock()
		defer c.server.applying.Unlock()
		proposal, err := accept(ctx, p, shown)
		if err != nil {
			return failed(ctx, err)
		}
		return c.proposalOf(proposal, "the person agreed: written")
	case answer != nil && answer.Action == "decline":
		proposal, err := p.Edits.Reject(ctx, shown, "declined when asked")
		if err != nil {
			return failed(ctx, err)
		}
		return c.proposalOf(proposal, "the person declined: nothing was written")
	}
	proposal, err := p.Edits.Proposals.Get(ctx, shown.ID)
	if err != nil {
		return failed(ctx, err)
	}
	return c.proposalOf(proposal, "the person did not decide, nothing was written: "+whereToDecide)
}
