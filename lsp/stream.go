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

// maxMessageBytes bounds one message, so that a wrong Content-Length can't
// make the server allocate without end.
const maxMessageBytes = 64 << 20

// A stream frames JSON-RPC messages as LSP's base protocol says. It is lenient
// where the library's own framing ends the connection: a message that is not
// JSON, a batch, a header it can't read or a body over the limit is answered
// with an error whose id is null, and reading goes on with the next message.
//
// What goes out is queued and written by a goroutine of the stream's own, so
// that reading never waits for a client that is itself busy writing. Whoever
// sends without end asks for room first.
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
		body, err := s.readBody()
		var bad *badMessageError
		if errors.As(err, &bad) {
			if err := s.replyError(bad); err != nil {
				return nil, 0, err
			}
			continue
		}
		if err != nil {
			return nil, 0, err
		}
		msg, err := decode(body)
		if err != nil {
			if err := s.replyError(&badMessageError{code: jsonrpc2.ParseError, reason: err.Error()}); err != nil {
				return nil, 0, err
			}
			continue
		}
		return msg, int64(len(body)), nil
	}
}

// A badMessageError is a message that is refused without ending the connection.
type badMessageError struct {
	code   jsonrpc2.Code
	reason string
}

func (e *badMessageError) Error() string { return e.reason }

func decode(body []byte) (jsonrpc2.Message, error) {
	if trimmed := bytes.TrimLeft(body, " \t\r\n"); len(trimmed) > 0 && trimmed[0] == '[' {
		return nil, errors.New("batches are not part of LSP: send one message at a time")
	}
	if !json.Valid(body) {
		return nil, errors.New("the message is not valid JSON")
	}
	return jsonrpc2.DecodeMessage(body)
}

// readBody reads one header block and the body it announces.
func (s *stream) readBody() ([]byte, error) {
	length, err := s.readHeader()
	if err != nil {
		return nil, err
	}
	if length > maxMessageBytes {
		if _, err := io.CopyN(io.Discard, s.in, length); err != nil {
			return nil, unexpectedEOF(err)
		}
		return nil, &badMessageError{jsonrpc2.InvalidRequest,
			fmt.Sprintf("a message of %d bytes is over the limit of %d", length, maxMessageBytes)}
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(s.in, body); err != nil {
		return nil, unexpectedEOF(err)
	}
	return body, nil
}

// readHeader reads header lines up to the blank one and returns the content's
// length. Names are matched without regard to case, and blank lines before the
// block are passed over.
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
				return 0, &badMessageError{jsonrpc2.InvalidRequest, "the header has no Content-Length"}
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
			return 0, &badMessageError{jsonrpc2.InvalidRequest, fmt.Sprintf("Content-Length %q is not a length", value)}
		}
		length = n
	}
}

// readLine reads a line without its end. A line longer than any header is cut,
// so that input that is no header at all can't fill the memory.
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

// refuse answers a message whose id is not known.
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

// Close closes the transport, which ends a pending Read, and waits for the
// writer. What is still queued is lost.
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
