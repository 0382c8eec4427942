package lsp

import (
	"context"
	"sync"
	"time"

	"go.lsp.dev/protocol"

	ploke "ploke-lsp/lsp/protocol"
)

// A task is work that the client shows as work-done progress.
type task struct {
	token      ploke.Token // the client's; if nil, one is made from id
	id         string      // unique while the server runs
	title      string
	percentage bool
	cancel     func() // called when the client cancels; must not block; nil if the task can't be cancelled
}

// progressTimeout is how long a task waits for the client to create its progress.
// After that the task continues without progress.
const progressTimeout = 5 * time.Second

// progress is one work-done progress of the client. Without a token its methods send
// nothing.
type progress struct {
	client *client
	token  ploke.Token
}

// beginProgress begins a progress with the task's token. If the task has none, it
// creates one, if the client supports that.
func (c *client) beginProgress(ctx context.Context, t task) *progress {
	p := &progress{client: c, token: t.token}
	if p.token == nil && c.workDoneProgress {
		token := protocol.String("ploke/" + t.id)
		ctx, cancel := context.WithTimeout(ctx, progressTimeout)
		defer cancel()
		err := protocol.Call(ctx, c.conn, protocol.MethodWindowWorkDoneProgressCreate, &protocol.WorkDoneProgressCreateParams{Token: token}, nil)
		if err == nil {
			p.token = mustMarshal(string(token))
		}
	}
	begin := &protocol.WorkDoneProgressBegin{Kind: "begin", Title: t.title}
	if t.percentage {
		begin.Percentage = new(uint32)
	}
	if t.cancel != nil {
		begin.Cancellable = new(bool)
		*begin.Cancellable = true
		c.cancels.add(p.token, t.cancel)
	}
	p.send(begin)
	return p
}

// Report updates the message and, if percent is not negative, the percentage.
func (p *progress) Report(message string, percent int) {
	r := &protocol.WorkDoneProgressReport{Kind: "report", Message: &message}
	if percent >= 0 {
		u := uint32(percent)
		r.Percentage = &u
	}
	p.send(r)
}

// End ends the progress.
func (p *progress) End(message string) {
	p.client.cancels.remove(p.token)
	p.send(&protocol.WorkDoneProgressEnd{Kind: "end", Message: &message})
}

func (p *progress) send(value any) {
	if p.token == nil {
		return
	}
	p.client.stream(protocol.MethodProgress, &ploke.Progress{Token: p.token, Value: value})
}

// cancels holds the functions that cancel running work. The zero value is ready.
type cancels struct {
	mu  sync.Mutex
	all map[string]func() // by progress token, as JSON
}

func (c *cancels) add(token ploke.Token, cancel func()) {
	if token == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all == nil {
		c.all = map[string]func(){}
	}
	c.all[string(token)] = cancel
}

func (c *cancels) remove(token ploke.Token) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.all, string(token))
}

// workDoneProgressCancel cancels the work whose progress the client has cancelled.
func (s *Server) workDoneProgressCancel(_ context.Context, p *ploke.ProgressCancel) error {
	c := &s.client.cancels
	c.mu.Lock()
	cancel := c.all[string(p.Token)]
	c.mu.Unlock()
	if cancel != nil {
		cancel()
	}
	return nil
}
