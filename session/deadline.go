package session

import (
	"context"
	"sync"
	"time"
)

// deadline is the clock of a call: it ends the call's context when the call has
// used up its time, of which none passes while the clock stands still. It is
// safe for concurrent use.
type deadline struct {
	mu     sync.Mutex
	timer  *time.Timer
	left   time.Duration // when the clock was last started
	since  time.Time     // when that was
	pauses int           // the clock runs while there is none
}

// withDeadline returns a context that ends with cause when d has passed on its
// clock, which runs at once. cancel frees both.
func withDeadline(parent context.Context, d time.Duration, cause error) (ctx context.Context, clock *deadline, cancel func()) {
	ctx, end := context.WithCancelCause(parent)
	clock = &deadline{left: d, since: time.Now()}
	clock.timer = time.AfterFunc(d, func() { end(cause) })
	return ctx, clock, func() {
		clock.pause()
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
	}
}

// resume undoes one pause.
func (c *deadline) resume() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pauses--
	if c.pauses == 0 {
		c.since = time.Now()
		c.timer.Reset(c.left)
	}
}
