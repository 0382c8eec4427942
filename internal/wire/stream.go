// Package wire turns the bytes of an LSP connection into JSON-RPC messages and back.
//
// Its promises:
//
//   - Whatever a client sends, each well-formed message that follows is read. A wrong
//     frame ends at the next place where a frame begins, which may be in its own body.
//   - No valid message is taken for several, whatever text it holds.
//   - Every wrong message gets an error reply that says what is wrong with it.
//   - What is held in memory is bounded by what was sent and by the limit of one message,
//     not by what a header announces.
//   - Reading never waits for writing.
package wire

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"
	"unicode/utf8"

	"go.lsp.dev/jsonrpc2"
)

// A Stream frames JSON-RPC messages as in LSP's base protocol. It replies with an
// error whose id is null to each message that is wrong, in its framing, its JSON or its
// id, and then reads the next one. The library's own framing would end the connection.
//
// A goroutine of the stream writes the queued messages, so reading never waits for a
// client that is itself busy writing. Senders of long series of messages call
// [Stream.WaitForCapacity] first.
type Stream struct {
	in     *frameReader
	conn   io.ReadWriteCloser
	out    *writeQueue
	events Events
	told   bool // Miscounts was called
	ended  chan struct{}
	end    func() // closes ended

	calls        sync.RWMutex // held while a message is queued
	onlyResponds bool
}

// Events are called while a stream reads. They must not wait.
type Events struct {
	// Miscounts is called once, for the first message that seems to be measured in
	// characters instead of bytes. It may be nil.
	Miscounts func()
	// Unread returns the message to read in place of one that was not read, or nil. It may
	// be nil.
	Unread func(*Unread) jsonrpc2.Message
}

// NewStream returns a stream over conn, which it owns. Closing conn must end a pending
// Read and a pending Write.
func NewStream(conn io.ReadWriteCloser, events Events) *Stream {
	if events.Miscounts == nil {
		events.Miscounts = func() {}
	}
	if events.Unread == nil {
		events.Unread = func(*Unread) jsonrpc2.Message { return nil }
	}
	s := &Stream{in: &frameReader{in: conn}, conn: conn, events: events, ended: make(chan struct{})}
	s.end = sync.OnceFunc(func() { close(s.ended) })
	s.out = newWriteQueue(conn, s.end)
	return s
}

// Ended returns a channel that is closed once conn can't be read or written any more.
func (s *Stream) Ended() <-chan struct{} { return s.ended }

// WaitForCapacity waits until the queue of messages is below its limit, or nothing will
// be written any more.
func (s *Stream) WaitForCapacity() { s.out.waitForCapacity() }

// Queued is how many bytes wait to be written.
func (s *Stream) Queued() int { return s.out.size() }

// SetResponsesApart keeps what follows a response back for a time, so that a client does not read both in one piece.
func (s *Stream) SetResponsesApart(by time.Duration) {
	s.out.mu.Lock()
	defer s.out.mu.Unlock()
	s.out.apart = by
}

// Flush waits until all queued messages are written, nothing will be written any more,
// or ctx ends.
func (s *Stream) Flush(ctx context.Context) { s.out.flush(ctx) }

// Read returns the next well-formed message.
func (s *Stream) Read(ctx context.Context) (jsonrpc2.Message, int64, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		msg, size, err := s.readMessage()
		var bad *badMessageError
		var unread *Unread
		switch {
		case errors.As(err, &unread):
		case errors.As(err, &bad):
			if err := s.replyError(bad); err != nil {
				return nil, 0, err
			}
			unread = bad.unread
		default:
			if err != nil {
				s.end()
			}
			return msg, size, err
		}
		if unread == nil {
			continue
		}
		if msg := s.events.Unread(unread); msg != nil {
			return msg, 0, nil
		}
	}
}

func (s *Stream) readMessage() (jsonrpc2.Message, int64, error) {
	body, err := s.in.next()
	if err != nil {
		return nil, 0, err
	}
	msg, err := decodeMessage(body)
	var bad *badMessageError
	if errors.As(err, &bad) && bad.code == jsonrpc2.ParseError {
		s.in.reject()
		// A length in characters cuts off each message that holds longer characters.
		if bad == errCutOff && utf8.RuneCount(body) < len(body) && !s.told {
			s.told = true
			s.events.Miscounts()
		}
		err = &badMessageError{bad.code, bad.reason, newUnread(body, bad.reason)} // bad may be shared
	}
	return msg, int64(len(body)), err
}

// replyError replies to a message whose id is unknown.
func (s *Stream) replyError(bad *badMessageError) error {
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

// Write queues one message; it does not wait, so it ignores its context. The library would cancel a
// request that was never sent.
func (s *Stream) Write(_ context.Context, msg jsonrpc2.Message) (int64, error) {
	body, err := jsonrpc2.EncodeMessage(msg)
	if err != nil {
		return 0, err
	}
	s.calls.RLock()
	defer s.calls.RUnlock()
	if s.onlyResponds && !isResponse(body) {
		return 0, nil // an error would end the connection
	}
	body = restoreNumberID(body)
	return int64(len(body)), s.out.enqueue(body)
}

// OnlyRespond drops all requests and notifications from now on. A dropped request gets no
// response.
func (s *Stream) OnlyRespond() {
	s.calls.Lock()
	defer s.calls.Unlock()
	s.onlyResponds = true
}

// Close closes the transport, which ends a pending Read, and waits for the writing
// goroutine. Queued messages are dropped.
func (s *Stream) Close() error {
	s.out.close()
	err := s.conn.Close()
	s.out.wait()
	return err
}
