package mcp

import (
	"context"
	"encoding/json"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Edit answers a call of the tool that edits, of a client that can't be asked.
func (s *Server) Edit(ctx context.Context, arguments json.RawMessage) (*sdk.CallToolResult, error) {
	c := s.newPlainSession()
	for _, t := range s.declared() {
		if t.own == editTool {
			return c.call(ctx, t, &sdk.CallToolRequest{Params: &sdk.CallToolParamsRaw{Name: t.declaration.Name, Arguments: arguments}})
		}
	}
	return nil, nil
}
