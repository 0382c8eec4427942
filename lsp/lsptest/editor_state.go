package lsptest

import (
	"context"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	ploke "ploke-lsp/lsp/protocol"
)

// WithEditorState adds to c the support of ploke/client/state; see [Options].
func WithEditorState(c *protocol.ClientCapabilities) *protocol.ClientCapabilities {
	return withMethods(c, ploke.MethodEvent, ploke.MethodPermissionAsk, ploke.MethodClientState)
}

// WithMethods adds to c the support of more ploke/* requests of the server; see [Options.Answer].
func WithMethods(c *protocol.ClientCapabilities, methods ...string) *protocol.ClientCapabilities {
	return withMethods(c, append([]string{ploke.MethodEvent, ploke.MethodPermissionAsk}, methods...)...)
}

// answerState answers ploke/client/state.
func (e *Editor) answerState(pooled context.Context, req *jsonrpc2.Request) (any, error) {
	ctx, cancel := e.async(pooled, req)
	defer cancel()
	return e.options.State(ctx), nil
}
