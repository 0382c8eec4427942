package protocol

import (
	"sort"
	"unicode/utf8"

	"go.lsp.dev/protocol"
)

// Encoding is the unit of a position's character: UTF-8 or UTF-16 code units, or
// UTF-32 code points.
type Encoding = protocol.PositionEncodingKind

// NegotiateEncoding returns the first supported encoding of the client's list. Without
// one it returns UTF-16, which every client must support.
func NegotiateEncoding(offered []Encoding) Encoding {
	for _, e := range offered {
		switch e {
		case protocol.PositionEncodingKindUTF8, protocol.PositionEncodingKindUTF16, protocol.PositionEncodingKindUTF32:
			return e
		}
	}
	return protocol.PositionEncodingKindUTF16
}

// A Mapper converts between byte offsets in one text and positions. Lines end with \n,
// \r\n or \r, as LSP specifies. A byte that is not valid UTF-8 counts as one unit. A
// Mapper is immutable and safe for concurrent use. It retains the text.
type Mapper struct {
	text     []byte
	encoding Encoding
	lines    []int // byte offset of each line's first byte
}

// NewMapper returns a mapper for text, which must not change while the mapper is in use.
func NewMapper(text []byte, encoding Encoding) *Mapper {
	lines := []int{0}
	for i, b := range text {
		switch b {
		case '\n':
			lines = append(lines, i+1)
		case '\r':
			if i+1 == len(text) || text[i+1] != '\n' {
				lines = append(lines, i+1)
			}
		}
	}
	return &Mapper{text: text, encoding: encoding, lines: lines}
}

// Offset converts a position to a byte offset. It clamps a character after the end of
// its line to that end, and a line after the last one to the end of the text. It rounds
// a character inside a surrogate pair or a UTF-8 sequence down to its start.
func (m *Mapper) Offset(p protocol.Position) int {
	if int(p.Line) >= len(m.lines) {
		return len(m.text)
	}
	start := m.lines[p.Line]
	line := m.text[start:m.lineEnd(int(p.Line))]
	left := int(p.Character)
	offset := start
	for len(line) > 0 && left > 0 {
		r, size := utf8.DecodeRune(line)
		units := m.units(r, size)
		if units > left {
			break
		}
		left -= units
		offset += size
		line = line[size:]
	}
	return offset
}

// Position converts a byte offset, clamped to the text, to a position.
func (m *Mapper) Position(offset int) protocol.Position {
	offset = min(max(offset, 0), len(m.text))
	line := sort.SearchInts(m.lines, offset+1) - 1
	character := 0
	for at := m.lines[line]; at < offset; {
		r, size := utf8.DecodeRune(m.text[at:])
		if at+size > offset {
			break
		}
		character += m.units(r, size)
		at += size
	}
	return protocol.Position{Line: uint32(line), Character: uint32(character)}
}

// Range converts the byte range [start, end) to positions.
func (m *Mapper) Range(start, end int) protocol.Range {
	return protocol.Range{Start: m.Position(start), End: m.Position(end)}
}

// Lines returns the range of the lines from first to last, which are 1-based and
// inclusive, without the last line break. ok is false if the text has no such lines.
func (m *Mapper) Lines(first, last int) (r protocol.Range, ok bool) {
	if first < 1 || last < first || last > len(m.lines) {
		return r, false
	}
	return m.Range(m.lines[first-1], m.lineEnd(last-1)), true
}

// LineAt returns the 1-based line that holds offset.
func (m *Mapper) LineAt(offset int) int {
	return sort.SearchInts(m.lines, offset+1)
}

// lineEnd returns the offset of the end of a 0-based line, before its line break.
func (m *Mapper) lineEnd(line int) int {
	if line+1 >= len(m.lines) {
		return len(m.text)
	}
	end := m.lines[line+1] - 1
	if end > m.lines[line] && m.text[end] == '\n' && m.text[end-1] == '\r' {
		end--
	}
	return end
}

// units returns the length of a rune of size bytes in the mapper's encoding.
func (m *Mapper) units(r rune, size int) int {
	switch m.encoding {
	case protocol.PositionEncodingKindUTF8:
		return size
	case protocol.PositionEncodingKindUTF32:
		return 1
	default:
		if r > 0xFFFF {
			return 2
		}
		return 1
	}
}
