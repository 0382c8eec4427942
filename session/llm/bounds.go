package llm

import (
	"fmt"
	"io"
	"net/http"
	"strings"
)

// MaxAnswer is the maximum size in bytes of an answer: its text, reasoning and calls.
const MaxAnswer = 16 << 20

// bounds are the maximum sizes of a response's body.
type bounds struct {
	whole int64 // bytes
	// piece and values bound one event or line of a stream, or the whole body if
	// pieces is wholeBody: its bytes, and the number of JSON values in it. A decoded
	// value takes up to a thousand times the memory of its text.
	piece  int64
	values int
	pieces pieces
}

// pieces says what separates the pieces of a stream.
type pieces int

const (
	wholeBody pieces = iota // is one piece
	events                  // end with an empty line
	lines                   // end with the line
)

const (
	maxPiece     = MaxAnswer
	maxErrorBody = 256 << 10 // bytes; the rest is not read
)

var (
	// A token takes up to 500 bytes as an event.
	eventBounds = bounds{whole: 64 << 20, piece: maxPiece, values: 1 << 16, pieces: events}
	lineBounds  = bounds{whole: 64 << 20, piece: maxPiece, values: 1 << 16, pieces: lines}
	// A model takes up to 100 values.
	listBounds = bounds{whole: maxPiece, piece: maxPiece, values: 1 << 18}
	pageBounds = bounds{whole: 1 << 20, piece: 1 << 20, values: 1 << 15}
	// A batch has 64 vectors of up to 8,192 numbers.
	vectorBounds = bounds{whole: maxPiece, piece: maxPiece, values: 1 << 20}
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
		response.Body = &boundedBody{ReadCloser: response.Body, bounds: t.bounds, emptyLine: true}
	}
	return response, nil
}

// boundedBody counts the bytes and the JSON values that are read.
type boundedBody struct {
	io.ReadCloser
	bounds
	read      int64 // bytes
	size      int64 // of the piece so far, in bytes
	count     int   // of the piece's values so far
	emptyLine bool  // the line is empty so far
	afterCR   bool  // a CR has ended the line before
	inString  bool  // within a JSON string of the line
	escaped   bool  // after a backslash in a string
}

func (b *boundedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.read += int64(n)
	for _, c := range p[:n] {
		b.add(c)
		switch {
		case b.size > b.piece:
			return 0, tooLarge("a piece of the answer has more than %s", megabytes(b.piece))
		case b.count > b.values:
			return 0, tooLarge("a piece of the answer has more than %d values", b.values)
		}
	}
	if b.read > b.whole {
		return 0, tooLarge("the answer has more than %s", megabytes(b.whole))
	}
	return n, err
}

// add counts a byte. No string of JSON contains a line break.
func (b *boundedBody) add(c byte) {
	b.size++
	switch {
	case b.endsLine(c):
		b.endLine()
		return
	case c == '\n', c == '\r':
		return
	}
	b.emptyLine = false
	switch {
	case b.escaped:
		b.escaped = false
	case c == '\\':
		b.escaped = b.inString
	case c == '"':
		b.inString = !b.inString
	case !b.inString && (c == '{' || c == '[' || c == ','):
		b.count++
	}
}

// endsLine reports whether a byte ends a line. Lines of events end with CR, too, to which an LF may belong.
func (b *boundedBody) endsLine(c byte) bool {
	afterCR := b.afterCR
	b.afterCR = c == '\r' && b.pieces == events
	return b.afterCR || c == '\n' && !afterCR
}

func (b *boundedBody) endLine() {
	if b.pieces == lines || b.pieces == events && b.emptyLine {
		b.size, b.count = 0, 0
	}
	b.emptyLine, b.inString, b.escaped = true, false, false
}

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
