package mcptools

import (
	"errors"
	"io"
	"sync/atomic"
)

// maxFloodBytes bounds all that a server sends between the ends of two calls, and four times what one
// message may have.
const maxFloodBytes = 64 << 20

var errFlood = errors.New("it sent too much at once")

// messageReader reads the messages on a program's standard output, one on each line. It leaves out
// lines that are no messages, which some programs print when they start. It fails if the program
// sends too much.
type messageReader struct {
	r        io.ReadCloser
	limit    int64        // of received
	received atomic.Int64 // bytes since the last call of restart
	flooded  atomic.Bool  // it has failed because the program sent too much
	place    place
}

// place is where in a line a reader is.
type place int

const (
	lineStart place = iota
	inMessage
	inOther
)

// Read implements [io.Reader].
func (m *messageReader) Read(p []byte) (int, error) {
	for {
		n, err := m.r.Read(p)
		if m.received.Add(int64(n)) > m.limit {
			m.flooded.Store(true)
			return 0, errFlood
		}
		if n = m.keepMessages(p[:n]); n > 0 || err != nil {
			return n, err
		}
	}
}

// Close implements [io.Closer].
func (m *messageReader) Close() error { return m.r.Close() }

// restart begins to count anew.
func (m *messageReader) restart() { m.received.Store(0) }

// keepMessages moves the bytes of messages to the front, and returns their number.
func (m *messageReader) keepMessages(b []byte) (n int) {
	for _, c := range b {
		if m.place == lineStart {
			switch c {
			case ' ', '\t', '\r', '\n':
				continue
			case '{', '[':
				m.place = inMessage
			default:
				m.place = inOther
			}
		}
		if m.place == inMessage {
			b[n] = c
			n++
		}
		if c == '\n' {
			m.place = lineStart
		}
	}
	return n
}
