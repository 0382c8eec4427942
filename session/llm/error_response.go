package llm

import (
	"bytes"
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"ploke-lsp/internal/lazyregexp"
)

// responseError returns the error that body describes, in any of the formats that
// servers use.
func responseError(status int, body []byte) *Error {
	code := errorCode(body)
	if n, err := strconv.Atoi(code); err == nil && status == 0 && n >= 400 && n < 600 {
		status = n // a proxy puts the status of its upstream into the stream
	}
	message := wordsOf(body)
	if message == "" || status >= 500 &&
		isPage(strings.TrimSpace(string(body))) { // a proxy's page says no more than its status
		message = cmp.Or(http.StatusText(status), message)
	}
	e := &Error{Class: classify(status, code, message), Status: status, Message: message}
	if e.Class == ContextTooLong {
		e.ContextTokens, e.RequestTokens = tokensIn(body, message)
	}
	if e.Temporary() {
		e.RetryAfter = waitIn(body, message, time.Now())
	}
	return e
}

// codeFields are where servers put the code of an error.
var codeFields = []string{"code", "error_code", "status_code", "error_type", "type", "status", "base_resp.status_code"}

// errorCode returns the code of an error object, or else its type, or "".
func errorCode(body []byte) string {
	if !gjson.ValidBytes(body) {
		return ""
	}
	outer := gjson.ParseBytes(body)
	if outer.IsArray() { // Google's OpenAI-compatible endpoint
		outer = outer.Get("0")
	}
	for _, object := range []gjson.Result{outer.Get("error"), outer.Get("errors.0"), outer} {
		for _, field := range codeFields {
			if v := object.Get(field); object.IsObject() && (v.Type == gjson.String || v.Type == gjson.Number) &&
				v.String() != "" && v.Str != "error" {
				return v.String()
			}
		}
	}
	return ""
}

var noCreditText = lazyregexp.New(`(?i)credit balance is too low|insufficient (credits|balance)`)

// classify uses the code and message first, since servers use different statuses for
// the same error.
func classify(status int, code, message string) Class {
	switch {
	case code == "insufficient_quota", code == "billing_error", noCreditText.MatchString(message),
		status == http.StatusPaymentRequired:
		return Quota
	case code == "content_filter", code == "content_policy_violation":
		return ContentFilter
	}
	if class := setupClass(status, message); class != "" {
		return class
	}
	switch {
	case tooLong(status, code, message):
		return ContextTooLong
	case status == http.StatusUnauthorized, status == http.StatusForbidden,
		code == "invalid_api_key", code == "authentication_error", code == "permission_error":
		return Auth
	case rateLimited(status, code):
		return RateLimit
	case status == http.StatusNotFound, code == "not_found_error", code == "model_not_found",
		noSuchPathText.MatchString(message):
		return NotFound
	case status == http.StatusNotImplemented:
		return BadResponse
	case status >= 500, status == http.StatusRequestTimeout, strings.Contains(code, "overloaded"),
		status == 0 && (strings.Contains(code, "server_error") || code == "api_error" || code == "timeout_error"):
		return Overloaded
	default:
		return BadResponse
	}
}

// noSuchPathText matches what servers say that answer an unknown path with another status than 404.
var noSuchPathText = lazyregexp.New(`(?i)unexpected endpoint|unknown endpoint|no such (endpoint|route|path)|` +
	`unknown (request )?url`)

// setupClass returns the class of an error that comes from the way in which a server runs its
// model, whatever its status, or "".
func setupClass(status int, message string) Class {
	if slices.Contains([]int{http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests}, status) {
		return ""
	}
	switch {
	case noToolsText.MatchString(parallelText.ReplaceAllString(message, "")):
		return NoTools
	case schemaText.MatchString(message):
		return Schema
	case templateText.MatchString(message):
		return Template
	}
	return ""
}

// failedAnswer tells of an answer that the server ended as failed without a word.
const failedAnswer = "the server ended the answer with an error"

// hasContent reports whether a value says something. Some servers have an empty error in each event.
func hasContent(v gjson.Result) bool {
	if v.IsObject() || v.IsArray() {
		some := false
		v.ForEach(func(_, each gjson.Result) bool {
			some = hasContent(each)
			return !some
		})
		return some
	}
	return v.Bool() || v.Type == gjson.String && strings.TrimSpace(v.Str) != ""
}

// streamedError returns the error that a server put into a stream. begun says that a part of the response had arrived.
func streamedError(data []byte, begun bool) *Error {
	e := responseError(0, data)
	e.Message = cmp.Or(e.Message, "the server reports an error: "+shorten(string(bytes.TrimSpace(data)), maxWords))
	e.BrokeOff = begun
	if e.Class == BadResponse && temporaryText.Match(data[:min(len(data), maxShown)]) {
		e.Class = Overloaded
	}
	return e
}

// temporaryText matches what servers say of failures that pass, when their code says nothing.
var temporaryText = lazyregexp.New(`(?i)overload|(over|no|at) capacity|temporar|try (it )?again|retry later|` +
	`please retry|timed? ?out|unavailable|` +
	`internal[ _]?(server)?[ _]?error|server[ _](is )?busy|upstream|provider returned error|too many requests|rate.?limit`)
