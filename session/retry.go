package session

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"ploke-lsp/session/llm"
)

const (
	firstBackOff  = 500 * time.Millisecond // before jitter; doubles with each attempt
	maxBackOff    = 30 * time.Second
	maxRetryAfter = time.Minute // a provider that wants us to wait longer is an error to the user
	brokenRetries = 1           // after an answer that broke off
)

// backOff says whether a request that failed is worth another attempt, and how
// long to wait before it. attempt counts from 1.
func backOff(err error, attempt, retries int) (time.Duration, bool) {
	var e *llm.Error
	if !errors.As(err, &e) || !e.Temporary() || e.RetryAfter > maxRetryAfter {
		return 0, false
	}
	if e.BrokeOff {
		retries = min(retries, brokenRetries)
	}
	if attempt > retries {
		return 0, false
	}
	d := min(firstBackOff<<(attempt-1), maxBackOff)
	d = d/2 + rand.N(d/2)
	return max(d, e.RetryAfter), true
}

// sleep waits for d, or for the end of ctx, whose cause it returns.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
