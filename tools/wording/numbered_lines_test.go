package wording

import (
	"strings"
	"testing"
)

func TestNumbersOfLinesAreRemovedExactly(t *testing.T) {
	for _, text := range []string{"a\n", "a\n\n\tb\r\n  c\n", "\n", "\r\n", "    \n1  one\n", "100000  x\n\n"} {
		for _, first := range []int{1, 9, 99_998, 1_234_567} {
			plain, line, ok := Unnumbered(Numbered(first, text))
			if !ok || plain != text || line != first {
				t.Errorf("Unnumbered(Numbered(%d, %q)) = %q, %d, %v", first, text, plain, line, ok)
			}
		}
	}
}

func TestCopiedNumbersOfLinesAreRemovedAndOthersStay(t *testing.T) {
	for _, c := range []struct {
		name, text, plain string
		first             int // 0: the text stays
	}{
		{"without the final newline", "  115  a\n  116  b", "a\nb", 115},
		{"without the first spaces", "115  a\n  116  b\n", "a\nb\n", 115},
		{"a blank line without spaces at its end", "    1  a\n    2\n    3  b\n", "a\n\nb\n", 1},
		{"a blank line without its number", "    1  a\n\n    3  b\n", "a\n\nb\n", 1},
		{"a blank line first", "\n    3  b\n", "\nb\n", 2},
		{"a line alone", "  115  \ta()", "\ta()", 115},
		{"numbers with a gap", "    1  a\n    3  b\n", "", 0},
		{"one line without a number", "    1  a\nb\n", "", 0},
		{"no numbers", "a\nb\n", "", 0},
		{"one space", "1 a\n2 b\n", "", 0},
		{"only blank lines", "\n\n", "", 0},
		{"nothing", "", "", 0},
		{"a number that is too large", strings.Repeat("9", 30) + "  a\n", "", 0},
		{"counted from before the file's first line", "\n\n    1  a\n", "", 0},
	} {
		plain, first, ok := Unnumbered(c.text)
		if c.first == 0 {
			c.plain = c.text
		}
		if plain != c.plain || first != c.first || ok != (c.first > 0) {
			t.Errorf("%s: Unnumbered(%q) = %q, %d, %v; want %q, %d", c.name, c.text, plain, first, ok, c.plain, c.first)
		}
	}
}
