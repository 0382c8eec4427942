package llm

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/tidwall/gjson"

	"ploke-lsp/internal/lazyregexp"
)

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

// messageFields are where servers say what went wrong, in an answer that is not one of the protocol.
var messageFields = []string{"error.message", "error", "errors.0.message", "errors.0", "error_message", "error_msg", "errorMessage",
	"message", "msg", "detail.message", "detail.0.msg", "detail", "title", "base_resp.status_msg", "error_description", "reason"}

// messageIn returns the words in an event that is none of the protocol, "" if it has none.
func messageIn(event gjson.Result) string {
	for _, field := range messageFields {
		if v := event.Get(field); v.Type == gjson.String && strings.TrimSpace(v.Str) != "" {
			return strings.TrimSpace(v.Str)
		}
	}
	return ""
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
var temporaryText = lazyregexp.New(`(?i)overload|(over|no|at) capacity|temporar|try (it )?again|retry later|please retry|timed? ?out|unavailable|` +
	`internal[ _]?(server)?[ _]?error|server[ _](is )?busy|upstream|provider returned error|too many requests|rate.?limit`)
