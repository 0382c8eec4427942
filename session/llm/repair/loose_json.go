package repair

import (
	"bytes"
	"fmt"
	"strings"
)

const blanks = " \t\r\n" // of JSON

// LooseValue returns the object or the list with which a text begins as JSON, and the text behind it. The value may be
// written as in Python or JavaScript: with single quotes, bare keys, True, None, and a comma behind the last item. What
// is cut off or written in another way is returned as nil, or is invalid JSON.
func LooseValue(text string) (value []byte, rest string) {
	if text == "" || text[0] != '{' && text[0] != '[' {
		return nil, text
	}
	s := looseScanner{text: text}
	for depth := 0; s.at < len(s.text); {
		switch c := s.text[s.at]; {
		case c == '{' || c == '[':
			depth++
			s.copy()
		case c == '}' || c == ']':
			depth--
			s.dropComma()
			s.copy()
			if depth == 0 {
				return s.out, s.text[s.at:]
			}
		case c == '"' || c == '\'':
			s.quoted(c)
		case isWordByte(c):
			s.word()
		default:
			s.copy()
		}
	}
	return nil, text
}

// looseScanner writes a text as JSON.
type looseScanner struct {
	text string
	at   int // the next byte to read
	out  []byte
}

func (s *looseScanner) copy() {
	s.out = append(s.out, s.text[s.at])
	s.at++
}

func (s *looseScanner) dropComma() {
	s.out = bytes.TrimSuffix(bytes.TrimRight(s.out, blanks), []byte(","))
}

// quoted takes a string with the given quotes. Line breaks in it need not be escaped.
func (s *looseScanner) quoted(quote byte) {
	s.out = append(s.out, '"')
	for s.at++; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case c == quote:
			s.at++
			s.out = append(s.out, '"')
			return
		case c == '\\' && s.at+1 < len(s.text):
			s.at++
			if s.text[s.at] != '\'' { // JSON does not escape it
				s.out = append(s.out, c)
			}
			s.out = append(s.out, s.text[s.at])
		case c == '"':
			s.out = append(s.out, `\"`...)
		case c < ' ':
			s.out = fmt.Appendf(s.out, `\u%04x`, c)
		default:
			s.out = append(s.out, c)
		}
	}
}

var pythonWords = map[string]string{"True": "true", "False": "false", "None": "null"}

// word takes a number, a constant or a key without quotes.
func (s *looseScanner) word() {
	begin := s.at
	for s.at < len(s.text) && isWordByte(s.text[s.at]) {
		s.at++
	}
	word := s.text[begin:s.at]
	switch other, python := pythonWords[word]; {
	case strings.HasPrefix(strings.TrimLeft(s.text[s.at:], blanks), ":"):
		s.out = fmt.Appendf(s.out, "%q", word)
	case python:
		s.out = append(s.out, other...)
	default:
		s.out = append(s.out, word...)
	}
}

func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '.'
}
