package scip

import (
	"bytes"
	"unicode/utf8"
)

// Lines is a text whose positions are found.
type Lines struct {
	text   []byte
	starts []int // of the lines, in bytes
}

// NewLines returns a text with its lines, which end with a line feed.
func NewLines(text []byte) *Lines {
	l := &Lines{text: text, starts: []int{0}}
	for at := 0; ; {
		n := bytes.IndexByte(text[at:], '\n')
		if n < 0 {
			return l
		}
		at += n + 1
		l.starts = append(l.starts, at)
	}
}

// Bytes returns where a range begins and ends in the text, in bytes. ok is false if the text has no such places.
func (l *Lines) Bytes(r Range, e Encoding) (start, end int, ok bool) {
	start, ok = l.offset(r.StartLine, r.StartChar, e)
	if !ok {
		return 0, 0, false
	}
	end, ok = l.offset(r.EndLine, r.EndChar, e)
	return start, end, ok && start <= end
}

// offset returns the offset of a character. What is not said to be in other units is in UTF-16, as the indexers have it
// that don't say.
func (l *Lines) offset(line, char int32, e Encoding) (int, bool) {
	if int(line) >= len(l.starts) {
		return 0, false
	}
	at, end := l.starts[line], len(l.text)
	if int(line)+1 < len(l.starts) {
		end = l.starts[line+1] - 1
	}
	if e == UTF8 {
		at += int(char)
		return at, at <= end
	}
	for char > 0 && at < end {
		r, n := utf8.DecodeRune(l.text[at:end])
		at += n
		char--
		if r > 0xffff && e != UTF32 {
			char--
		}
	}
	return at, char == 0
}
