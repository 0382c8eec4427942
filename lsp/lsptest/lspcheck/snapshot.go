package lspcheck

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// The position encodings.
const (
	utf8Encoding  = "utf-8"
	utf16Encoding = "utf-16"
	utf32Encoding = "utf-32"
)

// A snapshot is the text of a document at one time.
type snapshot struct {
	text  string
	lines []int // the offset of each line's first byte; nil until it is needed
}

// misplaced says what is wrong with a position in the text; "" if nothing.
func (t *snapshot) misplaced(position any, encoding string) string {
	line, character := number(position, "line"), number(position, "character")
	content, ok := t.line(line)
	if !ok {
		return fmt.Sprintf("line %d is behind the text, which has %d lines", line, len(t.lines))
	}
	at, left := 0, character
	for left > 0 && at < len(content) {
		r, size := utf8.DecodeRuneInString(content[at:])
		left -= units(r, size, encoding)
		at += size
	}
	switch {
	case left > 0:
		return fmt.Sprintf("character %d is behind the end of line %d, %s", character, line, clip(content, 60))
	case left < 0 || character < 0:
		return fmt.Sprintf("character %d of line %d is inside a character of %s", character, line, clip(content, 60))
	}
	return ""
}

// offset returns the byte offset of a position; ok is false if it is not in the text.
func (t *snapshot) offset(position any, encoding string) (offset int, ok bool) {
	if t.misplaced(position, encoding) != "" {
		return 0, false
	}
	line := number(position, "line")
	content, _ := t.line(line)
	at := 0
	for left := number(position, "character"); left > 0; {
		r, size := utf8.DecodeRuneInString(content[at:])
		left -= units(r, size, encoding)
		at += size
	}
	return t.lines[line] + at, true
}

// line returns a line without its line break, which is \n, \r\n or \r.
func (t *snapshot) line(i int) (content string, ok bool) {
	if t.lines == nil {
		t.lines = lineStarts(t.text)
	}
	if i < 0 || i >= len(t.lines) {
		return "", false
	}
	content = t.text[t.lines[i]:]
	if end := strings.IndexAny(content, "\r\n"); end >= 0 {
		content = content[:end]
	}
	return content, true
}

func lineStarts(text string) []int {
	starts := []int{0}
	for i := 0; ; {
		end := strings.IndexAny(text[i:], "\r\n")
		if end < 0 {
			return starts
		}
		i += end + 1
		if text[i-1] == '\r' && i < len(text) && text[i] == '\n' {
			i++
		}
		starts = append(starts, i)
	}
}

// units returns the length of a character of size bytes.
func units(r rune, size int, encoding string) int {
	switch {
	case encoding == utf8Encoding:
		return size
	case encoding == utf16Encoding && r > 0xFFFF:
		return 2
	}
	return 1
}
