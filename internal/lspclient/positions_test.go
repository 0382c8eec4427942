package lspclient

import (
	"testing"
	"unicode/utf8"

	"go.lsp.dev/protocol"
)

// TestPositions converts each offset there and back, in each encoding.
func TestPositions(t *testing.T) {
	const text = "a é\r\n🙂b\rc\n\nd\xff🙂"
	for encoding, want := range map[protocol.PositionEncodingKind]map[int]protocol.Position{
		protocol.PositionEncodingKindUTF8:  {4: {Character: 4}, 10: {Line: 1, Character: 4}, 12: {Line: 2}, 21: {Line: 4, Character: 6}},
		protocol.PositionEncodingKindUTF16: {4: {Character: 3}, 10: {Line: 1, Character: 2}, 12: {Line: 2}, 21: {Line: 4, Character: 4}},
		protocol.PositionEncodingKindUTF32: {4: {Character: 3}, 10: {Line: 1, Character: 1}, 12: {Line: 2}, 21: {Line: 4, Character: 3}},
	} {
		m := newMapper([]byte(text), encoding)
		for offset, p := range want {
			if got := m.position(offset); got != p {
				t.Errorf("%s: offset %d is at %v, want %v", encoding, offset, got, p)
			}
		}
		for offset := range len(text) + 1 {
			if offset < len(text) && (!utf8.RuneStart(text[offset]) || text[offset] == '\n' && offset > 0 && text[offset-1] == '\r') {
				continue // inside of a character or of a line break
			}
			if got := m.offset(m.position(offset)); got != offset {
				t.Errorf("%s: offset %d is %d after there and back", encoding, offset, got)
			}
		}
	}
}
