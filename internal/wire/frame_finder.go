package wire

import "bytes"

// maxLengthField is how far before the end of a line its Content-Length is looked for.
const maxLengthField = 64

// A frameFinder finds where a frame begins in the bytes of a body, while they arrive: at
// a Content-Length with digits to the end of the line, other header fields, a blank line
// and an opening brace. Valid JSON holds no such bytes: a string has no raw line break,
// and "Content-Length" can only be in a string. The zero value is ready.
//
// Each byte is looked at once, however often find is called.
type frameFinder struct {
	scanned int // everything before it was looked at
	line    int // where the unfinished line begins
	state   finderState
	start   int // of the frame that the lines before belong to, unless state is outside
}

type finderState int

const (
	outside    finderState = iota
	inHeader               // after a Content-Length
	afterBlank             // only the brace is missing
)

// find returns where the first frame begins. data must begin with what earlier calls got.
func (f *frameFinder) find(data []byte) (start int, ok bool) {
	for {
		if f.state == afterBlank {
			rest := bytes.TrimLeft(data[f.scanned:], whiteSpace)
			f.scanned = len(data) - len(rest)
			f.line = f.scanned
			switch {
			case len(rest) > 0 && rest[0] == '{':
				return f.start, true
			case len(rest) > 0:
				f.state = outside
			}
		}
		end := bytes.IndexByte(data[f.scanned:], '\n')
		if end < 0 {
			f.scanned = len(data)
			f.giveUp()
			return 0, false
		}
		f.scanned += end + 1
		f.addLine(data[f.line:f.scanned])
		f.line = f.scanned
		f.giveUp()
	}
}

func (f *frameFinder) addLine(line []byte) {
	if start, ok := lengthAtEnd(line); ok {
		f.state, f.start = inHeader, f.line+start
		return
	}
	switch {
	case f.state == inHeader && isBlank(line):
		f.state = afterBlank
	case f.state == inHeader && isHeaderField(line):
	default:
		f.state = outside
	}
}

// giveUp gives up a frame whose header is too long.
func (f *frameFinder) giveUp() {
	if f.state != outside && f.scanned-f.start > maxHeaderBytes {
		f.state = outside
	}
}

// earliest returns the first place in data where a frame can begin whose end has not
// come yet.
func (f *frameFinder) earliest(data []byte) int {
	if f.state != outside {
		return f.start
	}
	return max(f.line, len(data)-maxLengthField)
}

// shift says that the first n bytes of the data are dropped. They end at or before
// [frameFinder.earliest].
func (f *frameFinder) shift(n int) {
	f.scanned -= n
	f.line = max(f.line-n, 0)
	f.start -= n
}

// whiteSpace is what JSON takes for white space.
const whiteSpace = " \t\r\n"

// lengthField returns the last Content-Length of a line, in letters of either case, and
// where it begins in the line.
func lengthField(line []byte) (start int, value []byte, ok bool) {
	name := []byte("Content-Length")
	for start = len(line) - len(name); start >= 0; start-- {
		if bytes.EqualFold(line[start:start+len(name)], name) {
			value, ok = bytes.CutPrefix(bytes.TrimLeft(line[start+len(name):], " \t"), []byte(":"))
			return start, bytes.Trim(value, whiteSpace), ok
		}
	}
	return 0, nil, false
}

// lengthAtEnd returns where the Content-Length begins that ends the line.
func lengthAtEnd(line []byte) (start int, ok bool) {
	line = bytes.TrimRight(line, whiteSpace)
	if len(line) == 0 || !isDigits(line[len(line)-1:]) {
		return 0, false
	}
	skipped := max(len(line)-maxLengthField, 0)
	start, value, ok := lengthField(line[skipped:])
	return skipped + start, ok && isDigits(value)
}

// isHeaderField reports whether a line has the form of a header field.
func isHeaderField(line []byte) bool {
	name, _, ok := bytes.Cut(line, []byte(":"))
	name = bytes.TrimRight(name, " \t")
	return ok && len(name) > 0 && bytes.IndexFunc(name, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '-' || r == '_')
	}) < 0
}

func isBlank(line []byte) bool { return len(bytes.Trim(line, whiteSpace)) == 0 }

func isDigits(text []byte) bool {
	for _, c := range text {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(text) > 0
}
