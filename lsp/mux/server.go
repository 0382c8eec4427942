package mux

import (
	"context"
	"encoding/json"
	"io"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"ploke-lsp/internal/wire"
)

// A side is one of the two servers.
type side int

const (
	inner side = iota
	ours
)

// maxQueued is how many bytes may wait for a server to read them. One that has more does not read.
const maxQueued = wire.MaxMessageBytes * 5 / 4

// A server is one of the two, as the mux knows it.
type server struct {
	side   side
	stream *wire.Stream // nil if it could not be started
	state  state
	cause  string // why it has ended

	name, version string // as it calls itself
	can           capabilities

	last    int64                  // number of the last request to it
	waiting map[int64]func(answer) // its requests
	// overflows is called when too much waits for the server to read it.
	overflows func()
	held      []jsonrpc2.Message // for a server that has not answered initialize yet
	size      int                // bytes of held
}

// state is where a server is in its life.
type state int

const (
	starting state = iota // until it has answered initialize
	serving
	ended
)

func newServer(s side, name string) *server {
	return &server{side: s, name: name, waiting: map[int64]func(answer){}, can: newCapabilities(nil), overflows: func() {}}
}

// connect makes conn the connection to the server.
func (s *server) connect(conn io.ReadWriteCloser, unread func(*wire.Unread) jsonrpc2.Message) {
	s.stream = wire.NewStream(conn, wire.Events{Unread: unread})
}

// ask sends a request, and calls done once with the answer; under the lock of the mux, as each caller of ask has it.
// It returns the number of the request, 0 if the server has ended.
func (s *server) ask(method string, params json.RawMessage, done func(answer)) int64 {
	if s.state == ended {
		done(s.gone())
		return 0
	}
	s.last++
	s.waiting[s.last] = done
	s.send(jsonrpc2.NewCall(jsonrpc2.NewNumberID(s.last), method, jsonrpc2.RawMessage(params)))
	return s.last
}

// cancel tells a server that nobody waits for a request any more. Its answer counts all the same.
func (s *server) cancel(number int64) {
	if s.waiting[number] != nil {
		s.pass(methodCancel, encode(map[string]int64{"id": number}))
	}
}

// abandon cancels a request and leaves its answer aside.
func (s *server) abandon(number int64) {
	s.cancel(number)
	delete(s.waiting, number)
}

// pass sends a server a notification.
func (s *server) pass(method string, params jsonrpc2.RawMessage) {
	s.send(jsonrpc2.NewNotification(method, params))
}

// send queues a message for a server, or keeps it until the server has answered initialize.
func (s *server) send(msg jsonrpc2.Message) {
	if s.state == ended {
		return
	}
	if call, ok := msg.(*jsonrpc2.Call); s.state == starting && (!ok || call.Method() != methodInitialize) {
		s.held = append(s.held, msg)
		s.size += sizeOf(msg)
	} else {
		_, _ = s.stream.Write(context.Background(), msg) // that it has ended is noticed where it is read
	}
	if s.size+s.stream.Queued() > maxQueued {
		s.overflows()
	}
}

func sizeOf(msg jsonrpc2.Message) int {
	switch msg := msg.(type) {
	case *jsonrpc2.Call:
		return len(msg.Params())
	case *jsonrpc2.Notification:
		return len(msg.Params())
	case *jsonrpc2.Response:
		return len(msg.Result())
	}
	return 0
}

// serve says that a server has answered initialize. It gets what was kept for it.
func (s *server) serve() {
	s.state = serving
	held := s.held
	s.held, s.size = nil, 0
	for _, msg := range held {
		if n, ok := msg.(*jsonrpc2.Notification); !ok || s.can.takes(n.Method()) {
			s.send(msg)
		}
	}
}

// takes reports whether a server is sent a notification, or will be if it wants it.
func (s *server) takes(method string) bool { return s.state == starting || s.can.takes(method) }

// gone is the answer to a request for a server that has ended.
func (s *server) gone() answer { return failure(codeRequestFailed, s.name+" has ended: "+s.cause) }

// responded takes a server's response. What answers nothing that waits is left aside.
func (s *server) responded(r *jsonrpc2.Response) {
	number, ok := r.ID().Number()
	done := s.waiting[number]
	if !ok || done == nil {
		return
	}
	delete(s.waiting, number)
	if r.Err() != nil {
		done(answer{err: r.Err()})
		return
	}
	done(answer{result: json.RawMessage(r.Result())})
}

// close closes a document for one server alone.
func (s *server) close(uri string) {
	s.pass(protocol.MethodTextDocumentDidClose,
		encode(mustMarshal(map[string]any{"textDocument": map[string]string{"uri": uri}})))
}
