package client

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"go.lsp.dev/protocol"

	"ploke-lsp/internal/display"
	ploke "ploke-lsp/lsp/protocol"
)

// A Task is work that the client shows as work-done progress.
type Task struct {
	Token      ploke.Token // of a request, which the router cancels by it; if nil, one is made from title
	Title      string
	Percentage bool
	Cancel     func() // called when the client cancels the token made from title; must not block; nil if it can't
}

// progressTimeout is how long a task waits for the client to create its progress.
// After that the task continues without progress.
const progressTimeout = 5 * time.Second

// Progress is one work-done progress of the client. Its methods send nothing unless the
// client shows it.
type Progress struct {
	client  *Client
	token   ploke.Token
	percent int    // the highest that was reported
	forget  func() // the client can't cancel by the token any more
}

// BeginProgress begins a progress with the task's token. If the task has none, it
// creates one, if the client supports that.
func (c *Client) BeginProgress(ctx context.Context, t Task) *Progress {
	p := &Progress{client: c, token: t.Token, forget: func() {}}
	if p.token == nil && c.workDoneProgress {
		p.create(ctx, t)
	}
	if p.token == nil {
		return p
	}
	begin := &protocol.WorkDoneProgressBegin{Kind: "begin", Title: display.Message(t.Title)}
	if t.Percentage {
		begin.Percentage = new(uint32)
	}
	if t.Token != nil || t.Cancel != nil {
		begin.Cancellable = new(bool)
		*begin.Cancellable = true
	}
	c.WaitForCapacity()
	c.progress.begin(p, begin)
	return p
}

// NoProgress returns one that has not begun, so that it shows nothing.
func (c *Client) NoProgress() *Progress { return &Progress{client: c} }

// EndProgress ends each progress and lets none begin any more. It does not wait.
func (c *Client) EndProgress() { c.progress.close() }

// OnCancel lets the client cancel work by the token of its progress, until the returned function is called.
func (c *Client) OnCancel(token ploke.Token, cancel func()) (remove func()) {
	return c.cancels.add(token, cancel)
}

// CancelProgress cancels the work whose progress has the token, if there is any.
func (c *Client) CancelProgress(token ploke.Token) error { return c.cancels.cancel(token) }

// create creates a token for a task, which the client may cancel as soon as it knows it.
// There is no token if the client refuses.
func (p *Progress) create(ctx context.Context, t Task) {
	name := p.client.progress.newToken(t.Title)
	token := ploke.Token(MustMarshal(name))
	if t.Cancel != nil {
		p.forget = p.client.cancels.add(token, t.Cancel)
	}
	ctx, cancel := context.WithTimeout(ctx, progressTimeout)
	defer cancel()
	params := &protocol.WorkDoneProgressCreateParams{Token: protocol.String(name)}
	if err := p.client.Call(ctx, protocol.MethodWindowWorkDoneProgressCreate, params, nil); err != nil {
		p.forget()
		return
	}
	p.token = token
}

// Report updates the message and, if percent is not negative, the percentage, which never
// goes back: work that is found on the way would make it.
func (p *Progress) Report(message string, percent int) {
	p.client.WaitForCapacity()
	p.client.progress.report(p, display.Message(message), percent)
}

// End ends the progress, unless it has ended.
func (p *Progress) End(message string) { p.client.progress.end(p, display.Message(message)) }

// send sends a value of the progress. It does not wait.
func (p *Progress) send(value any) {
	p.client.Notify(protocol.MethodProgress, &ploke.Progress{Token: p.token, Value: value})
}

// shownProgress holds what the client shows: each progress that has begun and has not
// ended. The zero value is ready.
type shownProgress struct {
	mu     sync.Mutex
	all    map[*Progress]bool
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

func (s *shownProgress) begin(p *Progress, begin *protocol.WorkDoneProgressBegin) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	if s.all == nil {
		s.all = map[*Progress]bool{}
	}
	s.all[p] = true
	p.send(begin)
}

func (s *shownProgress) report(p *Progress, message string, percent int) {
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

func (s *shownProgress) end(p *Progress, message string) {
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
	all := slices.Collect(maps.Keys(s.all))
	s.mu.Unlock()
	for _, p := range all {
		s.end(p, "the server is shutting down")
	}
}
