package llm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// Default timeouts: FirstByte until the first byte of a response, since a model may
// read a long prompt or reason first, and Idle between two reads. The longer one also
// bounds the time from one event to the next: keep-alives are none.
const (
	FirstByte = 10 * time.Minute
	Idle      = 5 * time.Minute
)

// stalledError ends a request whose server sent nothing for too long, or nothing but keep-alives.
type stalledError struct {
	sent  string
	limit time.Duration
}

func (e *stalledError) Error() string {
	return fmt.Sprintf("the server sent %s for %v", e.sent, e.limit)
}

const (
	sentNothing  = "nothing"
	sentNoAnswer = "no part of an answer" // but maybe keep-alives
)

// withIdleTimeout returns a copy of c, which may be nil, that ends a request with a
// [*stalledError] when the server sends nothing for too long.
func withIdleTimeout(c *http.Client, firstByte, idle time.Duration) *http.Client {
	var client http.Client
	if c != nil {
		client = *c
	}
	guard := idleTimeoutTransport{next: client.Transport, firstByte: firstByte, idle: idle}
	if guard.next == nil {
		guard.next = http.DefaultTransport
	}
	if guard.firstByte == 0 {
		guard.firstByte = FirstByte
	}
	if guard.idle == 0 {
		guard.idle = Idle
	}
	client.Transport = guard
	return &client
}

type idleTimeoutTransport struct {
	next            http.RoundTripper
	firstByte, idle time.Duration
}

func (g idleTimeoutTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(r.Context())
	end := func(after time.Duration, why *stalledError) *time.Timer {
		return time.AfterFunc(after, func() { cancel(why) })
	}
	timer := end(g.firstByte, &stalledError{sentNothing, g.firstByte})
	response, err := g.next.RoundTrip(r.WithContext(ctx))
	if err != nil {
		timer.Stop()
		err = stallCause(ctx, err)
		cancel(nil)
		return nil, err
	}
	response.Body = &idleTimeoutBody{ReadCloser: response.Body, ctx: ctx, cancel: cancel, timer: timer,
		end: end, idle: g.idle, eventless: max(g.firstByte, g.idle)}
	return response, nil
}

// idleTimeoutBody measures the time only during reads, so that a slow reader is not
// mistaken for a quiet server.
type idleTimeoutBody struct {
	io.ReadCloser
	ctx    context.Context
	cancel context.CancelCauseFunc
	timer  *time.Timer // of the running read; before the first read, of the request
	begun  bool
	end    func(after time.Duration, why *stalledError) *time.Timer

	idle, eventless time.Duration // timeouts of one read, and of all reads from one event to the next
	waited          time.Duration // in the reads since the last event
}

func (b *idleTimeoutBody) Read(p []byte) (int, error) {
	if b.begun {
		b.timer = b.startTimer()
	}
	began := time.Now()
	n, err := b.ReadCloser.Read(p)
	b.timer.Stop()
	b.waited += time.Since(began)
	b.begun = true
	if err != nil {
		err = stallCause(b.ctx, err)
	}
	return n, err
}

// startTimer starts the timer of a read.
func (b *idleTimeoutBody) startTimer() *time.Timer {
	if left := b.eventless - b.waited; left < b.idle {
		return b.end(left, &stalledError{sentNoAnswer, b.eventless})
	}
	return b.end(b.idle, &stalledError{sentNothing, b.idle})
}

// noteEvent says that an event was read.
func (b *idleTimeoutBody) noteEvent() { b.waited = 0 }

// noteEvent tells the body of a response that an event was read from it.
func noteEvent(body io.Reader) {
	if b, ok := body.(interface{ noteEvent() }); ok {
		b.noteEvent()
	}
}

func (b *idleTimeoutBody) Close() error {
	b.timer.Stop()
	b.cancel(nil)
	return b.ReadCloser.Close()
}

// stallCause returns the [*stalledError] that ended ctx, or err if there is none.
func stallCause(ctx context.Context, err error) error {
	var stalled *stalledError
	if errors.As(context.Cause(ctx), &stalled) {
		return stalled
	}
	return err
}
