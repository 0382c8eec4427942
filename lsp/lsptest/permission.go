package lsptest

import (
	"context"
	"encoding/json"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	ploke "ploke-lsp/lsp/protocol"
)

// answerPermission answers a permission request with the test's OnPermission.
func (e *Editor) answerPermission(pooled context.Context, req *jsonrpc2.Request) (any, error) {
	ctx, cancel := e.async(pooled, req)
	defer cancel()
	if e.options.OnPermission == nil {
		e.t.Errorf("unexpected permission request: %s", req.Params())
		return nil, jsonrpc2.ErrInternal
	}
	if req.Method() == ploke.MethodPermissionAsk {
		var p ploke.PermissionAskParams
		if err := protocol.Unmarshal(req.Params(), &p); err != nil {
			return nil, err
		}
		return &ploke.PermissionAskResult{Answer: ploke.PermissionAnswer(e.options.OnPermission(ctx, p.Title))}, nil
	}
	var p protocol.ShowMessageRequestParams
	if err := protocol.Unmarshal(req.Params(), &p); err != nil {
		return nil, err
	}
	return e.chosenAction(p.Actions, e.options.OnPermission(ctx, p.Message)), nil
}

// async lets the editor read other messages while it answers req. It returns a context
// that ends when the server cancels req, or the test ends: closing the connection waits for answers.
func (e *Editor) async(pooled context.Context, req *jsonrpc2.Request) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(pooled))
	context.AfterFunc(e.t.Context(), cancel)
	e.mu.Lock()
	e.pending[req.ID()] = cancel
	e.mu.Unlock()
	jsonrpc2.Async(pooled)
	return ctx, cancel
}

// cancelRequest cancels a request of the server. The lock is held.
func (e *Editor) cancelRequest(params []byte) error {
	var p struct{ ID int64 }
	err := json.Unmarshal(params, &p)
	if cancel := e.pending[jsonrpc2.NewNumberID(p.ID)]; cancel != nil {
		cancel()
	}
	return err
}
