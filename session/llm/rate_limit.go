package llm

import (
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

// retryAfter returns the delay that the server asks for in Retry-After-Ms
// (milliseconds) or Retry-After (seconds, or an HTTP date), or 0. Source: RFC 9110,
// section 10.2.3.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms >= 0 {
		return time.Duration(ms * float64(time.Millisecond))
	}
	value := h.Get("Retry-After")
	if s, err := strconv.ParseFloat(value, 64); err == nil && s >= 0 {
		return time.Duration(s * float64(time.Second))
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}
