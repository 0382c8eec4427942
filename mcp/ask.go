package mcp

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

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

// ask has the client ask the person whether a proposal is applied.
func (c *session) ask(ctx context.Context, proposalID, file string) (*sdk.CallToolResult, error) {
	change, err := c.tools.Preview(ctx, proposalID)
	if err != nil {
		return failed(ctx, err)
	}
	message := fmt.Sprintf("Apply this change? %s can run or instruct a program by itself.\n\n%s", display.Name(file), shortened(display.Escape(change)))
	return &sdk.CallToolResult{
		Content: []sdk.Content{}, // else it is null, which the protocol does not allow
		InputRequests: sdk.InputRequestMap{question: &sdk.ElicitParams{Mode: "form", Message: message,
			RequestedSchema: &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}}}},
		RequestState: c.server.signed(proposalID),
	}, nil
}

// shortened returns the beginning of what a person is shown of a change, with what is left out.
func shortened(change string) string {
	if len(change) <= shownChange {
		return change
	}
	cut := strings.LastIndexByte(change[:shownChange], '\n') + 1
	return fmt.Sprintf("%s… and %d more lines: decline, and look at the proposal in an editor or with ploke-lsp proposals", change[:cut], strings.Count(change[cut:], "\n"))
}

// answered does what the person has answered.
func (c *session) answered(ctx context.Context, p *project.Project, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	id, ok := c.server.verified(r.Params.RequestState)
	if !ok {
		return text(true, "error: this server has asked no question that this answers"), nil
	}
	answer, _ := r.Params.InputResponses[question].(*sdk.ElicitResult)
	switch {
	case answer != nil && answer.Action == "accept":
		c.server.applying.Lock()
		defer c.server.applying.Unlock()
		proposal, err := accept(ctx, p, id)
		if err != nil {
			return failed(ctx, err)
		}
		return c.proposalOf(proposal, "the person agreed: written")
	case answer != nil && answer.Action == "decline":
		proposal, err := p.Edits.Reject(ctx, id, edits.Selection{}, "declined when asked")
		if err != nil {
			return failed(ctx, err)
		}
		return c.proposalOf(proposal, "the person declined: nothing was written")
	}
	proposal, err := p.Edits.Get(ctx, id)
	if err != nil {
		return failed(ctx, err)
	}
	return c.proposalOf(proposal, "the person did not decide, nothing was written: "+whereToDecide)
}

// stateKey signs what clients send back. Each process has its own.
var stateKey = func() []byte {
	key := make([]byte, sha256.Size)
	rand.Read(key) // never fails
	return key
}()

// signed returns the id of a proposal as a client gets it.
func (s *Server) signed(id string) string { return id + "." + mark(id) }

// verified returns the id in what a client has sent back, if this server has signed it.
func (s *Server) verified(state string) (id string, ok bool) {
	id, signature, _ := strings.Cut(state, ".")
	return id, hmac.Equal([]byte(signature), []byte(mark(id)))
}

func mark(id string) string {
	code := hmac.New(sha256.New, stateKey)
	code.Write([]byte(id))
	return hex.EncodeToString(code.Sum(nil))
}
