package llm

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// responseError returns the error that body describes, in any of the formats that
// servers use.
func responseError(status int, body []byte) *Error {
	code, message := errorObject(body)
	if n, err := strconv.Atoi(code); err == nil && status == 0 && n >= 400 && n < 600 {
		status = n // a proxy puts the status of its upstream into the stream
	}
	if message == "" {
		message = http.StatusText(status)
	}
	e := &Error{Class: classify(status, code, message), Status: status, Message: message}
	if e.Class == ContextTooLong {
		e.ContextTokens, e.RequestTokens = tokensIn(body, message)
	}
	return e
}

func errorObject(body []byte) (code, message string) {
	var list []json.RawMessage // Google's OpenAI-compatible endpoint
	if json.Unmarshal(body, &list) == nil && len(list) > 0 {
		body = list[0]
	}
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

var noCreditText = lazyregexp.New(`(?i)credit balance is too low|insufficient (credits|balance)`)

// classify uses the code and message first, since servers use different statuses for
// the same error.
func classify(status int, code, message string) Class {
	switch {
	case code == "insufficient_quota", code == "billing_error", noCreditText.MatchString(message), status == http.StatusPaymentRequired:
		return Quota
	case code == "content_filter", code == "content_policy_violation":
		return ContentFilter
	case tooLong(status, code, message):
		return ContextTooLong
	case status == http.StatusUnauthorized, status == http.StatusForbidden,
		code == "invalid_api_key", code == "authentication_error", code == "permission_error":
		return Auth
	case rateLimited(status, code):
		return RateLimit
	case status == http.StatusNotFound, code == "not_found_error", code == "model_not_found":
		return NotFound
	case status >= 500, status == http.StatusRequestTimeout, strings.Contains(code, "overloaded"),
		status == 0 && (strings.Contains(code, "server_error") || code == "api_error" || code == "timeout_error"):
		return Overloaded
	default:
		return BadResponse
	}
}
