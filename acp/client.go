package acp

import (
	"context"

	"go.lsp.dev/jsonrpc2"

	"ploke-lsp/acp/protocol"
	"ploke-lsp/internal/rpc"
)

// A client is the other end of the connection. Its capabilities are set by initialize, before
// anything else is sent.
type client struct {
	conn         jsonrpc2.Conn
	stream       *stream // of conn
	capabilities protocol.ClientCapabilities
}

// update sends an update of a session. It may wait for a client that is slow to read. No client
// reads after the end of the connection, so its error says nothing.
func (c *client) update(sessionID string, update protocol.Update) {
	_ = c.conn.Notify(context.Background(), protocol.MethodSessionUpdate,
		protocol.SessionNotification{SessionID: sessionID, Update: update})
}

// request asks the client and waits for its answer. If ctx ends first, the client is told that
// the agent does not wait any more.
func (c *client) request(ctx context.Context, method string, params, result any) error {
	id, err := c.conn.Call(ctx, method, params, result)
	if number, ok := id.Number(); ok && ctx.Err() != nil {
		_ = c.conn.Notify(context.Background(), protocol.MethodCancelRequest, struct {
			RequestID int64 `json:"requestId"`
		}{number})
	}
	return err
}

// afterResponse has do called once the response to the request that a handler answers is written. do
// must not wait.
func (c *client) afterResponse(ctx context.Context, do func()) {
	if call, ok := rpc.CallOf(ctx); ok {
		c.stream.afterResponse(call.ID, do)
	}
}

// hasNotices reports whether the client shows messages that belong to no answer.
func (c *client) hasNotices() bool { return c.capabilities.Session.Notices != nil }

// booleans reports whether the client shows settings that are on or off as such.
func (c *client) booleans() bool {
	options := c.capabilities.Session.ConfigOptions
	return options != nil && options.Boolean != nil
}

// hasForms reports whether the client can ask the person for a text.
func (c *client) hasForms() bool {
	return c.capabilities.Elicitation != nil && c.capabilities.Elicitation.Form != nil
}
