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
