package config_test

import (
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"
)

// units returns a text as UTF-16.
func units(order binary.AppendByteOrder, text string) string {
	var data []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		data = order.AppendUint16(data, unit)
	}
	return string(data)
}

// TestFilesOfWindows reads settings as editors on Windows write them.
func TestFilesOfWindows(t *testing.T) {
	const mark, settings = "\uFEFF", "model = \"ü😀\"\r\n"
	for name, data := range map[string]string{
		"UTF-8":                       settings,
		"UTF-8 with a mark":           mark + settings,
		"UTF-16, little end":          units(binary.LittleEndian, mark+settings),
		"UTF-16, big end":             units(binary.BigEndian, mark+settings),
		"UTF-16 without mark, little": units(binary.LittleEndian, settings),
		"UTF-16 without mark, big":    units(binary.BigEndian, settings),
	} {
		if layer := file(t, data); layer.Err != nil || layer.Values["model"] != "ü😀" {
			t.Errorf("%s: %v, %v", name, layer.Values, layer.Err)
		}
	}
	for name, data := range map[string]string{"": "", "mark alone": mark, "UTF-16 mark alone": units(binary.LittleEndian, mark)} {
		if layer := file(t, data); layer.Err != nil || len(layer.Values) != 0 {
			t.Errorf("%s: %v, %v", name, layer.Values, layer.Err)
		}
	}
	for name, data := range map[string]string{
		"Windows-1252":       "model = \"\xFC\"",
		"half a unit":        units(binary.LittleEndian, mark+settings) + "x",
		"half of a pair":     units(binary.LittleEndian, mark) + "\x00\xD8",
		"two marks in UTF-8": "a\xFE\xFF",
	} {
		if layer := file(t, data); layer.Err == nil || !strings.Contains(layer.Err.Error(), "save the file as UTF-8") {
			t.Errorf("%s: %v, %v", name, layer.Values, layer.Err)
		}
	}
}
