package lsptest

import (
	"context"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	ploke "ploke-lsp/lsp/protocol"
)

// WithEditorState declares that the editor can be asked where the person is, see [Options].
func WithEditorState(c *protocol.ClientCapabilities) *protocol.ClientCapabilities {
	methods := []string{ploke.MethodEvent, ploke.MethodPermissionAsk, ploke.MethodClientState}
	c.Experimental = marshal(ploke.Experimental{Ploke: ploke.Capabilities{Version: ploke.Version, Methods: methods}})
	return c
}

// answerState answers ploke/client/state. Reading goes on meanwhile; ctx ends when the
// server takes the question back.
func (e *Editor) answerState(pooled context.Context, req *jsonrpc2.Request) (any, error) {
	e.declared(req.Method(), e.options.State != nil)
	ctx, cancel := context.WithCancel(context.WithoutCancel(pooled))
	defer cancel()
	e.mu.Lock()
	e.pending[req.ID()] = cancel
	e.mu.Unlock()
	jsonrpc2.Async(pooled)
	return e.options.State(ctx), nil
}
