package mcpclient

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"sync/atomic"
)

// maxFloodBytes bounds all that a server sends between the ends of two calls, and four times what one
// message may have.
const maxFloodBytes = 64 << 20

var (
	errFlood        = errors.New("it sent too much at once")
	errLargeMessage = errors.New("a message is too long")
)

// messageReader reads the messages on a program's standard output, one on each line, in the form
// that the library reads. It leaves out lines that are not messages, since many programs print their
// log there. It fails if the program sends too much.
type messageReader struct {
	r        io.ReadCloser
	lines    *bufio.Reader
	limit    int64        // of received
	received atomic.Int64 // bytes since the last call of restart
	flooded  atomic.Bool  // it has failed because the program sent too much
	ready    []byte       // messages that were read, one on each line
	err      error        // that follows them
}

func newMessageReader(r io.ReadCloser, limit int64) *messageReader {
	m := &messageReader{r: r, limit: limit}
	m.lines = bufio.NewReader(counted{m})
	return m
}

// counted is the output of a program, as it comes.
type counted struct{ m *messageReader }

func (c counted) Read(p []byte) (int, error) {
	n, err := c.m.r.Read(p)
	if c.m.received.Add(int64(n)) > c.m.limit {
		c.m.flooded.Store(true)
		return 0, errFlood
	}
	return n, err
}

// Read implements [io.Reader].
func (m *messageReader) Read(p []byte) (int, error) {
	for len(m.ready) == 0 {
		if m.err != nil {
			return 0, m.err
		}
		m.fill()
	}
	n := copy(p, m.ready)
	m.ready = m.ready[n:]
	return n, nil
}

// fill reads the next line. A message that can't be read ends the reading, unless it is the last words of a program.
func (m *messageReader) fill() {
	var line []byte
	line, m.err = m.next()
	messages, err := messagesOf(line)
	if m.err == nil {
		m.err = err
	}
	if m.ready = messages; len(messages) > 0 {
		m.ready = append(messages, '\n')
	}
}

// next returns the next line; nothing for one that is too long and no message.
func (m *messageReader) next() (line []byte, err error) {
	long := false
	for {
		piece, err := m.lines.ReadSlice('\n')
		if !long {
			line = append(line, piece...)
			long = int64(len(line)) > m.limit/4
		}
		switch {
		case long && beginsMessage(line):
			return nil, errLargeMessage
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case long:
			return nil, err
		}
		return bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\uFEFF"))), err
	}
}

// Close implements [io.Closer].
func (m *messageReader) Close() error { return m.r.Close() }

// restart begins to count again.
func (m *messageReader) restart() { m.received.Store(0) }
