package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	ploke "ploke-lsp/lsp/protocol"
)

// server is a running `ploke-lsp serve` with a tree open, as its client uses it.
type server struct {
	cmd        *exec.Cmd
	conn       jsonrpc2.Conn
	encoding   ploke.Encoding
	started    time.Time
	untilReady time.Duration // from the start of the process until the index is ready

	mu        sync.Mutex
	failure   string
	ready     chan time.Time // when the index became ready
	firstPart chan time.Time // when the first part of an answer arrived
}

// pipes joins the standard streams of a process to one connection.
type pipes struct {
	io.ReadCloser
	in io.WriteCloser
}

func (p pipes) Write(data []byte) (int, error) { return p.in.Write(data) }
func (p pipes) Close() error                   { return errors.Join(p.in.Close(), p.ReadCloser.Close()) }

// readyTimeout bounds the time for indexing.
const readyTimeout = 10 * time.Minute

// serve starts a server on the tree, with additional environment variables, and waits until its
// index is ready.
func (b *bench) serve(ctx context.Context, t *tree, environment ...string) (*server, error) {
	s := &server{ready: make(chan time.Time, 1), firstPart: make(chan time.Time, 1)}
	s.cmd = exec.CommandContext(ctx, b.bin, "serve", "--state-dir", t.state)
	s.cmd.Env = append(os.Environ(), environment...)
	in, err := s.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.started = time.Now()
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	s.conn = jsonrpc2.NewConn(jsonrpc2.NewStream(pipes{out, in}), jsonrpc2.WithCodec(ploke.Codec{}))
	s.conn.Go(ctx, s.handle)
	if err := s.open(ctx, t.dir); err != nil {
		return nil, errors.Join(err, s.kill())
	}
	return s, nil
}

// open initializes the server and waits until its index is ready.
func (s *server) open(ctx context.Context, dir string) error {
	experimental, err := json.Marshal(ploke.Experimental{Ploke: ploke.Capabilities{Version: ploke.Version,
		Methods: []string{ploke.MethodEvent, ploke.MethodClientState}}})
	if err != nil {
		return err
	}
	params := &protocol.InitializeParams{
		ClientInfo:   protocol.ClientInfo{Name: "bench"},
		Capabilities: protocol.ClientCapabilities{Experimental: experimental},
	}
	params.WorkspaceFolders = protocol.NewNullable([]protocol.WorkspaceFolder{{URI: uri.File(dir), Name: filepath.Base(dir)}})
	var answer protocol.InitializeResult
	if _, err := s.conn.Call(ctx, protocol.MethodInitialize, params, &answer); err != nil {
		return err
	}
	s.encoding = answer.Capabilities.PositionEncoding
	if err := s.conn.Notify(ctx, protocol.MethodInitialized, &protocol.InitializedParams{}); err != nil {
		return err
	}
	select {
	case at := <-s.ready:
		s.untilReady = at.Sub(s.started)
	case <-s.conn.Done():
		return fmt.Errorf("the server went away: %w", s.conn.Err())
	case <-time.After(readyTimeout):
		return fmt.Errorf("the index is not ready after %v", readyTimeout)
	case <-ctx.Done():
		return ctx.Err()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failure != "" {
		return errors.New(s.failure)
	}
	return nil
}

// handle handles the server's notifications about the index, the first parts of answers and messages about
// errors, and ignores all others. The editor has no cursor, so that nothing is found for being near it.
func (s *server) handle(_ context.Context, req *jsonrpc2.Request) (any, error) {
	switch req.Method() {
	case ploke.MethodEvent:
		var e ploke.Event
		if err := protocol.Unmarshal(req.Params(), &e); err != nil {
			return nil, err
		}
		s.handleIndexEvent(e)
	case ploke.MethodClientState:
		return &ploke.ClientState{Visible: []uri.URI{}, Recent: []uri.URI{}}, nil
	case protocol.MethodWindowShowMessage:
		var p protocol.ShowMessageParams
		if err := protocol.Unmarshal(req.Params(), &p); err != nil {
			return nil, err
		}
		if p.Type == protocol.MessageTypeError {
			s.opened(p.Message) // such as of a state that another version has written
		}
	case protocol.MethodProgress:
		came := time.Now()
		var p struct {
			Value ploke.Event `json:"value"`
		}
		if err := protocol.Unmarshal(req.Params(), &p); err != nil {
			return nil, err
		}
		s.noteFirstPart(p.Value.Part, came)
	}
	return nil, nil
}

// noteFirstPart records the time of the first text of a turn. The end of the turn comes later, with
// the response.
func (s *server) noteFirstPart(p ploke.Part, came time.Time) {
	if p.Type != ploke.PartMessage {
		return
	}
	select {
	case s.firstPart <- came:
	default: // not the first
	}
}

// handleIndexEvent records when the index becomes ready.
func (s *server) handleIndexEvent(e ploke.Event) {
	if e.Type != ploke.PartIndex || e.Index.State != "ready" && e.Index.State != "failed" {
		return
	}
	s.opened(e.Index.Error)
}

// opened notes that the index is ready, or why it never will be.
func (s *server) opened(failure string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failure = failure
	select {
	case s.ready <- time.Now():
	default: // a later scan
	}
}

// shutDown shuts the server down as LSP requires and waits for its end.
func (s *server) shutDown(ctx context.Context) error {
	if _, err := s.conn.Call(ctx, protocol.MethodShutdown, nil, nil); err != nil {
		return errors.Join(err, s.kill())
	}
	_ = s.conn.Notify(ctx, protocol.MethodExit, nil)
	err := s.cmd.Wait()
	s.conn.Close()
	return err
}

func (s *server) kill() error {
	err := s.cmd.Process.Kill()
	s.conn.Close()
	_ = s.cmd.Wait()
	return err
}
