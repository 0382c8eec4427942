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
// read a long prompt or reason first, and Idle between two reads.
const (
	FirstByte = 10 * time.Minute
	Idle      = 5 * time.Minute
)

// stalledError ends a request whose server sent nothing for too long.
type stalledError struct{ limit time.Duration }

func (e *stalledError) Error() string { return fmt.Sprintf("the server sent nothing for %v", e.limit) }

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
	end := func(limit time.Duration) *time.Timer {
		return time.AfterFunc(limit, func() { cancel(&stalledError{limit}) })
	}
	timer := end(g.firstByte)
	response, err := g.next.RoundTrip(r.WithContext(ctx))
	if err != nil {
		timer.Stop()
		err = stallCause(ctx, err)
		cancel(nil)
		return nil, err
	}
	response.Body = &idleTimeoutBody{ReadCloser: response.Body, ctx: ctx, cancel: cancel, timer: timer,
		startTimer: func() *time.Timer { return end(g.idle) }}
	return response, nil
}

// idleTimeoutBody measures the time only during reads, so that a slow reader is not
// mistaken for a quiet server.
type idleTimeoutBody struct {
	io.ReadCloser
	ctx        context.Context
	cancel     context.CancelCauseFunc
	timer      *time.Timer // of the running read; before the first read, of the request
	begun      bool
	startTimer func() *time.Timer
}

func (b *idleTimeoutBody) Read(p []byte) (int, error) {
	if b.begun {
		b.timer = b.startTimer()
	}
	n, err := b.ReadCloser.Read(p)
	b.timer.Stop()
	b.begun = true
	if err != nil {
		err = stallCause(b.ctx, err)
	}
	return n, err
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
