package lsp

import (
	"context"
	"fmt"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/lsp/wire"
)

// A task is work that the client shows as work-done progress.
type task struct {
	token      ploke.Token // of a request, which the router cancels by it; if nil, one is made from title
	title      string
	percentage bool
	cancel     func() // called when the client cancels the token made from title; must not block; nil if it can't
}

// progressTimeout is how long a task waits for the client to create its progress.
// After that the task continues without progress.
const progressTimeout = 5 * time.Second

// progress is one work-done progress of the client. Its methods send nothing unless the
// client shows it.
type progress struct {
	client  *client
	token   ploke.Token
	percent int    // the highest that was reported
	forget  func() // the client can't cancel by the token any more
}

// beginProgress begins a progress with the task's token. If the task has none, it
// creates one, if the client supports that.
func (c *client) beginProgress(ctx context.Context, t task) *progress {
	p := &progress{client: c, token: t.token, forget: func() {}}
	if p.token == nil && c.workDoneProgress {
		p.create(ctx, t)
	}
	if p.token == nil {
		return p
	}
	begin := &protocol.WorkDoneProgressBegin{Kind: "begin", Title: t.title}
	if t.percentage {
		begin.Percentage = new(uint32)
	}
	if t.token != nil || t.cancel != nil {
		begin.Cancellable = new(bool)
		*begin.Cancellable = true
	}
	c.waitForCapacity()
	c.shown.begin(p, begin)
	return p
}

// create creates a token for a task, which the client may cancel as soon as it knows it.
// There is no token if the client refuses.
func (p *progress) create(ctx context.Context, t task) {
	name := p.client.shown.newToken(t.title)
	token := ploke.Token(mustMarshal(name))
	if t.cancel != nil {
		p.forget = p.client.cancels.add(token, t.cancel)
	}
	ctx, cancel := context.WithTimeout(ctx, progressTimeout)
	defer cancel()
	params := &protocol.WorkDoneProgressCreateParams{Token: protocol.String(name)}
	if err := protocol.Call(ctx, p.client.conn, protocol.MethodWindowWorkDoneProgressCreate, params, nil); err != nil {
		p.forget()
		return
	}
	p.token = token
}

// Report updates the message and, if percent is not negative, the percentage, which never
// goes back: work that is found on the way would make it.
func (p *progress) Report(message string, percent int) {
	p.client.waitForCapacity()
	p.client.shown.report(p, message, percent)
}

// End ends the progress, unless it has ended.
func (p *progress) End(message string) { p.client.shown.end(p, message) }

// send sends a value of the progress. It does not wait.
func (p *progress) send(value any) {
	p.client.notify(protocol.MethodProgress, &ploke.Progress{Token: p.token, Value: value})
}

// shownProgress holds what the client shows: each progress that has begun and has not
// ended. The zero value is ready.
type shownProgress struct {
	mu     sync.Mutex
	all    map[*progress]bool
	titles map[string]int // how many tokens were made from a title
	closed bool
}

// newToken returns a token that no other progress has had. It reads as a title does, because
// some clients show it.
func (s *shownProgress) newToken(title string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.titles == nil {
		s.titles = map[string]int{}
	}
	s.titles[title]++
	if n := s.titles[title]; n > 1 {
		return fmt.Sprintf("%s (%d)", title, n)
	}
	return title
}

func (s *shownProgress) begin(p *progress, begin *protocol.WorkDoneProgressBegin) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	if s.all == nil {
		s.all = map[*progress]bool{}
	}
	s.all[p] = true
	p.send(begin)
}

func (s *shownProgress) report(p *progress, message string, percent int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.all[p] {
		return
	}
	report := &protocol.WorkDoneProgressReport{Kind: "report", Message: &message}
	if percent >= 0 {
		p.percent = min(max(p.percent, percent), 100)
		percentage := uint32(p.percent)
		report.Percentage = &percentage
	}
	p.send(report)
}

func (s *shownProgress) end(p *progress, message string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all[p] {
		delete(s.all, p)
		p.forget()
		p.send(&protocol.WorkDoneProgressEnd{Kind: "end", Message: &message})
	}
}

// close ends each progress and lets none begin any more. It does not wait.
func (s *shownProgress) close() {
	s.mu.Lock()
	s.closed = true
	var all []*progress
	for p := range s.all {
		all = append(all, p)
	}
	s.mu.Unlock()
	for _, p := range all {
		s.end(p, "the server is shutting down")
	}
}

// cancels holds the functions that cancel running work, by progress token. The zero
// value is ready.
type cancels struct {
	mu  sync.Mutex
	all map[jsonrpc2.ID]*func()
}

// add lets the client cancel work until the returned function is called, which does
// nothing if the token has got other work since.
func (c *cancels) add(token ploke.Token, cancel func()) (remove func()) {
	id, err := wire.ParseID(token)
	if err != nil {
		return func() {}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all == nil {
		c.all = map[jsonrpc2.ID]*func(){}
	}
	c.all[id] = &cancel
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.all[id] == &cancel {
			delete(c.all, id)
		}
	}
}

// cancel cancels the work with a token, if there is any.
func (c *cancels) cancel(token ploke.Token) error {
	id, err := wire.ParseID(token)
	if err != nil {
		return err
	}
	c.mu.Lock()
	cancel := c.all[id]
	c.mu.Unlock()
	if cancel != nil {
		(*cancel)()
	}
	return nil
}

// workDoneProgressCancel cancels the work whose progress the client has cancelled.
func (s *Server) workDoneProgressCancel(_ context.Context, p *ploke.ProgressCancel) error {
	return s.client.cancels.cancel(p.Token)
}
