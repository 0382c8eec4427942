package testbed

import (
	"context"

	"go.lsp.dev/jsonrpc2"
)

// AnswerTwice returns a stream that sends each response a second time, as a client with a fault does.
func AnswerTwice(s jsonrpc2.Stream) jsonrpc2.Stream { return doublingStream{s} }

type doublingStream struct{ jsonrpc2.Stream }

// Write sends a message. A connection has types of its own for responses, so it is looked at as it is on the wire.
func (s doublingStream) Write(ctx context.Context, m jsonrpc2.Message) (int64, error) {
	text, err := jsonrpc2.EncodeMessage(m)
	if err != nil {
		return 0, err
	}
	decoded, err := jsonrpc2.DecodeMessage(text)
	if err != nil {
		return 0, err
	}
	n, err := s.Stream.Write(ctx, decoded)
	if _, answers := decoded.(*jsonrpc2.Response); err != nil || !answers {
		return n, err
	}
	again, err := s.Stream.Write(ctx, decoded)
	return n + again, err
}
