package session

import (
	"context"
	"sync"
	"time"
)

// deadline is the clock of a call: it ends the call's context when the call has
// used up its time. While the clock stands still no time passes, and the call's
// worker is free for others. It is safe for concurrent use.
type deadline struct {
	worker chan struct{}   // holds one element for the call while the clock runs
	ended  <-chan struct{} // closed at the end of the call's context

	mu     sync.Mutex
	timer  *time.Timer
	left   time.Duration // when the clock was last started
	since  time.Time     // when that was
	pauses int           // the clock runs while there is none
}

// withDeadline returns a context that ends with cause when d has passed on its
// clock, which runs at once: the caller has put the call's element into worker.
// cancel frees everything.
func withDeadline(parent context.Context, worker chan struct{}, d time.Duration, cause error) (ctx context.Context, clock *deadline, cancel func()) {
	ctx, end := context.WithCancelCause(parent)
	clock = &deadline{worker: worker, ended: ctx.Done(), left: d, since: time.Now()}
	clock.timer = time.AfterFunc(d, func() { end(cause) })
	return ctx, clock, func() {
		clock.pause() // for good: nobody undoes this one
		end(context.Canceled)
	}
}

// pause makes the clock stand still until resume was called as often.
func (c *deadline) pause() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pauses++
	if c.pauses == 1 {
		c.timer.Stop()
		c.left -= time.Since(c.since)
		<-c.worker
	}
}

// resume undoes one pause. The last one waits for a worker, unless the call's
// context is over: then the clock stands still for good.
func (c *deadline) resume() {
	if !c.undoNestedPause() {
		select {
		case c.worker <- struct{}{}:
			c.start()
		case <-c.ended:
		}
	}
}

func (c *deadline) undoNestedPause() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pauses == 1 {
		return false
	}
	c.pauses--
	return true
}

// start undoes the last pause with a worker in hand, which goes back if there
// was another pause meanwhile.
func (c *deadline) start() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pauses--
	if c.pauses > 0 {
		<-c.worker
		return
	}
	c.since = time.Now()
	c.timer.Reset(c.left)
}
