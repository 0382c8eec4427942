package llm_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"ploke-lsp/session/llm"
)

// waitAfter returns what a provider makes of an answer with an error status.
func waitAfter(t *testing.T, status int, header map[string]string, body string) time.Duration {
	t.Helper()
	base := serve(t, func(w http.ResponseWriter, r *http.Request) {
		for name, value := range header {
			w.Header().Set(name, value)
		}
		w.WriteHeader(status)
		io.WriteString(w, body)
	})
	_, _, _, _, err := collect(t.Context(), llm.OpenAI(llm.OpenAIConfig{Name: "test", BaseURL: base}), question("hi"))
	return errorOf(t, err).RetryAfter
}

func TestWaitingTimesInBodies(t *testing.T) {
	const s = time.Second
	for body, want := range map[string]time.Duration{
		`{"error":{"code":429,"details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"4.2s"}]}}`:    4200 * time.Millisecond,
		`[{"error":{"code":429,"message":"Quota","details":[{"x":1},{"retryDelay":"22s"}]}}]`:                            22 * s,
		`{"error":{"message":"{\n \"error\": {\"details\": [{\"retryDelay\": \"7s\"}]}}"}}`:                              7 * s,
		`{"error":{"message":"429 retry_delay {\n  seconds: 22\n}"}}`:                                                    22 * s,
		`{"error":{"details":[{"retryDelay":{"seconds":5}}]}}`:                                                           5 * s,
		`{"error":{"message":"slow"},"retry_after":3}`:                                                                   3 * s,
		`{"error":{"message":"slow","retry_after_ms":1500}}`:                                                             1500 * time.Millisecond,
		`{"message":"You are being rate limited.","retry_after":0.5}`:                                                    s / 2,
		`{"error":{"message":"slow","resets_in_seconds":13}}`:                                                            13 * s,
		`{"wait":"14s","message":"slow"}`:                                                                                14 * s,
		`{"error":"Model m is currently loading","estimated_time":20.0}`:                                                 20 * s,
		`{"error":{"message":"slow","metadata":{"headers":{"X-RateLimit-Remaining":"0","X-RateLimit-Reset":"NOW+30"}}}}`: 30 * s,
	} {
		at := fmt.Sprint(time.Now().Add(30*s + 900*time.Millisecond).UnixMilli())
		got := waitAfter(t, 429, nil, strings.ReplaceAll(body, "NOW+30", at))
		if got < want || got > want+s && strings.Contains(body, "NOW") || got != want && !strings.Contains(body, "NOW") {
			t.Errorf("%s: %v, want %v", body, got, want)
		}
	}
	for words, want := range map[string]time.Duration{
		"Please try again in 4s":   4 * s,
		"Please try again in 4s.":  4 * s,
		"Please try again in 20ms": 20 * time.Millisecond,
		"Rate limit reached for m in organization o on tokens per min (TPM): Limit 30000, Used 29000, Requested 4000. Please try again in " +
			"8.5s. Visit x.": 8500 * time.Millisecond,
		"try again in 1m20.5s":                         80500 * time.Millisecond,
		"Please try again in 1h2m3s":                   3723 * s,
		"in 1m20.5s you may retry: try in 2s":          2 * s,
		"Please retry after 20 seconds":                20 * s,
		"Please retry after 1 second.":                 s,
		"Retry after 3 sec":                            3 * s,
		"Please retry in 22.108919894s.":               22108919894,
		"Please wait 30 seconds before trying":         30 * s,
		"wait for 2 minutes, then try again":           2 * time.Minute,
		"Try again in about 1 minute and 5 secs":       65 * s,
		"Your limit resets in 12 s":                    12 * s,
		"Throttled. Expected available in 27 seconds.": 27 * s,
		"Retry-After: 5":                               5 * s,
		"Please retry after 20":                        20 * s,
		"try again in 350 milliseconds":                350 * time.Millisecond,
		"try again in 999999999999999999999 hours":     365 * 24 * time.Hour,
		"next request allowed in 4 seconds":            4 * s,
		"cooldown 20 seconds":                          20 * s,
		"slow down":                                    0,
		"retry with fewer than 4096 tokens":            0,
		"try again with 2 messages":                    0,
		"try again in a few seconds":                   0,
		"Limit 30000, Used 29000":                      0,
		"version 4s is too old":                        0,
	} {
		for _, body := range []string{saying(words), words} {
			if got := waitAfter(t, 429, nil, body); got != want {
				t.Errorf("%s: %v, want %v", body, got, want)
			}
		}
		if got := waitAfter(t, 503, nil, saying(words)); got != want {
			t.Errorf("503 %s: %v, want %v", words, got, want)
		}
		if got := waitAfter(t, 400, nil, saying(words)); got != 0 {
			t.Errorf("400 %s: %v", words, got)
		}
	}
}

func TestWaitingTimesInHeaders(t *testing.T) {
	const s = time.Second
	type headers = map[string]string
	soon := time.Now().Add(40 * s)
	for _, tt := range []struct {
		header      headers
		body        string
		least, most time.Duration
	}{
		{headers{"Retry-After": "7"}, "try again in 9s", 7 * s, 7 * s},
		{headers{"Retry-After": "1.5s"}, "", 1500 * time.Millisecond, 1500 * time.Millisecond},
		{headers{"Retry-After-Ms": "250", "Retry-After": "1"}, "", 250 * time.Millisecond, 250 * time.Millisecond},
		{headers{"Retry-After": soon.UTC().Format(http.TimeFormat)}, "", 20 * s, 40 * s},
		{headers{"Retry-After": "1e300"}, "", 365 * 24 * time.Hour, 365 * 24 * time.Hour},
		{headers{"Retry-After": "soon"}, "", 0, 0},
		{headers{"Retry-After": "-5"}, "", 0, 0},
		{headers{"Retry-After": "NaN"}, "", 0, 0},
		{headers{"X-RateLimit-Reset": "4"}, "", 4 * s, 4 * s},
		{headers{"X-RateLimit-Reset": fmt.Sprint(soon.Unix())}, "", 20 * s, 40 * s},
		{headers{"X-RateLimit-Reset": fmt.Sprint(soon.UnixMilli())}, "", 20 * s, 40 * s},
		{headers{"X-RateLimit-Reset": "1"}, "try again in 9s", 9 * s, 9 * s},
		{headers{"X-RateLimit-Reset-Requests": "1s", "X-RateLimit-Reset-Tokens": "1m0s"}, "", 60 * s, 60 * s},
		{headers{"X-RateLimit-Reset-Requests": "7m12s", "X-RateLimit-Remaining-Requests": "195",
			"X-RateLimit-Reset-Tokens": "2.5s", "X-RateLimit-Remaining-Tokens": "0"}, "", 2500 * time.Millisecond, 2500 * time.Millisecond},
		{headers{"X-RateLimit-Reset-After": "3.5"}, "", 3500 * time.Millisecond, 3500 * time.Millisecond},
		{headers{"RateLimit-Reset": "5"}, "", 5 * s, 5 * s},
		{headers{"X-Rate-Limit-Reset": "5"}, "", 5 * s, 5 * s},
		{headers{"X-Retry-After": "5"}, "", 5 * s, 5 * s},
		{headers{"Anthropic-Ratelimit-Requests-Reset": soon.UTC().Format(time.RFC3339)}, "", 20 * s, 40 * s},
		{headers{"X-RateLimit-Reset": "900"}, "", 900 * s, 900 * s},
	} {
		got := waitAfter(t, 429, tt.header, saying("slow. "+tt.body))
		if got < tt.least || got > tt.most {
			t.Errorf("%v %s: %v, want %v to %v", tt.header, tt.body, got, tt.least, tt.most)
		}
	}
	if got := waitAfter(t, 503, headers{"X-RateLimit-Reset": "50"}, saying("busy")); got != 0 {
		t.Errorf("a server that is busy: %v", got)
	}
}
