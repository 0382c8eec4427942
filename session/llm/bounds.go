package llm

import (
	"fmt"
	"io"
	"net/http"
	"strings"
)

// MaxAnswer is the maximum size in bytes of an answer: its text, reasoning and calls.
const MaxAnswer = 16 << 20

// bounds are the maximum sizes of a response's body: its bytes, and the number of JSON values in
// it, 0 for a stream, of which each piece is bounded where it is read ([eventStream]). A decoded
// value takes up to a thousand times the memory of its text.
type bounds struct {
	whole  int64 // bytes
	values int
}

const (
	maxPiece     = MaxAnswer
	maxValues    = 1 << 16   // JSON values of a piece of a stream
	maxErrorBody = 256 << 10 // bytes; the rest is not read
)

var (
	// A token takes up to 500 bytes as an event.
	streamBounds = bounds{whole: 64 << 20}
	// A model takes up to 100 values.
	listBounds = bounds{whole: maxPiece, values: 1 << 18}
	pageBounds = bounds{whole: 1 << 20, values: 1 << 15}
	// A batch has 64 vectors of up to 8,192 numbers.
	vectorBounds = bounds{whole: maxPiece, values: 1 << 20}
)

// maxModels is the maximum number of models of a provider.
const maxModels = 10_000

// tooMany returns the error for a list with too many models.
func tooMany() error {
	return &Error{Class: TooLarge, Message: fmt.Sprintf("the list has more than %d models", maxModels)}
}

// boundedTransport bounds the bodies of responses. The body of an error ends at the
// bound; reading too much of another body is an error.
type boundedTransport struct {
	next http.RoundTripper
	bounds
}

func (t boundedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := t.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if response.StatusCode >= 400 {
		response.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(response.Body, maxErrorBody), response.Body}
	} else {
		response.Body = &boundedBody{ReadCloser: response.Body, bounds: t.bounds}
	}
	return response, nil
}

// boundedBody counts the bytes and the JSON values that are read.
type boundedBody struct {
	io.ReadCloser
	bounds
	read    int64 // bytes
	counted valueEnd
}

func (b *boundedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.read += int64(n)
	if b.values > 0 {
		for _, c := range p[:n] {
			b.counted.closes(c)
		}
	}
	switch {
	case b.read > b.whole:
		return 0, tooLarge("the answer has more than %s", megabytes(b.whole))
	case b.values > 0 && b.counted.values > b.values:
		return 0, tooLarge("the answer has more than %d values", b.values)
	}
	return n, err
}

func (b *boundedBody) noteEvent() { noteEvent(b.ReadCloser) }

func tooLarge(format string, args ...any) error {
	return &Error{Class: TooLarge, Message: fmt.Sprintf(format, args...)}
}

func megabytes(n int64) string { return fmt.Sprintf("%d MiB", n>>20) }

// maxShown is the maximum length in bytes of a server's words in an error.
const maxShown = 2000

// shorten returns the beginning of a text, in at most about n bytes.
func shorten(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "") + "…"
}
