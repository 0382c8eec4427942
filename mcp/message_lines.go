package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// messageLines reads the messages of a client, one on each line. A line that is none is answered
// with an error, since the library would end the connection. A batch is read as its messages, which
// are answered one by one.
type messageLines struct {
	lines *bufio.Reader
	in    io.Closer
	out   io.Writer // for the errors
	limit int       // of a line, in bytes
	ready []byte    // messages that were read, each with its line end
}

func newMessageLines(in io.ReadCloser, out io.Writer, limit int) *messageLines {
	return &messageLines{lines: bufio.NewReader(in), in: in, out: out, limit: limit}
}

// Read implements [io.Reader].
func (m *messageLines) Read(p []byte) (int, error) {
	for len(m.ready) == 0 {
		line, whole, err := m.next()
		if err != nil && len(line) == 0 {
			return 0, err
		}
		if err := m.take(line, whole); err != nil {
			return 0, err
		}
	}
	n := copy(p, m.ready)
	m.ready = m.ready[n:]
	return n, nil
}

// Close implements [io.Closer].
func (m *messageLines) Close() error { return m.in.Close() }

// next returns the next line. A line that is too long is not whole: its end is passed over.
func (m *messageLines) next() (line []byte, whole bool, err error) {
	whole = true
	for {
		piece, err := m.lines.ReadSlice('\n')
		if whole = whole && len(line)+len(piece) <= m.limit; whole {
			line = append(line, piece...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, whole, err
		}
	}
}

var byteOrderMark = []byte("\uFEFF")

// take makes the messages of a line ready, or answers it.
func (m *messageLines) take(line []byte, whole bool) error {
	line = bytes.TrimSpace(bytes.TrimPrefix(line, byteOrderMark))
	switch {
	case !whole:
		return m.refuse(jsonrpc.CodeInvalidRequest, "the message is too long")
	case len(line) == 0:
		return nil
	case !json.Valid(line):
		return m.refuse(jsonrpc.CodeParseError, "the line is not JSON: send each message as one line")
	case line[0] != '[':
		return m.takeMessage(line)
	}
	var batch []json.RawMessage
	if err := json.Unmarshal(line, &batch); err != nil || len(batch) == 0 {
		return m.refuse(jsonrpc.CodeInvalidRequest, "the batch is empty")
	}
	for _, message := range batch {
		if err := m.takeMessage(message); err != nil {
			return err
		}
	}
	return nil
}

func (m *messageLines) takeMessage(message []byte) error {
	if _, err := jsonrpc.DecodeMessage(message); err != nil {
		return m.refuse(jsonrpc.CodeInvalidRequest, "the line is not a message of JSON-RPC 2.0")
	}
	m.ready = append(append(m.ready, message...), '\n')
	return nil
}

// refuse sends an error that answers no request, since the request's id is not known.
func (m *messageLines) refuse(code int64, why string) error {
	answer, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": code, "message": why}})
	if err == nil {
		_, err = m.out.Write(append(answer, '\n'))
	}
	return err
}

// lockedWriter lets several goroutines write whole messages.
type lockedWriter struct {
	mu sync.Mutex
	io.WriteCloser
}

// Write implements [io.Writer].
func (w *lockedWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.WriteCloser.Write(p)
}
