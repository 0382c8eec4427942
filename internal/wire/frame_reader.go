package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"go.lsp.dev/jsonrpc2"
)

// MaxMessageBytes is the maximum size of one message. It bounds what a wrong
// Content-Length makes the server hold.
const MaxMessageBytes = 64 << 20

// maxHeaderBytes is the length up to which a header is followed while a frame is
// searched, and a line is kept while its end has not come.
const maxHeaderBytes = 8 << 10

// readSize is the least number of bytes for which the buffer has room when it is made.
const readSize = 64 << 10

// A badMessageError describes a message that gets an error reply.
type badMessageError struct {
	code   jsonrpc2.Code
	reason string
	unread *Unread // its body, if there is one
}

func (e *badMessageError) Error() string { return e.reason }

func invalidRequest(format string, args ...any) error {
	return &badMessageError{code: jsonrpc2.InvalidRequest, reason: fmt.Sprintf(format, args...)}
}

// A frameReader splits the client's bytes into frames. After a wrong frame it goes on
// with the next frame that begins in the bytes that follow it, the wrong frame's
// body included. No valid body is taken for a frame, see [frameFinder].
type frameReader struct {
	in io.Reader
	// buf holds what was read and is not consumed. Bodies that next returned lie before
	// it in the same array, so consumed bytes are never written again.
	buf      []byte
	returned int     // bytes of buf that next returned as the latest body
	resume   int     // where the first frame can begin in that body if it is not valid JSON
	skip     int64   // bytes that are left of a body over the limit
	skipped  *Unread // that body, up to there; nil if there is none
	lost     bool    // what follows is not a frame, and the client has been told
}

// next returns the body of the next frame. Its error may be a [*badMessageError], after
// which next can be called again, as after an [*Unread]. The body stays valid and must not be changed.
func (r *frameReader) next() ([]byte, error) {
	r.consume(r.returned)
	r.returned = 0
	if r.skipped != nil {
		return nil, r.skipBody()
	}
	length, err := r.readHeader()
	if err != nil {
		return nil, err
	}
	if length > MaxMessageBytes {
		reason := fmt.Sprintf("a message of %d bytes is over the limit of %d", length, MaxMessageBytes)
		r.skip, r.skipped, r.lost = length, &Unread{Reason: reason, TooLong: true}, true
		return nil, invalidRequest("%s", reason)
	}
	return r.readBody(int(length))
}

// reject says that the latest body is not valid JSON, so a frame may begin in it.
func (r *frameReader) reject() { r.returned, r.lost = r.resume, true }

// readHeader reads lines up to the blank one after a Content-Length and returns that
// length. Blank lines before the header are skipped. A header that turns out to be wrong
// is left behind up to where the next one can begin.
func (r *frameReader) readHeader() (int64, error) {
	length, inHeader := int64(-1), false
	for {
		line, err := r.peekLine()
		if err != nil {
			if inHeader {
				err = unexpectedEOF(err)
			}
			return 0, err
		}
		start, value, isLength := lengthField(line)
		switch {
		case isBlank(line):
			r.consume(len(line))
			if length >= 0 {
				return length, nil
			}
			if inHeader && r.lose() {
				return 0, invalidRequest("the header has no Content-Length")
			}
			inHeader = false
		case isLength && !isBlank(line[:start]):
			r.consume(start)
			length, inHeader = -1, false
			if r.lose() {
				return 0, invalidRequest("%d bytes before Content-Length belong to no message", start)
			}
		case isLength:
			n, ok := parseLength(value)
			if !ok {
				r.consume(len(line))
				r.lost = true
				return 0, invalidRequest("Content-Length %q is not a number of bytes", value)
			}
			if length >= 0 && n != length { // this line may begin the next frame
				r.lost = true
				return 0, invalidRequest("the header has the Content-Length %d and the Content-Length %d", length, n)
			}
			r.consume(len(line))
			length, inHeader = n, true
		case isHeaderField(line):
			r.consume(len(line))
			inHeader = true
		default:
			r.consume(len(line))
			length, inHeader = -1, false
			if r.lose() {
				return 0, invalidRequest("a line that is not a header stands before a message")
			}
		}
	}
}

// lose notes that the bytes at hand belong to no frame. It returns false if the client
// has been told so.
func (r *frameReader) lose() (tell bool) {
	tell = !r.lost
	r.lost = true
	return tell
}

// readBody reads a body of n bytes. It ends early where another frame begins.
func (r *frameReader) readBody(n int) ([]byte, error) {
	var finder frameFinder
	for {
		body := r.buf[:min(len(r.buf), n):min(len(r.buf), n)]
		if start, ok := finder.find(body); ok {
			reason := fmt.Sprintf("the body has %d bytes, but its Content-Length is %d", start, n)
			unread := newUnread(body[:start], reason)
			r.consume(start)
			r.lost = true
			return nil, &badMessageError{jsonrpc2.InvalidRequest, reason, unread}
		}
		if len(body) == n {
			r.returned, r.resume, r.lost = n, finder.earliest(body), false
			return body, nil
		}
		if err := r.fill(n); err != nil {
			return nil, unexpectedEOF(err)
		}
	}
}

// skipBody skips what is left of a body over the limit, up to the next frame. It returns the
// body as an [*Unread], or the error of the connection.
func (r *frameReader) skipBody() error {
	var finder frameFinder
	var reused []byte // no body lies in it before this returns
	for {
		window := r.buf[:min(int64(len(r.buf)), r.skip)]
		start, found := finder.find(window)
		if !found {
			start = finder.earliest(window)
		}
		last := found || int64(len(window)) == r.skip
		if last && !found { // a frame may begin in the rest, which belongs to this body all the same
			r.skipped.add(window)
		} else {
			r.skipped.add(window[:start])
		}
		r.consume(start)
		if last {
			unread := r.skipped
			r.skip, r.skipped = 0, nil
			return unread
		}
		finder.shift(start)
		r.skip -= int64(start)
		if len(r.buf) == cap(r.buf) {
			if reused == nil {
				reused = make([]byte, 0, readSize)
			}
			r.buf = append(reused, r.buf...)
		}
		if err := r.fill(0); err != nil {
			return unexpectedEOF(err)
		}
	}
}

// peekLine returns the next line with its line break. Of a line without an end it keeps
// as much as a Content-Length can have.
func (r *frameReader) peekLine() ([]byte, error) {
	for scanned := 0; ; {
		if i := bytes.IndexByte(r.buf[scanned:], '\n'); i >= 0 {
			return r.buf[:scanned+i+1], nil
		}
		if len(r.buf) > maxHeaderBytes {
			r.consume(len(r.buf) - maxLengthField)
		}
		scanned = len(r.buf)
		if err := r.fill(0); err != nil {
			return nil, err
		}
	}
}

// fill reads once. The buffer grows as bytes come, at most to the wanted size, so a
// length that no body follows costs nothing.
func (r *frameReader) fill(wanted int) error {
	if len(r.buf) == cap(r.buf) {
		size := max(readSize, min(wanted, 2*len(r.buf)))
		r.buf = append(make([]byte, 0, size), r.buf...)
	}
	n, err := r.in.Read(r.buf[len(r.buf):cap(r.buf)])
	r.buf = r.buf[:len(r.buf)+n]
	if n > 0 {
		return nil // an error comes again
	}
	return err
}

func (r *frameReader) consume(n int) { r.buf = r.buf[n:] }

// parseLength reads the value of a Content-Length. A number above the range of int64 is
// the largest one.
func parseLength(value []byte) (length int64, ok bool) {
	if !isDigits(value) {
		return 0, false
	}
	length, err := strconv.ParseInt(string(value), 10, 64)
	if err != nil {
		return math.MaxInt64, true
	}
	return length, true
}

func unexpectedEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
