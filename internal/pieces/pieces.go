// Package pieces keeps a text as a list of short pieces, so that a change of a large text
// copies little of it.
//
// Its promises:
//   - A Text never changes. Replace returns another one, which shares what is equal.
//   - A change copies the list, one entry for each 16 to 32 KB of text, and at most a few
//     pieces in addition to what is inserted, wherever it is and however long the lines are.
//   - Lines end with \n, \r\n or \r, as LSP specifies.
//
// Offsets are in bytes and, like lines and columns, 0-based.
package pieces

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// maxPiece is the maximum length of a piece in bytes, except that a cut never separates
// the bytes of a character or of a line break.
const maxPiece = 32 << 10

// A Text is an immutable text. The zero value is the empty text.
type Text struct {
	list []piece
	size int
}

// A piece is a part of a text with what is counted in it. No piece is empty, and no line
// break lies in two pieces.
type piece struct {
	text   string
	breaks int // line breaks
	runes  int
	astral int // runes outside of the Basic Multilingual Plane
}

// New returns a text. It shares s.
func New(s string) Text { return Text{list: cut(s), size: len(s)} }

// Len returns the length in bytes.
func (t Text) Len() int { return t.size }

// Bytes returns a copy of the whole text.
func (t Text) Bytes() []byte {
	all := make([]byte, 0, t.size)
	for _, p := range t.list {
		all = append(all, p.text...)
	}
	return all
}

// HasPrefix reports whether the text begins with prefix, which must not be longer than a
// few bytes.
func (t Text) HasPrefix(prefix string) bool {
	return prefix == "" || len(t.list) > 0 && strings.HasPrefix(t.list[0].text, prefix)
}

// Replace returns the text with s instead of the bytes from start up to, but not including,
// end. Both must lie within the text and on the boundaries of characters.
func (t Text) Replace(start, end int, s string) Text {
	first, before := t.pieceAt(start)
	last, after := t.pieceAt(end)
	head, tail := "", ""
	if first < len(t.list) {
		head = t.list[first].text[:start-before]
	}
	if last < len(t.list) {
		tail = t.list[last].text[end-after:]
		last++
	}
	// A neighbor whose line break may continue in the new pieces is cut again with them.
	if first > 0 && strings.HasSuffix(t.list[first-1].text, "\r") {
		first--
		head = t.list[first].text + head
	}
	if last < len(t.list) && t.list[last].text[0] == '\n' {
		tail += t.list[last].text
		last++
	}
	return Text{
		list: slices.Concat(t.list[:first], cut(head+s+tail), t.list[last:]),
		size: t.size - (end - start) + len(s),
	}
}

// pieceAt returns the index of the piece that holds offset, and the offset of its first
// byte. At the end of the text it is the last piece, so that what is appended joins it.
func (t Text) pieceAt(offset int) (i, start int) {
	for ; i < len(t.list)-1 && offset >= start+len(t.list[i].text); i++ {
		start += len(t.list[i].text)
	}
	return i, start
}

// cut returns the pieces of s, of about the same length.
func cut(s string) (list []piece) {
	n := (len(s) + maxPiece - 1) / maxPiece
	list = make([]piece, 0, n)
	for ; n > 0 && s != ""; n-- {
		at := len(s)
		if n > 1 {
			at = boundary(s, len(s)/n)
		}
		list = append(list, newPiece(s[:at]))
		s = s[at:]
	}
	return list
}

// boundary returns the first offset from at on where s may be cut.
func boundary(s string, at int) int {
	for at < len(s) && (!utf8.RuneStart(s[at]) || s[at-1] == '\r' && s[at] == '\n') {
		at++
	}
	return at
}

func newPiece(s string) piece {
	p := piece{text: s}
	for i, r := range s {
		p.runes++
		if r > 0xFFFF {
			p.astral++
		} else if endsLine(s, i) {
			p.breaks++
		}
	}
	return p
}
