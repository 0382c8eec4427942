package mux

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"ploke-lsp/internal/display"
	"ploke-lsp/internal/wire"
	"ploke-lsp/lsp/client"
	"ploke-lsp/lsp/document"
	ploke "ploke-lsp/lsp/protocol"
)

// Options say which servers there are. Command, Environment, Serve and Own are required.
type Options struct {
	Command     []string // the inner server with its arguments; it runs without a shell
	Environment []string // its own, as NAME=VALUE
	Messages    io.Writer
	// Serve serves ours to a connection until that ends, and closes it.
	Serve func(context.Context, io.ReadWriteCloser) error
	// Own reports whether a document is one that ours writes.
	Own func(uri string) bool
	Log *slog.Logger // nil discards
	// StartTime is how long initialize waits for the inner server, and Patience how long an answer of both waits for the
	// second one; CallTime bounds what ours asks the inner server, and StopTime its end. 0 is the default.
	StartTime, Patience, CallTime, StopTime time.Duration
}

const (
	defaultStartTime = 10 * time.Second // a client such as Eglot waits for 30
	defaultPatience  = 3 * time.Second
	defaultCallTime  = 12 * time.Second // below the time for which ours waits
	defaultStopTime  = 2 * time.Second
	flushTime        = 250 * time.Millisecond
)

func (o *Options) complete() {
	o.StartTime, o.Patience = cmp.Or(o.StartTime, defaultStartTime), cmp.Or(o.Patience, defaultPatience)
	o.CallTime, o.StopTime = cmp.Or(o.CallTime, defaultCallTime), cmp.Or(o.StopTime, defaultStopTime)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Messages == nil {
		o.Messages = io.Discard
	}
}

// A Mux serves one editor.
type Mux struct {
	options Options
	inner   *server
	ours    *server
	program *program // of the inner server; nil if it could not be started
	editor  *wire.Stream

	mu sync.Mutex
	lifecycle
	requests
	tokens        names
	registrations names
	documents     documents
	diagnostics   diagnostics
	resolvable    resolvable
	work          work
	bridge        *bridge
}

// lifecycle is where the connection to the editor is in its life.
type lifecycle struct {
	phase  phase
	untold []string // messages for the person, until the editor is initialized
}

// requests are those that wait for an answer.
type requests struct {
	last    int64                    // number of the last request to the editor
	asked   map[int64]*asked         // of the servers, by that number
	running map[jsonrpc2.ID]*request // of the editor
}

type phase int

const (
	created phase = iota
	initializing
	initialized // initialize was answered
	running     // the editor sent initialized
	stopping    // shutdown was sent
	stopped     // shutdown was answered
)

// New returns a mux that is ready to serve one editor.
func New(o Options) *Mux {
	o.complete()
	m := &Mux{options: o,
		inner: newServer(inner, filepath.Base(o.Command[0])), ours: newServer(ours, "ploke-lsp"),
		requests: requests{asked: map[int64]*asked{}, running: map[jsonrpc2.ID]*request{}},
		tokens:   newNames("progress"), registrations: newNames("registration"),
		documents:   documents{open: map[string]*openDocument{}, extensions: map[string]string{}},
		diagnostics: diagnostics{all: map[string]*published{}},
		resolvable:  resolvable{keys: map[string]bool{}},
		work:        work{running: map[string]string{}, ended: map[string]bool{}},
	}
	m.inner.overflows = func() { m.endInner("it does not read what it is sent") }
	m.bridge = &bridge{mux: m, lent: map[string]int{}}
	return m
}

// Serve serves the editor at the other end of conn until ours has ended, which it does when the editor leaves or ctx is
// done. It closes conn and returns what ours returns. Closing conn must end a pending Read and a pending Write.
func (m *Mux) Serve(ctx context.Context, conn io.ReadWriteCloser) error {
	here, there := newPipe()
	m.editor = wire.NewStream(conn, wire.Events{Unread: document.Unread})
	m.ours.connect(here, nil)
	m.startInner()
	ended := make(chan error, 1)
	go func() { ended <- m.options.Serve(ctx, there) }()
	var readers sync.WaitGroup
	readers.Go(func() {
		m.read(m.editor, m.fromEditor)
		m.ours.stream.Close() // as the editor's end does to a server that stands alone
	})
	readers.Go(func() { m.read(m.ours.stream, func(msg jsonrpc2.Message) { m.fromServer(m.ours, msg) }) })
	if m.program != nil {
		readers.Go(m.readInner)
	}
	err := <-ended
	m.ours.stream.Close()
	m.stopInner()
	flushing, cancel := context.WithTimeout(context.Background(), flushTime)
	defer cancel()
	m.editor.Flush(flushing)
	m.editor.Close()
	readers.Wait()
	return err
}

// pipe is one end of a connection within the process.
type pipe struct {
	*io.PipeReader
	*io.PipeWriter
}

// newPipe returns both ends of a connection.
func newPipe() (a, b pipe) {
	fromB, toA := io.Pipe()
	fromA, toB := io.Pipe()
	return pipe{fromB, toB}, pipe{fromA, toA}
}

// Close ends what the other end reads and writes, and what waits at this one.
func (p pipe) Close() error { return errors.Join(p.PipeReader.Close(), p.PipeWriter.Close()) }

// read takes the messages of a stream until it ends.
func (m *Mux) read(s *wire.Stream, take func(jsonrpc2.Message)) {
	for {
		if s != m.editor {
			m.editor.WaitForCapacity()
		}
		msg, _, err := s.Read(context.Background())
		if err != nil {
			return
		}
		m.mu.Lock()
		take(msg)
		m.mu.Unlock()
	}
}

// reply answers a request of the editor.
func (m *Mux) reply(id jsonrpc2.ID, a answer) {
	m.write(jsonrpc2.NewResponse(id, jsonrpc2.RawMessage(a.result), a.err))
}

// notify sends the editor a notification. Its parameters are encoded, if they are not JSON yet.
func (m *Mux) notify(method string, params any) {
	m.write(jsonrpc2.NewNotification(method, encode(params)))
}

func (m *Mux) write(msg jsonrpc2.Message) {
	_, _ = m.editor.Write(context.Background(), msg) // that the connection has ended is noticed where it is read
}

// tell shows the person a message, once the editor may be sent one.
func (m *Mux) tell(text string) {
	m.options.Log.Warn(text)
	if m.phase < running {
		m.untold = append(m.untold, text)
		return
	}
	m.notify(protocol.MethodWindowShowMessage,
		&protocol.ShowMessageParams{Type: protocol.MessageTypeWarning, Message: display.Message(text)})
}

// An answer is a result, or an error.
type answer struct {
	result json.RawMessage
	err    error
}

// null is the answer of a server that has nothing to say.
var null = answer{result: json.RawMessage("null")}

func failure(code jsonrpc2.Code, text string) answer {
	return answer{err: jsonrpc2.NewError(code, text)}
}

// encode returns parameters as JSON.
func encode(params any) jsonrpc2.RawMessage {
	if raw, ok := params.(json.RawMessage); ok {
		return jsonrpc2.RawMessage(raw)
	}
	data, err := protocol.Marshal(params)
	if err != nil {
		panic(err) // a type of ours
	}
	return jsonrpc2.RawMessage(data)
}

// responsesApart is for how long what follows a response is kept back from the editor.
func responsesApart(params json.RawMessage) time.Duration {
	var p protocol.InitializeParams
	if err := (ploke.Codec{}).Unmarshal(params, &p); err != nil {
		return 0 // ours refuses it
	}
	return client.ResponsesApart(&p)
}
