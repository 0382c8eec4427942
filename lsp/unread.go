package lsp

import (
	"encoding/json"
	"fmt"
	"io"
	"regexp"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/uri"
)

// An unreadError is why a message about a document was not read.
type unreadError struct {
	Reason  string `json:"reason"`
	TooLong bool   `json:"tooLong"`
}

func (e *unreadError) Error() string { return e.Reason }

// unreadParams are the parameters of a didOpen or didChange in place of those that were not
// read. They name the document, which is out of step from then on.
type unreadParams struct {
	TextDocument struct {
		URI uri.URI `json:"uri"`
	} `json:"textDocument"`
	Unread *unreadError `json:"unread"`
}

// Within a text, which is a JSON string, quotes follow backslashes. So these match only
// members of the message.
var (
	syncMethod  = regexp.MustCompile(`"method"\s*:\s*"(textDocument/did(?:Open|Change))"`)
	documentURI = regexp.MustCompile(`"uri"\s*:\s*("(?:[^"\\]|\\.)*")`)
)

// unreadMessage returns a message in place of one that was not read; nil if that is not a
// didOpen or didChange, or if its URI is neither near the beginning nor near the end.
func unreadMessage(e *ends, reason *unreadError) jsonrpc2.Message {
	params := unreadParams{Unread: reason}
	method := e.find(syncMethod)
	if method == "" || json.Unmarshal([]byte(e.find(documentURI)), &params.TextDocument.URI) != nil {
		return nil
	}
	return jsonrpc2.NewNotification(method, jsonrpc2.RawMessage(mustMarshal(params)))
}

// skipBody reads past a body over the limit without holding it. The error is a *badMessageError
// unless the connection has failed.
func (s *stream) skipBody(length int64) error {
	var e ends
	if _, err := io.CopyN(&e, s.in, length); err != nil {
		return unexpectedEOF(err)
	}
	reason := fmt.Sprintf("a message of %d bytes is over the limit of %d", length, maxMessageBytes)
	return &badMessageError{jsonrpc2.InvalidRequest, reason, unreadMessage(&e, &unreadError{reason, true})}
}

// endBytes is how much of each end of a skipped body is looked at.
const endBytes = 4 << 10

// ends keeps the first and the last bytes that are written to it.
type ends struct{ head, tail []byte }

func (e *ends) Write(p []byte) (int, error) {
	e.head = append(e.head, p[:min(len(p), endBytes-len(e.head))]...)
	e.tail = append(e.tail, p[max(0, len(p)-endBytes):]...)
	e.tail = append(e.tail[:0], e.tail[max(0, len(e.tail)-endBytes):]...)
	return len(p), nil
}

// find returns the first submatch in either end.
func (e *ends) find(re *regexp.Regexp) string {
	for _, part := range [][]byte{e.head, e.tail} {
		if m := re.FindSubmatch(part); m != nil {
			return string(m[1])
		}
	}
	return ""
}
