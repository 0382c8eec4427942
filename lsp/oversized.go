package lsp

import (
	"encoding/json"
	"fmt"
	"io"
	"regexp"

	"go.lsp.dev/jsonrpc2"
)

// A tooLongError is why a message was skipped.
type tooLongError struct{ bytes int64 }

func (e *tooLongError) Error() string {
	return fmt.Sprintf("a message of %d bytes is over the limit of %d", e.bytes, maxMessageBytes)
}

// Within a text, which is a JSON string, quotes follow backslashes. So these match only
// members of the message.
var (
	syncMethod  = regexp.MustCompile(`"method"\s*:\s*"(textDocument/did(?:Open|Change))"`)
	documentURI = regexp.MustCompile(`"uri"\s*:\s*("(?:[^"\\]|\\.)*")`)
)

// skipBody reads past a body over the limit without holding it. A didOpen or didChange
// becomes one without its text, so that the document is known to be out of step. The URI is
// found if it is near the beginning or the end of the body.
func (s *stream) skipBody(length int64) ([]byte, error) {
	var ends ends
	if _, err := io.CopyN(&ends, s.in, length); err != nil {
		return nil, unexpectedEOF(err)
	}
	tooLong := &tooLongError{length}
	method, uri := ends.find(syncMethod), ends.find(documentURI)
	if method == "" || uri == "" {
		return nil, &badMessageError{jsonrpc2.InvalidRequest, tooLong.Error()}
	}
	return fmt.Appendf(nil, `{"jsonrpc":%q,"method":%q,"params":{"textDocument":{"uri":%s},"skippedBytes":%d}}`,
		jsonrpc2.Version, method, json.RawMessage(uri), length), nil
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
