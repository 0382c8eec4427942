package session

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"ploke-lsp/session/llm"
)

const (
	firstBackOff = 500 * time.Millisecond // before jitter; doubles with each attempt
	// the same after a rate limit of which the server does not say when it ends; most are by the minute
	firstRateWait = 8 * time.Second
	maxBackOff    = 30 * time.Second
	maxRetryAfter = time.Minute // a longer delay is reported to the user as an error
	brokenRetries = 1           // after a response that broke off
)

// backOff reports whether a failed request should be repeated, and the delay before
// the next attempt: exponential with jitter, or the time that the provider asks for if
// that is longer. attempt counts from 1.
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
	first := firstBackOff
	if e.Class == llm.RateLimit && e.RetryAfter == 0 {
		first = firstRateWait
	}
	d := min(first<<(attempt-1), maxBackOff)
	d = d/2 + rand.N(d/2)
	return max(d, e.RetryAfter), true
}

// sleep waits for d. If ctx ends first, it returns the cause.
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

// fallBack continues the turn with the configured fallback model if err says that the
// turn's model is overloaded. Otherwise it returns err.
func (q *requester) fallBack(ctx context.Context, err error) error {
	var e *llm.Error
	if q.setup.fallback == "" || !errors.As(err, &e) || e.Class != llm.Overloaded && e.Class != llm.RateLimit {
		return err
	}
	name := q.setup.fallback
	q.setup.fallback = "" // only one fallback a turn
	model, findErr := q.e.opts.Model(ctx, name)
	if findErr != nil {
		return orElse(context.Cause(ctx), fmt.Errorf("%w; the fallback model can't be used either: %v", err, findErr))
	}
	if modelName(model) == modelName(q.setup.model) {
		return err
	}
	q.notice(fmt.Sprintf("using %s, since %s can't answer now", modelName(model), modelName(q.setup.model)))
	q.use(model)
	return nil
}
