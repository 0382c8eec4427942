package acp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strconv"

	"go.lsp.dev/jsonrpc2"

	"ploke-lsp/acp/protocol"
	"ploke-lsp/edits"
	"ploke-lsp/internal/rpc"
	"ploke-lsp/session/records"
)

func invalidParams(format string, args ...any) error {
	return jsonrpc2.Errorf(protocol.CodeInvalidParams, format, args...)
}

// routing returns how ACP's requests are routed. A request waits until the client has read enough
// responses.
func routing(s *stream, log *slog.Logger) rpc.Options {
	return rpc.Options{
		Log:          log,
		Decode:       json.Unmarshal,
		CancelMethod: protocol.MethodCancelRequest,
		CancelledID:  cancelledID,
		Code:         codeOf,
		Around: func(ctx context.Context, call *rpc.Call, _ []byte, serve func() (any, error)) (any, error) {
			s.await(ctx)
			result, err := serve()
			call.Release() // the response must not be written by the goroutine that reads
			return result, err
		},
	}
}

// cancelledID returns the request that the parameters of $/cancel_request name.
func cancelledID(params []byte) (jsonrpc2.ID, error) {
	var p struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return jsonrpc2.ID{}, err
	}
	return parseID(p.RequestID)
}

func parseID(value []byte) (jsonrpc2.ID, error) {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return jsonrpc2.NewStringID(text), nil
	}
	n, err := strconv.ParseInt(string(value), 10, 64)
	if err != nil {
		return jsonrpc2.ID{}, fmt.Errorf("the id %.40s is neither a string nor a whole number", value)
	}
	return jsonrpc2.NewNumberID(n), nil
}

// codeOf returns the code of an error of the packages below.
func codeOf(err error) jsonrpc2.Code {
	var missing *records.NotFoundError
	var noProposal *edits.NotFoundError
	if errors.As(err, &missing) || errors.As(err, &noProposal) {
		return protocol.CodeResourceNotFound
	}
	return protocol.CodeInternalError
}
