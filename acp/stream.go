package acp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"go.lsp.dev/jsonrpc2"
)

const (
	// maxMessageBytes is the size of the largest message that is read.
	maxMessageBytes = 64 << 20
	// maxUnanswered is how many requests may wait for their response to be written before the next one is read.
	maxUnanswered = 10_000
	// maxRefusals is how many answers to lines that are no messages may wait to be written. Who sends more without
	// reading gets no answer to the others.
	maxRefusals = 1000
)

// A stream frames JSON-RPC messages as lines, as ACP does. It answers a line that is no message
// with an error, and reads on. The error has the id of the request that the line may be, else null.
// The library's own framing would end the connection.
type stream struct {
	in    *bufio.Reader
	conn  io.ReadWriteCloser
	ended chan struct{} // closed once nothing can be read any more

	refusals refusals
	// unanswered holds an element for each request whose response is not written, so that a client that does not read
	// costs a bounded number of goroutines.
	unanswered chan struct{}

	mu    sync.Mutex             // held while a message is written
	after map[jsonrpc2.ID]func() // called once the response to a request is written
}

// newStream returns a stream over conn, which it owns. Closing conn must end a pending Read and a
// pending Write.
func newStream(conn io.ReadWriteCloser) *stream {
	return &stream{in: bufio.NewReaderSize(conn, 64<<10), conn: conn, ended: make(chan struct{}),
		unanswered: make(chan struct{}, maxUnanswered),
		after:      map[jsonrpc2.ID]func(){}}
}

// afterResponse has do called once the response to a request is written. do must not wait.
func (s *stream) afterResponse(id jsonrpc2.ID, do func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.after[id] = do
}

// Read returns the next well-formed message.
func (s *stream) Read(ctx context.Context) (jsonrpc2.Message, int64, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		line, size, err := s.readLine()
		if err != nil {
			close(s.ended)
			return nil, 0, err
		}
		line = bytes.TrimSpace(bytes.TrimPrefix(line, byteOrderMark))
		if len(line) == 0 && size <= maxMessageBytes {
			continue
		}
		msg, code, why := decode(line, size)
		if why == "" {
			return msg, size, nil
		}
		s.refuse(requestID(line), code, why)
	}
}

var byteOrderMark = []byte("\uFEFF")

// readLine returns the next line and its size. The line is nil if it is too large. The last one may have no end.
func (s *stream) readLine() (line []byte, size int64, err error) {
	for {
		piece, err := s.in.ReadSlice('\n')
		size += int64(len(piece))
		if size <= maxMessageBytes {
			line = append(line, piece...)
		} else {
			line = nil
		}
		switch err {
		case nil:
			return line, size, nil
		case bufio.ErrBufferFull:
		case io.EOF:
			if size > 0 {
				return line, size, nil
			}
			return nil, 0, err
		default:
			return nil, 0, err
		}
	}
}

// decode returns the message of a line, or an error code and the reason why there is none.
func decode(line []byte, size int64) (msg jsonrpc2.Message, code jsonrpc2.Code, why string) {
	switch {
	case size > maxMessageBytes:
		return nil, jsonrpc2.InvalidRequest, fmt.Sprintf("the message is larger than %d MB", maxMessageBytes>>20)
	case !json.Valid(line):
		return nil, jsonrpc2.ParseError, "the line is not valid JSON: send each message on a line of its own"
	}
	msg, err := jsonrpc2.DecodeMessage(line)
	if err != nil {
		return nil, jsonrpc2.InvalidRequest, "the line is not a request, notification or response of JSON-RPC 2.0"
	}
	return msg, 0, ""
}

// requestID returns the id of a wrong request, so that its sender does not wait for an answer; "null" if there is none.
func requestID(line []byte) string {
	var request struct{ ID, Method json.RawMessage }
	if json.Unmarshal(line, &request) != nil || request.Method == nil {
		return "null"
	}
	if _, err := parseID(request.ID); err != nil {
		return "null"
	}
	return string(request.ID)
}

// refuse answers a line that is no message.
func (s *stream) refuse(id string, code jsonrpc2.Code, why string) {
	// Reading must not wait for writing. An error shows when the next message is written.
	s.refusals.add(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q}}`, id, code, why),
		s.writeLine)
}

// await waits until the client has read enough responses for another request to be served, or ctx ends.
func (s *stream) await(ctx context.Context) {
	select {
	case s.unanswered <- struct{}{}:
	case <-ctx.Done():
	}
}

// Write writes one message.
func (s *stream) Write(_ context.Context, msg jsonrpc2.Message) (int64, error) {
	body, err := jsonrpc2.EncodeMessage(msg)
	if err != nil {
		return 0, err
	}
	err = s.writeLine(body)
	id, isResponse := bytes.CutPrefix(body, responseBegin)
	if isResponse {
		select {
		case <-s.unanswered:
		default:
		}
	}
	if err != nil {
		return 0, err
	}
	if isResponse {
		s.responded(id)
	}
	return int64(len(body)) + 1, nil
}

// responseBegin begins each response that the library encodes, and no request or notification.
var responseBegin = []byte(`{"jsonrpc":"2.0","id":`)

// responded does what is to be done after a response, of which body is what follows responseBegin.
func (s *stream) responded(body []byte) {
	var raw json.RawMessage
	if json.NewDecoder(bytes.NewReader(body)).Decode(&raw) != nil {
		return // the id is null
	}
	id, err := parseID(raw)
	if err != nil {
		return
	}
	s.mu.Lock()
	do := s.after[id]
	delete(s.after, id)
	s.mu.Unlock()
	if do != nil {
		do()
	}
}

func (s *stream) writeLine(body []byte) error {
	line := append(bytes.Clone(body), '\n') // conn may keep it after an error
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err := s.conn.Write(line)
	return err
}

// Close closes the connection, which ends a pending Read.
func (s *stream) Close() error { return s.conn.Close() }
