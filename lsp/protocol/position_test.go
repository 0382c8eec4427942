package protocol

import (
	"testing"
	"unicode/utf8"

	"go.lsp.dev/protocol"
)

const (
	utf8Encoding  = protocol.PositionEncodingKindUTF8
	utf16Encoding = protocol.PositionEncodingKindUTF16
	utf32Encoding = protocol.PositionEncodingKindUTF32
)

func TestNegotiate(t *testing.T) {
	for _, tt := range []struct {
		name    string
		offered []Encoding
		want    Encoding
	}{
		{"no list", nil, utf16Encoding},
		{"the client's first choice wins", []Encoding{utf32Encoding, utf8Encoding, utf16Encoding}, utf32Encoding},
		{"an unknown encoding is skipped", []Encoding{"utf-7", utf8Encoding}, utf8Encoding},
		{"only unknown encodings", []Encoding{"utf-7"}, utf16Encoding},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := NegotiateEncoding(tt.offered); got != tt.want {
				t.Errorf("NegotiateEncoding(%v) = %q, want %q", tt.offered, got, tt.want)
			}
		})
	}
}

func TestMapperPositions(t *testing.T) {
	const text = "aé😀b\r\nsecond\rthird\n\xff!"
	for _, tt := range []struct {
		encoding  Encoding
		offset    int
		line, col uint32
	}{
		{utf16Encoding, 0, 0, 0},
		{utf16Encoding, 3, 0, 2}, // after é
		{utf16Encoding, 7, 0, 4}, // after the emoji: a surrogate pair
		{utf8Encoding, 7, 0, 7},
		{utf32Encoding, 7, 0, 3},
		{utf16Encoding, 8, 0, 5},  // before \r\n
		{utf16Encoding, 10, 1, 0}, // after \r\n
		{utf16Encoding, 17, 2, 0}, // after a lone \r
		{utf16Encoding, 23, 3, 0}, // after \n
		{utf16Encoding, 24, 3, 1}, // an invalid byte is one unit
		{utf8Encoding, 24, 3, 1},
		{utf16Encoding, 25, 3, 2}, // the end
	} {
		m := NewMapper([]byte(text), tt.encoding)
		want := protocol.Position{Line: tt.line, Character: tt.col}
		if got := m.Position(tt.offset); got != want {
			t.Errorf("%s: Position(%d) = %v, want %v", tt.encoding, tt.offset, got, want)
		}
		if got := m.Offset(want); got != tt.offset {
			t.Errorf("%s: Offset(%v) = %d, want %d", tt.encoding, want, got, tt.offset)
		}
	}
}

func TestMapperClamps(t *testing.T) {
	m := NewMapper([]byte("a😀\nb"), utf16Encoding)
	for _, tt := range []struct {
		name string
		in   protocol.Position
		want int
	}{
		{"after the end of the line", protocol.Position{Line: 0, Character: 99}, 5},
		{"after the last line", protocol.Position{Line: 9, Character: 0}, 7},
		{"inside a surrogate pair", protocol.Position{Line: 0, Character: 2}, 1},
	} {
		if got := m.Offset(tt.in); got != tt.want {
			t.Errorf("%s: Offset(%v) = %d, want %d", tt.name, tt.in, got, tt.want)
		}
	}
	if got := m.Position(-1); got != (protocol.Position{}) {
		t.Errorf("Position(-1) = %v, want 0:0", got)
	}
	if got, want := m.Position(99), (protocol.Position{Line: 1, Character: 1}); got != want {
		t.Errorf("Position(99) = %v, want %v", got, want)
	}
}

func TestMapperLines(t *testing.T) {
	m := NewMapper([]byte("one\r\ntwo\nthree"), utf16Encoding)
	r, ok := m.Lines(1, 2)
	if want := (protocol.Range{End: protocol.Position{Line: 1, Character: 3}}); !ok || r != want {
		t.Errorf("Lines(1, 2) = %v, %v, want %v", r, ok, want)
	}
	for _, bad := range [][2]int{{0, 1}, {2, 1}, {3, 4}} {
		if _, ok := m.Lines(bad[0], bad[1]); ok {
			t.Errorf("Lines(%d, %d) returned a range for a text with three lines", bad[0], bad[1])
		}
	}
	if got := m.LineAt(4); got != 1 {
		t.Errorf("LineAt(4) = %d, want 1", got)
	}
	if got := m.LineAt(5); got != 2 {
		t.Errorf("LineAt(5) = %d, want 2", got)
	}
}

func FuzzMapperRoundTrip(f *testing.F) {
	f.Add("a\r\nb😀\rc\n", 3)
	f.Add("\xff\xfe\r", 1)
	f.Fuzz(func(t *testing.T, text string, offset int) {
		for _, e := range []Encoding{utf8Encoding, utf16Encoding, utf32Encoding} {
			m := NewMapper([]byte(text), e)
			p := m.Position(offset)
			back := m.Offset(p)
			if back < 0 || back > len(text) {
				t.Fatalf("%s: Offset(%v) = %d is outside the text", e, p, back)
			}
			onRune := offset >= 0 && offset <= len(text) && (offset == len(text) || utf8.RuneStart(text[offset])) && utf8.ValidString(text)
			inLineBreak := offset > 0 && offset < len(text) && text[offset-1] == '\r' && text[offset] == '\n'
			if onRune && !inLineBreak && back != offset {
				t.Fatalf("%s: offset %d became %v became %d in %q", e, offset, p, back, text)
			}
		}
	})
}
