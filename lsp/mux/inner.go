package mux

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"

	"ploke-lsp/internal/display"
	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/internal/process"
	"ploke-lsp/internal/wire"
)

const (
	errorBytes = 4 << 10 // of the beginning of the inner server's standard error that are kept
	maxCause   = 200     // characters of why it has ended that are shown
)

// program is the process of the inner server, and the connection to it.
type program struct {
	*process.Piped
	errors words
}

// words passes on what the inner server writes to its standard error, and keeps the beginning.
type words struct {
	mu   sync.Mutex
	kept process.Head
	out  io.Writer
}

func (w *words) Write(data []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, _ = w.kept.Write(data) // it only keeps some
	return w.out.Write(data)
}

func (w *words) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	first, _, _ := strings.Cut(strings.TrimSpace(w.kept.String()), "\n")
	return first
}

// Read reads what the server says.
func (p *program) Read(data []byte) (int, error) { return p.Stdout.Read(data) }

// Write writes to the server.
func (p *program) Write(data []byte) (int, error) { return p.Stdin.Write(data) }

// Close closes the streams of the server.
func (p *program) Close() error { return errors.Join(p.Stdin.Close(), p.Stdout.Close()) }

// startInner starts the inner server, or ends it if that fails.
func (m *Mux) startInner() {
	cmd := exec.Command(m.options.Command[0], m.options.Command[1:]...)
	cmd.Env = m.options.Environment
	p := &program{errors: words{kept: process.Head{Limit: errorBytes}, out: m.options.Messages}}
	var err error
	if p.Piped, err = process.StartPiped(cmd, &p.errors); err != nil {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.endInner(fmt.Sprintf("it can't be started: %v", err))
		return
	}
	m.program = p
	m.inner.connect(p, m.unreadAnswer)
	go func() {
		<-p.Exited
		// a process that has left the group may hold it open
		time.AfterFunc(process.PipeGrace, func() { p.Stdout.Close() })
	}()
}

// readInner takes what the inner server sends until it ends.
func (m *Mux) readInner() {
	m.read(m.inner.stream, func(msg jsonrpc2.Message) { m.fromServer(m.inner, msg) })
	ended := m.program.EndsWithin(process.PipeGrace)
	m.program.Kill()
	cause := "it has closed its output"
	if ended {
		cause = cmp.Or(m.program.errors.String(), "it left without a word")
		if m.program.Err != nil {
			cause = m.program.Err.Error() + ": " + cause
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.endInner(cause)
}

// endInner notes that the inner server has ended, or is of no use any more: what waits for it is answered, what it has
// left at the editor is cleared, and the person is told.
func (m *Mux) endInner(cause string) {
	s := m.inner
	if s.state == ended {
		return
	}
	s.state, s.cause, s.held, s.size = ended, display.Clip(display.Name(cause), maxCause), nil, 0
	if m.program != nil {
		go m.program.Kill()
	}
	if m.phase < stopping {
		m.tell(fmt.Sprintf("ploke: %s has ended (%s). ploke-lsp goes on without it; connect the editor again to "+
			"start it again", s.name, s.cause))
	}
	waiting := s.waiting
	s.waiting = map[int64]func(answer){}
	for _, done := range waiting {
		done(s.gone())
	}
	if m.phase == running {
		m.clearInner()
	}
}

// clearInner takes back what the inner server has left at the editor.
func (m *Mux) clearInner() {
	for number, a := range m.asked {
		if a.server == m.inner {
			delete(m.asked, number)
			m.notify(methodCancel, map[string]int64{"id": number})
		}
	}
	for _, token := range m.tokens.take(inner) {
		m.notify(methodProgress, progressEnd(token))
	}
	m.unregisterAll(m.inner)
	m.clearDiagnostics(inner)
}

// stopInner ends the inner server: by itself, if it was told to exit or sees the end of its input.
func (m *Mux) stopInner() {
	if m.program == nil {
		return
	}
	flushing, cancel := context.WithTimeout(context.Background(), m.options.StopTime)
	defer cancel()
	m.inner.stream.Flush(flushing)
	m.program.Stdin.Close()
	m.program.EndsWithin(m.options.StopTime)
	m.program.Kill()
	m.inner.stream.Close()
}

var idOfAnswer = lazyregexp.New(`"id"\s*:\s*(\d{1,18})\s*[,}]`)

// unreadAnswer returns an error in place of an answer of the inner server that can't be read; nil if it is none.
func (m *Mux) unreadAnswer(u *wire.Unread) jsonrpc2.Message {
	for _, end := range [][]byte{u.Head[:min(len(u.Head), 64)], u.Tail[max(0, len(u.Tail)-64):]} {
		if found := idOfAnswer.FindSubmatch(end); found != nil {
			id, err := wire.ParseID(found[1])
			if err == nil {
				return jsonrpc2.NewResponse(id, nil,
					jsonrpc2.NewError(codeRequestFailed, "the answer of the language server can't be read: "+u.Reason))
			}
		}
	}
	m.options.Log.Warn("a message of the inner server can't be read", "reason", u.Reason)
	return nil
}
