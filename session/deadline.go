package session

import (
	"context"
	"sync"
	"time"
)

// deadline is the timeout of a call. It ends the call's context when the call has
// used up its time. While the deadline is paused no time passes, and the call's
// worker is free for other calls. It is safe for concurrent use.
type deadline struct {
	worker chan struct{}   // holds one element for the call unless paused
	ended  <-chan struct{} // closed when the call's context ends

	total time.Duration

	mu     sync.Mutex
	timer  *time.Timer
	left   time.Duration // at the last start
	since  time.Time     // the time of the last start
	pauses int           // the clock runs while this is 0
}

// withDeadline returns a context that ends with cause when d has passed on its clock.
// The clock starts at once; the caller must have put the call's element into worker.
// cancel releases the worker and the timer.
func withDeadline(parent context.Context, worker chan struct{}, d time.Duration,
	cause error) (ctx context.Context, clock *deadline, cancel func()) {
	ctx, end := context.WithCancelCause(parent)
	clock = &deadline{worker: worker, ended: ctx.Done(), total: d, left: d, since: time.Now()}
	clock.timer = time.AfterFunc(d, func() { end(cause) })
	return ctx, clock, func() {
		clock.pause() // permanently: this pause is never undone
		end(context.Canceled)
	}
}

// spent returns how much time has passed on the clock.
func (c *deadline) spent() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	spent := c.total - c.left
	if c.pauses == 0 {
		spent += time.Since(c.since)
	}
	return spent
}

// pause stops the clock until resume was called as often as pause.
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

// resume undoes one pause. The last resume waits for a worker. If the call's context
// ends first, the clock stays stopped.
func (c *deadline) resume() {
	if !c.undoNestedPause() {
		select {
		case c.worker <- struct{}{}:
			c.start()
		case <-c.ended:
		}
	}
}

// undoNestedPause undoes a pause that is not the last one, and reports whether it
// did.
func (c *deadline) undoNestedPause() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pauses == 1 {
		return false
	}
	c.pauses--
	return true
}

// start undoes the last pause; the caller has taken a worker. If there was another
// pause meanwhile, start releases the worker again.
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
