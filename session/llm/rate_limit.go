package llm

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// rateLimited reports whether a server refused a request because of its rate limit:
// by status 429, or by an error code.
func rateLimited(status int, code string) bool {
	return status == http.StatusTooManyRequests || strings.HasPrefix(code, "rate_limit")
}

// waitOf returns how long to wait before e's request is sent again: what the server asks for in its
// headers or its words, or 0.
func waitOf(e *Error, h http.Header, now time.Time) time.Duration {
	wait := retryAfter(h, now)
	if wait == 0 {
		wait = e.RetryAfter
	}
	if wait == 0 && e.Class == RateLimit { // other answers have these headers, too
		wait = resetAfter(h, now)
	}
	return wait
}

// retryAfter returns the delay that the server asks for in Retry-After-Ms
// (milliseconds) or Retry-After (seconds, or an HTTP date), or 0. Source: RFC 9110,
// section 10.2.3.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms >= 0 {
		return delayOf(ms, time.Millisecond)
	}
	return delayUntil(cmp.Or(h.Get("Retry-After"), h.Get("X-Retry-After")), now)
}

// resetAfter returns the time until the limits that are used up begin again, or 0. The headers have many names, such as
// X-RateLimit-Reset-Tokens and Anthropic-Ratelimit-Requests-Reset. A limit of which something is left did not refuse a
// request.
func resetAfter(h http.Header, now time.Time) (wait time.Duration) {
	for name := range h {
		lower := strings.ToLower(name)
		if !strings.Contains(strings.ReplaceAll(lower, "rate-limit", "ratelimit"), "ratelimit") ||
			!strings.Contains(lower, "reset") {
			continue
		}
		left, err := strconv.ParseFloat(h.Get(strings.Replace(lower, "reset", "remaining", 1)), 64)
		if err != nil || left <= 0 {
			wait = max(wait, delayUntil(h.Get(name), now))
		}
	}
	return wait
}
