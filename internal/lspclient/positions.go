package lspclient

import (
	"unicode/utf8"

	"go.lsp.dev/protocol"

	"ploke-lsp/internal/pieces"
)

// units are what columns count in the encodings of positions.
var units = map[protocol.PositionEncodingKind]pieces.Unit{
	protocol.PositionEncodingKindUTF8:  pieces.Bytes,
	protocol.PositionEncodingKindUTF16: pieces.UTF16,
	protocol.PositionEncodingKindUTF32: pieces.Runes,
}

// mapper converts between positions and byte offsets of a text.
type mapper struct {
	text   []byte
	pieces pieces.Text
	unit   pieces.Unit
}

func newMapper(text []byte, encoding protocol.PositionEncodingKind) *mapper {
	return &mapper{text, pieces.New(string(text)), units[encoding]}
}

// offset returns the offset of a position, see [pieces.Text.Offset].
func (m *mapper) offset(p protocol.Position) int {
	at, _ := m.pieces.Offset(int(p.Line), int(p.Character), m.unit)
	return at
}

// position returns the position of an offset.
func (m *mapper) position(offset int) (p protocol.Position) {
	offset = min(max(offset, 0), len(m.text))
	start := 0
	for i, b := range m.text[:offset] {
		if b == '\n' || b == '\r' && (i+1 == len(m.text) || m.text[i+1] != '\n') {
			p.Line++
			start = i + 1
		}
	}
	for line := m.text[start:offset]; len(line) > 0; {
		r, size := utf8.DecodeRune(line)
		line = line[size:]
		switch {
		case m.unit == pieces.Bytes:
			p.Character += uint32(size)
		case r > 0xFFFF && m.unit == pieces.UTF16:
			p.Character += 2
		default:
			p.Character++
		}
	}
	return p
}
