package lsptest

import (
	"context"
	"encoding/json"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	ploke "ploke-lsp/lsp/protocol"
)

// permit has the person of the test answer a question of the server's. Reading
// goes on meanwhile; ctx ends when the server takes the question back.
func (e *Editor) answerPermission(pooled context.Context, req *jsonrpc2.Request) (any, error) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(pooled))
	defer cancel()
	e.mu.Lock()
	e.pending[req.ID()] = cancel
	e.mu.Unlock()
	jsonrpc2.Async(pooled)
	if e.options.OnPermission == nil {
		e.t.Errorf("the server asked for leave, which the test did not expect: %s", req.Params())
		return nil, jsonrpc2.ErrInternal
	}
	if req.Method() == ploke.MethodPermissionAsk {
		var p ploke.PermissionAskParams
		if err := protocol.Unmarshal(req.Params(), &p); err != nil {
			return nil, err
		}
		return &ploke.PermissionAskResult{Answer: e.options.OnPermission(ctx, p.Title)}, nil
	}
	var p protocol.ShowMessageRequestParams
	if err := protocol.Unmarshal(req.Params(), &p); err != nil {
		return nil, err
	}
	title := e.options.OnPermission(ctx, p.Message)
	for _, action := range p.Actions {
		if action.Title == title {
			return &action, nil
		}
	}
	return nil, nil
}

// cancelRequest ends the question that the server cancels. The lock is held.
func (e *Editor) cancelRequest(params []byte) error {
	var p struct{ ID int64 }
	err := json.Unmarshal(params, &p)
	if cancel := e.pending[jsonrpc2.NewNumberID(p.ID)]; cancel != nil {
		cancel()
	}
	return err
}
