package config

import (
	"bytes"
	"encoding/binary"
	"errors"
	"unicode/utf16"
	"unicode/utf8"
)

var errNoText = errors.New("it is damaged UTF-16: save the file as UTF-8")

// decodeText returns the text of a file in UTF-8 or UTF-16 as UTF-8, without a byte order mark.
// Editors on Windows write UTF-16 and the mark. UTF-16 without a mark is known by its first
// character, since settings begin with one of ASCII.
func decodeText(data []byte) ([]byte, error) {
	switch {
	case bytes.HasPrefix(data, []byte("\xEF\xBB\xBF")):
		return data[3:], nil
	case bytes.HasPrefix(data, []byte{0xFF, 0xFE}):
		return fromUTF16(data[2:], binary.LittleEndian)
	case bytes.HasPrefix(data, []byte{0xFE, 0xFF}):
		return fromUTF16(data[2:], binary.BigEndian)
	case len(data) > 1 && data[0] != 0 && data[1] == 0:
		return fromUTF16(data, binary.LittleEndian)
	case len(data) > 1 && data[0] == 0 && data[1] != 0:
		return fromUTF16(data, binary.BigEndian)
	case !utf8.Valid(data):
		return nil, errors.New("it is neither UTF-8 nor UTF-16: save the file as UTF-8")
	}
	return data, nil
}

func fromUTF16(data []byte, order binary.ByteOrder) ([]byte, error) {
	if len(data)%2 != 0 {
		return nil, errNoText
	}
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = order.Uint16(data[2*i:])
	}
	text := []byte(string(utf16.Decode(units)))
	if bytes.ContainsRune(text, utf8.RuneError) {
		return nil, errNoText
	}
	return text, nil
}
