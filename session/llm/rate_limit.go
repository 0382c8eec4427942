package llm

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"ploke-lsp/internal/lazyregexp"
)

// rateLimited reports whether a server refused a request because of its rate limit:
// by status 429, or by an error code.
func rateLimited(status int, code string) bool {
	return status == http.StatusTooManyRequests || strings.HasPrefix(code, "rate_limit")
}

// waitOf returns how long to wait before e's request is sent again: what the server asks for in its
// headers or its words, or 0.
func waitOf(e *Error, h http.Header, now time.Time) time.Duration {
	wait := cmp.Or(retryAfter(h, now), e.RetryAfter)
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

const (
	maxDelay = 365 * 24 * time.Hour
	// Numbers from these on are times of the clock, in seconds and milliseconds since 1970; smaller ones are delays.
	leastUnix, leastUnixMilli = 1e9, 1e12
)

// delayOf returns n units, or maxDelay if that is less.
func delayOf(n float64, unit time.Duration) time.Duration {
	if n >= float64(maxDelay)/float64(unit) {
		return maxDelay
	}
	return time.Duration(n * float64(unit))
}

// delayUntil returns the delay that a value means: seconds, a duration such as 1m20.5s, or a time
// as in HTTP, RFC 3339 or since
// 1970. It is 0 if it means none.
func delayUntil(value string, now time.Time) time.Duration {
	value = strings.TrimSpace(value)
	if n, err := strconv.ParseFloat(value, 64); err == nil {
		switch {
		case n >= leastUnixMilli && n < leastUnixMilli*100:
			return max(0, time.UnixMilli(int64(n)).Sub(now))
		case n >= leastUnix && n < leastUnixMilli:
			return max(0, time.Unix(int64(n), 0).Sub(now))
		case n > 0:
			return delayOf(n, time.Second)
		}
		return 0
	}
	if at, err := time.Parse(time.RFC3339, value); err == nil {
		return max(0, at.Sub(now))
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, at.Sub(now))
	}
	return durationIn(value)
}

var (
	durationPart = lazyregexp.New(`(?i)^(?:\s|,|and\b)*([0-9]+(?:\.[0-9]+)?)[\s-]*([a-z]+)`)
	units        = map[string]time.Duration{
		"ms": time.Millisecond, "msec": time.Millisecond, "millisecond": time.Millisecond,
		"s": time.Second, "sec": time.Second, "second": time.Second,
		"m": time.Minute, "min": time.Minute, "minute": time.Minute,
		"h": time.Hour, "hr": time.Hour, "hour": time.Hour,
		"d": 24 * time.Hour, "day": 24 * time.Hour,
	}
)

// durationIn returns the duration that a text begins with, such as 4.2s, 1m20.5s, "20 seconds" and
// "1 minute and 5 s", or 0.
func durationIn(text string) (d time.Duration) {
	for {
		part := durationPart.FindStringSubmatch(text)
		if part == nil {
			return d
		}
		unit, known := units[unitName(part[2])]
		n, err := strconv.ParseFloat(part[1], 64)
		if !known || err != nil {
			return d
		}
		d, text = min(d+delayOf(n, unit), maxDelay), text[len(part[0]):]
	}
}

// unitName returns the singular of a unit's name.
func unitName(name string) string {
	name = strings.ToLower(name)
	if name != "s" && name != "ms" {
		name = strings.TrimSuffix(name, "s")
	}
	return name
}

var (
	// waitField matches fields such as "retryDelay": "4.2s", also in JSON within a string.
	waitField = lazyregexp.New(`(?i)["']?\b(retry[_-]?delay|retry[_-]?after(?:[_-]?(?:ms|secs|seconds|milliseconds))?|` +
		`retry[_-]?in|resets?[_-]?(?:after|in)(?:[_-]?seconds)?|estimated_time|` +
		`wait(?:[_-]?(?:time|seconds))?)\\*["']?\s*[:=]\s*\\*["']?([0-9][^"'\\,;}\s]*)`)
	// waitMessage matches how Google's libraries write a field retry_delay.
	waitMessage = lazyregexp.New(`(?i)\bretry_?delay\\*"?\s*:?\s*\{\s*\\*"?seconds\\*"?\s*:\s*\\*"?([0-9]+)`)
	// waitText matches words about waiting with the number behind them.
	waitText = lazyregexp.New(`(?i)\b(?:try|trying|retry|retrying|again|wait|waiting|resets?|available|allowed|` +
		`cool-?down|retry-after)\b[^.0-9]{0,40}?([0-9].*)`)
	// waitSeconds matches a number without a unit.
	waitSeconds = lazyregexp.New(`(?i)\b(?:again|retry|wait)[ -](?:in|after|for)["']?\s*:?\s*([0-9]+(?:\.[0-9]+)?)(?:[.,` +
		`;)]*$|[,;)]|\. )`)
	// waitClock matches a time of the clock.
	waitClock = lazyregexp.New(`(?i)\b(?:again|retry|wait|resets?|` +
		`available)\b[^.0-9]{0,40}?([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+(?:Z|[+-][0-9:]+))`)
)

// waitIn returns how long the body of an error, with its words, asks to wait, or 0.
func waitIn(body []byte, words string, now time.Time) time.Duration {
	for _, wait := range []func() time.Duration{
		func() time.Duration { return waitInFields(string(body)+"\n"+words, now) },
		func() time.Duration { return waitInWords(words, now) },
		func() time.Duration { return waitInHeaders(body, now) },
	} {
		if d := wait(); d > 0 {
			return d
		}
	}
	return 0
}

func waitInFields(body string, now time.Time) time.Duration {
	if m := waitMessage.FindStringSubmatch(body); m != nil {
		return delayUntil(m[1], now)
	}
	for _, m := range waitField.FindAllStringSubmatch(body, -1) {
		name, value := strings.ToLower(m[1]), m[2]
		if strings.HasSuffix(name, "ms") || strings.HasSuffix(name, "milliseconds") {
			value += "ms"
		}
		if d := delayUntil(value, now); d > 0 {
			return d
		}
	}
	return 0
}

func waitInWords(words string, now time.Time) time.Duration {
	if m := waitClock.FindStringSubmatch(words); m != nil {
		return delayUntil(m[1], now)
	}
	for rest := words; ; {
		m := waitText.FindStringSubmatch(rest)
		if m == nil {
			break
		}
		if d := durationIn(m[1]); d > 0 {
			return d
		}
		rest = m[1]
	}
	if m := waitSeconds.FindStringSubmatch(words); m != nil {
		return delayUntil(m[1], now)
	}
	return 0
}

// waitInHeaders reads the headers of the server behind a proxy, which OpenRouter repeats.
func waitInHeaders(body []byte, now time.Time) time.Duration {
	h := http.Header{}
	gjson.GetBytes(body, "error.metadata.headers").ForEach(func(name, value gjson.Result) bool {
		h.Set(name.String(), value.String())
		return true
	})
	return max(retryAfter(h, now), resetAfter(h, now))
}
