package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"unicode/utf8"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// A stream frames JSON-RPC messages as in LSP's base protocol. It replies with an
// error whose id is null to each message that is wrong, in its framing, its JSON or its
// id, and then reads the next one. The library's own framing would end the connection.
//
// A goroutine of the stream writes the queued messages, so reading never waits for a
// client that is itself busy writing. Senders of long series of messages call
// waitForCapacity first.
type stream struct {
	in          *frameReader
	conn        io.ReadWriteCloser
	out         *writeQueue
	toldToCount bool // the client was told to count bytes
}

func newStream(conn io.ReadWriteCloser) *stream {
	return &stream{in: &frameReader{in: conn}, conn: conn, out: newWriteQueue(conn)}
}

// Read returns the next well-formed message.
func (s *stream) Read(ctx context.Context) (jsonrpc2.Message, int64, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		msg, size, err := s.readMessage()
		var bad *badMessageError
		if !errors.As(err, &bad) {
			return msg, size, err
		}
		if err := s.replyError(bad); err != nil {
			return nil, 0, err
		}
	}
}

func (s *stream) readMessage() (jsonrpc2.Message, int64, error) {
	body, err := s.in.next()
	if err != nil {
		return nil, 0, err
	}
	msg, err := decodeMessage(body)
	var bad *badMessageError
	if errors.As(err, &bad) && bad.code == jsonrpc2.ParseError {
		s.in.reject()
		if err := s.explainLength(bad, body); err != nil {
			return nil, 0, err
		}
	}
	return msg, int64(len(body)), err
}

// explainLength tells the person once that the client seems to count characters: its
// messages are cut off as soon as they hold some that have several bytes.
func (s *stream) explainLength(bad *badMessageError, body []byte) error {
	if s.toldToCount || bad != errCutOff || utf8.RuneCount(body) == len(body) {
		return nil
	}
	s.toldToCount = true
	params := protocol.ShowMessageParams{Type: protocol.MessageTypeError, Message: "ploke-lsp: a message of the editor was cut off and could not be read. " +
		"Its Content-Length seems to be the number of characters; it must be the number of bytes. " +
		"Please report this to the authors of the editor's LSP client."}
	body, err := jsonrpc2.EncodeMessage(jsonrpc2.NewNotification(protocol.MethodWindowShowMessage, jsonrpc2.RawMessage(mustMarshal(&params))))
	if err != nil {
		return err
	}
	return s.out.enqueue(body)
}

// replyError replies to a message whose id is unknown.
func (s *stream) replyError(bad *badMessageError) error {
	body, err := json.Marshal(map[string]any{
		"jsonrpc": jsonrpc2.Version,
		"id":      nil,
		"error":   map[string]any{"code": bad.code, "message": bad.reason},
	})
	if err != nil {
		return err
	}
	return s.out.enqueue(body)
}

// Write queues one message; it does not wait.
func (s *stream) Write(ctx context.Context, msg jsonrpc2.Message) (int64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	body, err := jsonrpc2.EncodeMessage(msg)
	if err != nil {
		return 0, err
	}
	body = restoreNumberID(body)
	return int64(len(body)), s.out.enqueue(body)
}

// Close closes the transport, which ends a pending Read, and waits for the writing
// goroutine. Queued messages are dropped.
func (s *stream) Close() error {
	s.out.close()
	err := s.conn.Close()
	s.out.wait()
	return err
}
