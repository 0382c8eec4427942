package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

const (
	dialTimeout  = time.Minute      // for a server to start and to list its tools
	turnPatience = 20 * time.Second // for which the first turn waits for it
	listTimeout  = 10 * time.Second // for a running server to list its tools again
	pingTimeout  = 5 * time.Second  // for a sign of life after a call took too long
	maxBackOff   = 5 * time.Minute
)

// connection keeps a server connected, from its first use on. It is safe for concurrent use.
type connection struct {
	options Options
	server  Server
	ctx     context.Context // ends with stop
	cancel  context.CancelFunc

	mu       sync.Mutex
	stopped  bool
	link     *link    // nil unless it works
	attempt  *attempt // nil unless one is running
	failure  error    // why there is no link
	deaths   int      // since the last call that worked
	retryAt  time.Time
	reported map[topic]string // the last message to the person about it
	running  sync.WaitGroup   // attempts, and links that are watched
}

// attempt is an attempt to connect.
type attempt struct {
	done     chan struct{}   // closed when it has ended
	patience <-chan struct{} // closed when no turn waits for it any more
}

var errStarting = errors.New("it has not started yet")

// get returns the link, and connects if there is none. It waits until ctx ends, and not longer than one
// turn waits for an attempt. fresh says that the list of tools was just read.
func (c *connection) get(ctx context.Context) (l *link, fresh bool, err error) {
	c.mu.Lock()
	switch {
	case c.stopped:
		c.mu.Unlock()
		return nil, false, errors.New("it is not used any more")
	case c.link != nil:
		defer c.mu.Unlock()
		return c.link, false, nil
	case c.attempt == nil && time.Now().Before(c.retryAt):
		defer c.mu.Unlock()
		return nil, false, c.failure
	case c.attempt == nil:
		c.begin()
	}
	a := c.attempt
	c.mu.Unlock()
	select {
	case <-a.done:
	case <-a.patience:
		return nil, false, errStarting
	case <-ctx.Done():
		return nil, false, context.Cause(ctx)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.link == nil {
		return nil, false, c.failure
	}
	return c.link, true, nil
}

// begin begins an attempt. The lock is held.
func (c *connection) begin() {
	patience := make(chan struct{})
	timer := time.AfterFunc(c.options.patience, func() { close(patience) })
	a := &attempt{done: make(chan struct{}), patience: patience}
	c.attempt = a
	c.running.Go(func() {
		defer timer.Stop()
		defer close(a.done)
		ctx, cancel := context.WithTimeoutCause(c.ctx, c.options.dialTimeout,
			fmt.Errorf("it did not answer within %v", c.options.dialTimeout))
		defer cancel()
		l, err := dial(ctx, c.options, c.server)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.attempt = nil
		if err != nil {
			c.died(err)
			return
		}
		if c.stopped {
			l.kill()
			return
		}
		c.link, c.failure = l, nil
		c.running.Go(func() { c.lose(l, l.ended()) })
	})
}

// lose notes that a link has ended, or ends it, and says why.
func (c *connection) lose(l *link, why error) {
	c.mu.Lock()
	if c.link == l {
		c.link = nil
		c.died(why)
	}
	c.mu.Unlock()
	l.kill()
}

// died notes why there is no link, and when the next attempt may begin: the first one at once, the
// later ones after a time that grows. The lock is held.
func (c *connection) died(why error) {
	c.failure = brief(why)
	delay := time.Duration(0)
	if c.deaths > 0 {
		delay = min(time.Second<<min(2*(c.deaths-1), 20), maxBackOff)
	}
	c.deaths++
	c.retryAt = time.Now().Add(delay)
}

// worked notes that a call has worked.
func (c *connection) worked() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.deaths = 0
}

// topic is what a message to the person is about.
type topic int

const (
	aboutServer topic = iota // whether it can be used
	aboutTools               // which of its tools can't be used
)

// tell returns a message if it is not the last one about its topic. "" says that all is well: the next message is
// told, even if it is the same as the one before.
func (c *connection) tell(about topic, message string) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	same := c.reported[about] == message
	if c.reported == nil {
		c.reported = map[topic]string{}
	}
	if c.reported[about] = message; same || message == "" {
		return nil
	}
	return []string{message}
}

// refresh reads the list of tools again.
func (c *connection) refresh(ctx context.Context, l *link) error {
	if l.program != nil {
		l.program.stdout.restart()
	}
	limited, cancel := context.WithTimeoutCause(ctx, listTimeout,
		fmt.Errorf("it did not list its tools within %v", listTimeout))
	defer cancel()
	again, err := within(limited, func() (*toolList, error) { return listTools(limited, l.session, c.server.Name) })
	if err != nil {
		if ctx.Err() == nil {
			c.lose(l, l.explain(err))
		}
		return brief(err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	l.list = again
	return nil
}

// tools returns the list that was read last.
func (c *connection) tools(l *link) *toolList {
	c.mu.Lock()
	defer c.mu.Unlock()
	return l.list
}

// probe ends a link that does not answer a ping. It does not wait.
func (c *connection) probe(l *link) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopped {
		return
	}
	c.running.Go(func() {
		ctx, cancel := context.WithTimeout(c.ctx, c.options.pingTimeout)
		defer cancel()
		_, _ = within(ctx, func() (any, error) { return nil, l.session.Ping(ctx, nil) }) // any answer is a sign of life
		if ctx.Err() != nil {
			c.lose(l, errors.New("it does not answer any more"))
		}
	})
}

// within waits for do, or until ctx ends. A server that does not read what it is sent holds up do until the
// link is killed.
func within[T any](ctx context.Context, do func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	result := make(chan outcome, 1)
	go func() {
		value, err := do()
		result <- outcome{value, err}
	}()
	select {
	case o := <-result:
		return o.value, o.err
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
}

// stop ends the connection for good, and waits for the end of a program.
func (c *connection) stop() {
	c.mu.Lock()
	c.stopped = true
	l := c.link
	c.link = nil
	c.mu.Unlock()
	c.cancel()
	if l != nil {
		l.close()
	}
	c.running.Wait()
}
