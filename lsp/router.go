package lsp

import (
	"context"
	"encoding/json"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"ploke-lsp/internal/rpc"
	"ploke-lsp/internal/wire"
	ploke "ploke-lsp/lsp/protocol"
)

// routing returns how LSP's requests are routed. A request can be cancelled by the token of its
// progress, too.
func (s *Server) routing() rpc.Options {
	return rpc.Options{
		Log:          s.log,
		Decode:       decode,
		CancelMethod: protocol.MethodCancelRequest,
		CancelledID:  cancelledID,
		Code:         func(error) jsonrpc2.Code { return ploke.CodeRequestFailed },
		Admit:        s.admit,
		Around: func(_ context.Context, call *rpc.Call, raw []byte, serve func() (any, error)) (any, error) {
			var params struct {
				WorkDoneToken json.RawMessage `json:"workDoneToken"`
			}
			if json.Unmarshal(raw, &params) == nil { // else the handler reports it
				defer s.client.OnCancel(ploke.Token(params.WorkDoneToken), call.Cancel)()
			}
			return serve()
		},
	}
}

// decode decodes parameters. Some clients send none, or null, where LSP has an object.
func decode(raw []byte, into any) error {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	return protocol.Unmarshal(raw, into)
}

// cancelledID returns the request that the parameters of $/cancelRequest name. The library's type holds
// only 32 bits.
func cancelledID(params []byte) (jsonrpc2.ID, error) {
	var p struct {
		ID json.RawMessage `json:"id"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return jsonrpc2.ID{}, err
	}
	return wire.ParseID(p.ID)
}
