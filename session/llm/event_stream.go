package llm

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"strings"
)

// eventStream reads server-sent events. Beyond the standard it takes a last event without the empty line behind it, which
// some servers leave out, and ends at the event [DONE]. Source: html.spec.whatwg.org/multipage/server-sent-events.html,
// "Parsing an event stream".
type eventStream struct {
	name  string // of the event, "" if it has none
	data  []byte // of the event, not empty; valid until the next event is read
	lines *bufio.Scanner
}

func newEventStream(body io.Reader) *eventStream {
	s := &eventStream{lines: bufio.NewScanner(body)}
	s.lines.Buffer(nil, maxPiece+1)
	s.lines.Split(new(lineSplitter).split)
	return s
}

// next reads the next event that has data and is no ping. It returns false at the end and after an error.
func (s *eventStream) next() bool {
	for s.read() {
		s.data = bytes.TrimSpace(s.data)
		if bytes.HasPrefix(s.data, []byte("[DONE]")) {
			return false
		}
		if len(s.data) > 0 && s.name != "ping" {
			return true
		}
	}
	return false
}

// err returns the error of reading the stream, or nil.
func (s *eventStream) err() error { return s.lines.Err() }

// read reads the next event.
func (s *eventStream) read() bool {
	s.name, s.data = "", s.data[:0]
	for s.lines.Scan() {
		if len(s.lines.Bytes()) == 0 {
			return true
		}
		s.addLine(s.lines.Bytes())
	}
	return s.err() == nil && json.Valid(s.data) // a part of an event is no JSON
}

const byteOrderMark = "\ufeff"

func (s *eventStream) addLine(line []byte) {
	field, value, _ := bytes.Cut(line, []byte(":"))
	switch string(bytes.TrimPrefix(field, []byte(byteOrderMark))) {
	case "event":
		s.name = strings.TrimSpace(string(value))
	case "data":
		s.data = append(s.data, bytes.TrimPrefix(value, []byte(" "))...)
		s.data = append(s.data, '\n')
	}
}

// lineSplitter splits lines that end with CR, LF or both. A line that ends with CR does not wait for the byte behind it,
// which may be long in coming.
type lineSplitter struct {
	afterCR bool // an LF belongs to the line before
}

// split is a [bufio.SplitFunc].
func (s *lineSplitter) split(data []byte, atEOF bool) (advance int, line []byte, err error) {
	rest := data
	if s.afterCR {
		rest = bytes.TrimPrefix(data, []byte("\n"))
	}
	skipped := len(data) - len(rest)
	if end := lineEnd(rest); end >= 0 {
		s.afterCR = rest[end] == '\r'
		return skipped + end + 1, rest[:end], nil
	}
	if atEOF && len(rest) > 0 {
		return len(data), rest, nil
	}
	s.afterCR = s.afterCR && len(data) == 0
	return skipped, nil, nil
}

// lineEnd returns the index of the first CR or LF, or -1.
func lineEnd(b []byte) int {
	lf := bytes.IndexByte(b, '\n')
	if lf >= 0 {
		b = b[:lf]
	}
	if cr := bytes.IndexByte(b, '\r'); cr >= 0 {
		return cr
	}
	return lf
}
