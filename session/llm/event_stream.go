package llm

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"unicode"
)

// eventStream reads the JSON values of a streamed answer, whatever stands between them: server-sent
// events, one value a line, or a body that is one value. An event ends where its value does, so
// that the empty line behind it may be missing. What has no value is passed over: comments, empty
// data, null, words. The event [DONE] ends the stream. Source of the format:
// html.spec.whatwg.org/multipage/server-sent-events.html, "Parsing an event stream".
type eventStream struct {
	name  string // of the event, "" if it has none
	data  []byte // of the event, not empty; valid until the next event is read
	done  bool   // [DONE] has come
	cut   bool   // the stream ended within a value
	words string // the beginning of the first line that is neither part of an event nor a comment

	lines  *bufio.Scanner
	events int    // so far
	rest   []byte // of a line behind the end of a value
	given  bool   // data is that of the last event
	open   valueEnd
	bare   bool  // the open value began without the name of a field
	wrong  error // a bound was exceeded
}

func newEventStream(body io.Reader) *eventStream {
	s := &eventStream{lines: bufio.NewScanner(body)}
	s.lines.Buffer(nil, maxPiece+1)
	s.lines.Split(new(lineSplitter).split)
	return s
}

// next reads the next event that has data and is not a ping. It returns false at the end and after an error.
func (s *eventStream) next() bool {
	for !s.done && s.read() {
		s.events++
		switch word := string(s.data); {
		case endsStream(word):
			s.done = true
		case word != "null" && s.name != "ping":
			return true
		}
	}
	return false
}

// endsStream reports whether data is what ends a stream.
func endsStream(data string) bool {
	return strings.HasPrefix(strings.ToUpper(strings.TrimPrefix(data[:min(len(data), 7)], `"`)), "[DONE]")
}

// whole reports whether the stream was a body of one value, which says by its end that it ends.
func (s *eventStream) whole() bool { return s.events == 1 && s.bare && !s.cut }

// err returns the error of reading the stream, or nil.
func (s *eventStream) err() error {
	if s.wrong != nil {
		return s.wrong
	}
	if err := s.lines.Err(); err != bufio.ErrTooLong {
		return err
	}
	return tooLarge("a piece of the answer has more than %s", megabytes(maxPiece))
}

// read reads the next event with data. A value may go on in the next lines; anything else ends with its line.
func (s *eventStream) read() bool {
	if s.given {
		s.name, s.given = "", false
	}
	for s.wrong == nil {
		line, ok := s.line()
		if !ok {
			break
		}
		if line = withoutBlanks(line); len(line) > 0 {
			s.addLine(line)
		} else if s.endEvent() {
			return true
		}
		if s.given {
			return true
		}
	}
	if s.err() != nil || !s.open.isOpen() {
		return false
	}
	s.cut = cutOff(s.data)
	return !s.cut && s.endValue()
}

// cutOff reports whether the text is the beginning of JSON.
func cutOff(text []byte) bool {
	var e *json.SyntaxError
	return errors.As(json.Unmarshal(text, new(json.RawMessage)), &e) && e.Offset >= int64(len(text))
}

// line returns the next line, or the rest of one.
func (s *eventStream) line() ([]byte, bool) {
	if line := s.rest; len(line) > 0 {
		s.rest = nil
		return line, true
	}
	if !s.lines.Scan() {
		return nil, false
	}
	return s.lines.Bytes(), true
}

// endEvent takes an empty line, which ends an event, but not a body. It reports whether the event has data.
func (s *eventStream) endEvent() bool {
	if s.open.isOpen() && s.bare {
		return false
	}
	if s.endValue() {
		return true
	}
	s.name = ""
	return false
}

// endValue ends a value that is not complete. It reports whether there was one.
func (s *eventStream) endValue() bool {
	begun := s.open.isOpen()
	s.open = valueEnd{}
	s.given = begun
	return begun
}

const byteOrderMark = "\ufeff"

// withoutBlanks returns text without white space and byte order marks at its beginning. A value
// goes on behind them as well, since no string of JSON contains a line end.
func withoutBlanks(text []byte) []byte {
	return bytes.TrimLeftFunc(text, func(r rune) bool { return r == '\ufeff' || unicode.IsSpace(r) })
}

func (s *eventStream) addLine(line []byte) {
	name, value, hasValue := bytes.Cut(line, []byte(":"))
	name = bytes.TrimSpace(name)
	is := func(field string) bool { return len(name) == len(field) && strings.EqualFold(string(name), field) }
	switch {
	case is("data"):
		s.addValue(withoutField(value), false)
	case is("event"):
		s.name = strings.TrimSpace(string(value))
	case is("") && hasValue: // a comment
	case s.open.isOpen(), beginsValue(bytes.TrimSpace(line)):
		s.addValue(line, true)
	case !is("id") && !is("retry"):
		s.note(line)
	}
}

// withoutField removes the name of the field, which some proxies put there again.
func withoutField(value []byte) []byte {
	if rest, again := bytes.CutPrefix(bytes.TrimSpace(value), []byte("data:")); again {
		return rest
	}
	return value
}

// addValue adds a line to the open value, or begins one.
func (s *eventStream) addValue(line []byte, bare bool) {
	if !s.open.isOpen() {
		line = withoutBlanks(line)
		if !beginsValue(line) {
			s.addWords(bytes.TrimSpace(line))
			return
		}
		s.data, s.bare = s.data[:0], bare
	}
	end, err := s.open.add(line)
	if err != nil {
		s.wrong = err
		return
	}
	if end < 0 {
		s.data = append(append(s.data, line...), '\n')
		return
	}
	s.data, s.rest = append(s.data, line[:end]...), bytes.TrimSpace(line[end:])
	s.open, s.given = valueEnd{}, true
}

// addWords takes data that is not a value. Only the words of an error count, and what ends the stream.
func (s *eventStream) addWords(words []byte) {
	if s.name == "error" && len(words) > 0 || endsStream(string(words)) {
		s.data, s.given = append(s.data[:0], words...), true
		return
	}
	s.note(words)
}

// note keeps words that may say why there is no answer.
func (s *eventStream) note(words []byte) {
	text := strings.TrimSpace(string(words[:min(len(words), maxWords)]))
	if s.words == "" && !strings.HasPrefix(text, ":") && text != "null" {
		s.words = strings.ToValidUTF8(text, "")
	}
}

// maxWords is how many bytes of an unreadable answer are told.
const maxWords = 200

// beginsValue reports whether a text begins with an object or a list.
func beginsValue(text []byte) bool { return len(text) > 0 && (text[0] == '{' || text[0] == '[') }

// valueEnd finds the end of an object or a list of JSON, in pieces, and bounds its size. The zero
// value waits for the begin.
type valueEnd struct {
	depth    int
	inString bool
	escaped  bool // after a backslash
	size     int  // in bytes
	values   int
}

func (v *valueEnd) isOpen() bool { return v.depth > 0 }

// add adds a piece and returns where in it the value ends, or -1 if it goes on.
func (v *valueEnd) add(piece []byte) (end int, err error) {
	if v.size += len(piece); v.size > maxPiece {
		return 0, tooLarge("a piece of the answer has more than %s", megabytes(maxPiece))
	}
	end = -1
	for i, c := range piece {
		if v.closes(c) {
			end = i + 1
			break
		}
	}
	if v.values > maxValues {
		return 0, tooLarge("a piece of the answer has more than %d values", maxValues)
	}
	return end, nil
}

// closes adds a byte and reports whether the value ends with it.
func (v *valueEnd) closes(c byte) bool {
	switch {
	case c == '\n', c == '\r': // no string contains one
		v.inString, v.escaped = false, false
	case v.escaped:
		v.escaped = false
	case v.inString:
		v.escaped, v.inString = c == '\\', c != '"'
	case c == '"':
		v.inString = true
	case c == '{', c == '[':
		v.depth++
		v.values++
	case c == ',':
		v.values++
	case c == '}', c == ']':
		v.depth--
		return v.depth == 0
	}
	return false
}

// lineSplitter splits lines that end with CR, LF or both. A line that ends with CR does not wait
// for the byte behind it, which may be long in coming.
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
