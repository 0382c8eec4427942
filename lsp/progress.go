package lsp

import (
	"context"
	"sync"
	"time"

	"go.lsp.dev/protocol"

	ploke "ploke-lsp/lsp/protocol"
)

// A task is work that the client shows as a work-done progress.
type task struct {
	token      ploke.Token // the client's; where nil one is made of id
	id         string      // unique while the server lives
	title      string
	percentage bool
	cancel     func() // for when the client cancels the progress; nil: it can't. It must not wait
}

// progressPatience is how long work waits for the client to make room for its
// progress; after that it goes on unseen.
const progressPatience = 5 * time.Second

// progress is one work-done progress in the client; without a token it is
// silent, so that callers need not ask.
type progress struct {
	client *client
	token  ploke.Token
}

// beginProgress starts a progress under a token that the client gave, or, where
// it gave none, under one of ours if the client declared that it may be made.
func (c *client) beginProgress(ctx context.Context, t task) *progress {
	p := &progress{client: c, token: t.token}
	if p.token == nil && c.workDoneProgress {
		token := protocol.String("ploke/" + t.id)
		ctx, cancel := context.WithTimeout(ctx, progressPatience)
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

// report updates the message and, where percent is not negative, the percentage.
func (p *progress) report(message string, percent int) {
	r := &protocol.WorkDoneProgressReport{Kind: "report", Message: &message}
	if percent >= 0 {
		u := uint32(percent)
		r.Percentage = &u
	}
	p.send(r)
}

// end ends the progress.
func (p *progress) end(message string) {
	p.client.cancels.remove(p.token)
	p.send(&protocol.WorkDoneProgressEnd{Kind: "end", Message: &message})
}

func (p *progress) send(value any) {
	if p.token == nil {
		return
	}
	p.client.stream(protocol.MethodProgress, &ploke.Progress{Token: p.token, Value: value})
}

// cancels are what the client may cancel at the moment. The zero value is ready.
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

// workDoneProgressCancel cancels the work whose progress the client cancelled.
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
