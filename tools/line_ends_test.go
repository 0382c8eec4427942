package tools_test

import "testing"

// TestLineEndsOfNewText gives new lines the ends of the text that they replace, else those of most lines of the file.
func TestLineEndsOfNewText(t *testing.T) {
	for name, test := range map[string]struct{ text, old, new, want string }{
		"mostly CRLF":                     {"a\r\nb\nc\r\nd\r\n", "c", "c\nx", "a\r\nb\nc\r\nx\r\nd\r\n"},
		"mostly CRLF, behind the bare LF": {"a\r\nb\nc\r\nd\r\n", "b", "b\nx", "a\r\nb\r\nx\nc\r\nd\r\n"},
		"all CRLF":                        {"a\r\nb\r\n", "b", "b\nx", "a\r\nb\r\nx\r\n"},
		"all CRLF, new with CRLF":         {"a\r\nb\r\n", "b", "b\r\nx", "a\r\nb\r\nx\r\n"},
		"all LF, new with CRLF":           {"a\nb\n", "b", "b\r\nx", "a\nb\nx\n"},
		"mostly LF":                       {"a\nb\r\nc\nd\n", "c", "c\nx", "a\nb\r\nc\nx\nd\n"},
		"several lines of old":            {"a\r\nb\r\nc\n", "a\nb", "a\nx\ny", "a\r\nx\r\ny\r\nc\n"},
		"a line without an end":           {"a\r\nb", "b", "b\nx", "a\r\nb\r\nx"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, map[string]string{"a.txt": test.text})
			result := w.edit("a.txt", test.old, test.new)
			if got := w.read("a.txt"); !result.OK || got != test.want {
				t.Errorf("%q, want %q: %.300s", got, test.want, result.Content)
			}
		})
	}
}
