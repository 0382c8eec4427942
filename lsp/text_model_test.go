package lsp_test

import (
	"fmt"
	"strings"
	"unicode/utf16"
)

// A textModel is an open document as the editor has it, in UTF-16 as most editors do. It is
// written as plainly as possible: the server must agree with it.
type textModel struct {
	version int
	units   []uint16
	lost    bool // the server can't know the text, and must say so
}

func newModel(version int, text string) *textModel {
	return &textModel{version: version, units: utf16.Encode([]rune(text))}
}

func (m *textModel) text() string { return string(utf16.Decode(m.units)) }

// A modelChange is one change of a didChange notification.
type modelChange struct {
	whole bool
	from  [2]int // line and character
	to    [2]int
	text  string
	bad   bool // it is spelt in a way that can't be understood
	json  string
}

// change applies a notification; version is -1 if it has none.
func (m *textModel) change(version int, changes []modelChange) {
	next := *m
	healed := false
	for _, c := range changes {
		healed = healed || c.whole
		if c.bad {
			m.lost = true
			return
		}
	}
	if m.lost && !healed {
		return
	}
	if !healed && version >= 0 && version < m.version {
		m.lost = true
		return
	}
	if version >= 0 {
		next.version = version
	}
	next.lost = m.lost
	for _, c := range changes {
		next.apply(c)
	}
	if next.lost {
		m.lost = true
		return
	}
	*m = next
}

func (m *textModel) apply(c modelChange) {
	if c.whole {
		m.units, m.lost = utf16.Encode([]rune(c.text)), false
		return
	}
	if m.lost {
		return
	}
	from, to := m.index(c.from), m.index(c.to)
	if from < 0 || to < 0 || to < from {
		m.lost = true
		return
	}
	units := append([]uint16{}, m.units[:from]...)
	units = append(units, utf16.Encode([]rune(c.text))...)
	m.units = append(units, m.units[to:]...)
}

// index returns where a position is, or -1 if it is between the halves of a surrogate pair.
func (m *textModel) index(position [2]int) int {
	i := 0
	for line := 0; line < position[0]; i++ {
		if i == len(m.units) {
			return i
		}
		crlf := m.units[i] == '\r' && i+1 < len(m.units) && m.units[i+1] == '\n'
		if m.units[i] == '\n' || m.units[i] == '\r' && !crlf {
			line++
		}
	}
	for n := position[1]; n > 0 && i < len(m.units) && m.units[i] != '\n' && m.units[i] != '\r'; n-- {
		i++
	}
	if i > 0 && i < len(m.units) && utf16.DecodeRune(rune(m.units[i-1]), rune(m.units[i])) != '�' {
		return -1
	}
	return i
}

// words are what documents are made of: all line breaks, characters of all lengths, code,
// and enough to make several pieces.
var words = []string{"a", "é", "😀", "\r", "\n", "\r\n", "", "func F() {}\n", "\x00", "\u2028", strings.Repeat("wörd 😀\r\n", 4000), strings.Repeat("x", 40_000)}

// wholeNumbers and otherNumbers are ways to spell a number, and to spell none.
var (
	wholeNumbers = []string{"%d", "%d.0", "%de0", "%d.0e0", "%d.000"}
	otherNumbers = []string{"-1", `"%d"`, "%d.5", "null", "[%d]", "4294967296", "{}", "true", "1e99", "0%d", "+%d", "NaN"}
)

// A script turns the bytes of a fuzzer into decisions. After its end, it decides 0.
type script struct{ rest []byte }

// below returns a number from 0 up to, but not including, n.
func (s *script) below(n int) int {
	if len(s.rest) == 0 {
		return 0
	}
	b := int(s.rest[0])
	s.rest = s.rest[1:]
	return b % n
}

func (s *script) word() string { return words[s.below(len(words))] }

// number spells a number; bad is true for a spelling that is not one of LSP.
func (s *script) number(n int) (json string, bad bool) {
	k := s.below(64)
	if k < len(otherNumbers) {
		json = otherNumbers[k]
		if strings.Contains(json, "%d") {
			json = fmt.Sprintf(json, n)
		}
		return json, true
	}
	return fmt.Sprintf(wholeNumbers[k%len(wholeNumbers)], n), false
}

func (s *script) position() (at [2]int, json string, bad bool) {
	at = [2]int{s.below(8), s.below(12)}
	if s.below(16) == 1 {
		at[s.below(2)] = 4294967295
	}
	line, badLine := s.number(at[0])
	character, badCharacter := s.number(at[1])
	switch s.below(64) {
	case 1:
		return at, `{"line":` + line + `}`, true
	case 2:
		return at, `{"character":` + character + `}`, true
	}
	return at, `{"line":` + line + `,"character":` + character + `}`, badLine || badCharacter
}

func (s *script) change() modelChange {
	c := modelChange{text: s.word()}
	if s.below(6) == 1 {
		c.whole, c.json = true, `{"text":`+quote(c.text)+`}`
		return c
	}
	var from, to string
	var badFrom, badTo bool
	c.from, from, badFrom = s.position()
	c.to, to, badTo = s.position()
	c.bad = badFrom || badTo
	c.json = `{"range":{"start":` + from + `,"end":` + to + `},"text":` + quote(c.text) + `}`
	return c
}
