package lsp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"go.lsp.dev/jsonrpc2"
)

// maxMessageBytes is the maximum size of one message. It stops a wrong Content-Length
// from making the server allocate without limit.
const maxMessageBytes = 64 << 20

// A stream frames JSON-RPC messages as in LSP's base protocol. It replies with an
// error whose id is null to invalid JSON, a batch, a header that it can't read and a
// body over the limit, and then reads the next message. The library's own framing
// would end the connection.
//
// A goroutine of the stream writes the queued messages, so reading never waits for a
// client that is itself busy writing. Senders of long series of messages call
// waitForCapacity first.
type stream struct {
	in   *bufio.Reader
	conn io.ReadWriteCloser
	out  *writeQueue
}

func newStream(conn io.ReadWriteCloser) *stream {
	return &stream{in: bufio.NewReaderSize(conn, 64<<10), conn: conn, out: newWriteQueue(conn)}
}

// Read returns the next well-formed message.
func (s *stream) Read(ctx context.Context) (jsonrpc2.Message, int64, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		msg, size, err := s.readMessage()
		var bad *badMessageError
		if errors.As(err, &bad) {
			if err := s.replyError(bad); err != nil {
				return nil, 0, err
			}
			if bad.instead != nil {
				return bad.instead, 0, nil
			}
			continue
		}
		return msg, size, err
	}
}

// A badMessageError describes a message that gets an error reply.
type badMessageError struct {
	code    jsonrpc2.Code
	reason  string
	instead jsonrpc2.Message // what is read in its place; may be nil
}

func (e *badMessageError) Error() string { return e.reason }

func (s *stream) readMessage() (jsonrpc2.Message, int64, error) {
	body, err := s.readBody()
	if err != nil {
		return nil, 0, err
	}
	msg, err := decode(body)
	if err != nil {
		var e ends
		e.Write(body)
		return nil, 0, &badMessageError{jsonrpc2.ParseError, err.Error(), unreadMessage(&e, &unreadError{Reason: err.Error()})}
	}
	return msg, int64(len(body)), nil
}

func decode(body []byte) (jsonrpc2.Message, error) {
	if trimmed := bytes.TrimLeft(body, " \t\r\n"); len(trimmed) > 0 && trimmed[0] == '[' {
		return nil, errors.New("batches are not part of LSP: send one message at a time")
	}
	if !json.Valid(body) {
		return nil, errors.New("the message is not valid JSON")
	}
	return jsonrpc2.DecodeMessage(body)
}

// readBody reads one header block and its body.
func (s *stream) readBody() ([]byte, error) {
	length, err := s.readHeader()
	if err != nil {
		return nil, err
	}
	if length > maxMessageBytes {
		return nil, s.skipBody(length)
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(s.in, body); err != nil {
		return nil, unexpectedEOF(err)
	}
	return body, nil
}

// readHeader reads header lines up to the blank one and returns Content-Length. Names
// are case-insensitive, and blank lines before the block are skipped.
func (s *stream) readHeader() (int64, error) {
	length := int64(-1)
	for seen := false; ; {
		line, err := s.readLine()
		if err != nil {
			if seen {
				err = unexpectedEOF(err)
			}
			return 0, err
		}
		if line == "" {
			if length >= 0 {
				return length, nil
			}
			if seen {
				return 0, &badMessageError{code: jsonrpc2.InvalidRequest, reason: "the header has no Content-Length"}
			}
			continue
		}
		seen = true
		name, value, _ := strings.Cut(line, ":")
		if !strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(value), 10, 64)
		if err != nil || n < 0 {
			return 0, &badMessageError{code: jsonrpc2.InvalidRequest, reason: fmt.Sprintf("Content-Length %q is not a length", value)}
		}
		length = n
	}
}

// readLine reads a line without its line break. It truncates a line that is longer
// than the buffer, so input without line breaks can't fill the memory.
func (s *stream) readLine() (string, error) {
	line, err := s.in.ReadSlice('\n')
	text := string(line)
	for errors.Is(err, bufio.ErrBufferFull) {
		_, err = s.in.ReadSlice('\n')
	}
	if err != nil {
		return "", err
	}
	return strings.TrimRight(text, "\r\n"), nil
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

func unexpectedEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
