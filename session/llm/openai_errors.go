package llm

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/openai/openai-go/v3/packages/ssestream"
)

// openAIError says what err of the SDK means. The response is nil if there was
// none; begun says that part of an answer had come.
func openAIError(err error, response *http.Response, begun bool) *Error {
	var e *Error
	var streamed *ssestream.StreamError
	var syntax *json.SyntaxError
	var unmarshal *json.UnmarshalTypeError
	switch {
	case errors.As(err, &streamed):
		e = newOpenAIError(0, streamed.Event.Data)
		e.Cut = begun
	case response != nil && response.StatusCode >= 400:
		body, _ := io.ReadAll(io.LimitReader(response.Body, 1<<20)) // the SDK has read it already; this is its copy
		e = newOpenAIError(response.StatusCode, body)
		e.RetryAfter = retryAfter(response.Header, time.Now())
	case errors.As(err, &syntax), errors.As(err, &unmarshal):
		e = &Error{Class: BadResponse, Message: "the answer is not what an OpenAI-compatible server sends: " + err.Error(), Cut: begun}
	case begun && errors.Is(err, io.ErrUnexpectedEOF):
		e = &Error{Class: Network, Message: "the answer broke off", Cut: true}
	default:
		e = &Error{Class: Network, Message: err.Error(), Cut: begun}
	}
	e.Hint = hints[e.Class]
	return e
}

// newOpenAIError reads the error object that body holds, in any of the forms in
// which compatible servers send it.
func newOpenAIError(status int, body []byte) *Error {
	code, message := errorObject(body)
	if n, err := strconv.Atoi(code); err == nil && status == 0 {
		status = n // a proxy in front of others puts their status into the stream
	}
	if message == "" {
		message = http.StatusText(status)
	}
	return &Error{Class: classify(status, code, message), Status: status, Message: message}
}

func errorObject(body []byte) (code, message string) {
	var outer struct {
		Error, Message, Detail json.RawMessage
	}
	if json.Unmarshal(body, &outer) != nil {
		return "", ""
	}
	var inner struct {
		Code    any
		Type    string
		Message string
	}
	if json.Unmarshal(outer.Error, &inner) == nil {
		switch c := inner.Code.(type) {
		case string:
			code = c
		case float64:
			code = strconv.Itoa(int(c))
		default:
			code = inner.Type
		}
		return code, inner.Message
	}
	for _, raw := range []json.RawMessage{outer.Error, outer.Message, outer.Detail} {
		if json.Unmarshal(raw, &message) == nil && message != "" {
			return "", message
		}
	}
	return "", ""
}

var tooLong = regexp.MustCompile(`(?i)context[ _](length|window|size)|maximum context|prompt is too long|too many tokens|exceeds? the (model|available)`)

// classify decides by code and words first, since servers differ in the status
// that they send with them.
func classify(status int, code, message string) Class {
	switch {
	case code == "insufficient_quota", status == http.StatusPaymentRequired:
		return Quota
	case code == "content_filter", code == "content_policy_violation":
		return ContentFilter
	case code == "context_length_exceeded", status == http.StatusRequestEntityTooLarge,
		(status == 0 || status == http.StatusBadRequest) && tooLong.MatchString(message):
		return ContextTooLong
	case status == http.StatusUnauthorized, status == http.StatusForbidden, code == "invalid_api_key":
		return Auth
	case status == http.StatusTooManyRequests, code == "rate_limit_exceeded":
		return RateLimit
	case status >= 500, status == http.StatusRequestTimeout, status == 0 && strings.Contains(code, "server_error"), strings.Contains(code, "overloaded"):
		return Overloaded
	default:
		return BadResponse
	}
}

// retryAfter reads how long the server wants us to wait: seconds, or a date.
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
