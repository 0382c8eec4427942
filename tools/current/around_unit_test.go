package current

import (
	"errors"
	"strings"
	"testing"

	"ploke-lsp/index"
)

// countedText is a text that counts the bytes that are read of it.
type countedText struct {
	text string
	read int
}

func (c *countedText) Len() int { return len(c.text) }

func (c *countedText) Part(start, end int) ([]byte, error) {
	if start < 0 || end > len(c.text) {
		return nil, errors.New("out of the text")
	}
	c.read += end - start
	return []byte(c.text[start:end]), nil
}

// TestLinesAround reads lines on one side of a unit, or on both.
func TestLinesAround(t *testing.T) {
	long := strings.Repeat("x", 3*aroundCode)
	for name, test := range map[string]struct {
		line    string // of which the text is
		lines   int
		unit    string // behind half of the lines
		most    int    // bytes that may be read
		noBreak bool   // the last line has no end
	}{
		"short lines":                   {"a line", 20_000, "func f() {\n}\n", 4 * aroundCode, false},
		"a line that begins later":      {"a line", 20_000, "\tfunc f() {\n}\n", 4 * aroundCode, false},
		"a long beginning of a line":    {"a line", 20_000, strings.Repeat("\t", 3*aroundCode) + "f()\n", 1 << 16, false},
		"long lines":                    {strings.Repeat("x", 400), 2_000, "func f() {\n}\n", 50 * aroundCode, false},
		"very long lines":               {long, 100, "func f() {\n}\n", 1 << 20, false},
		"few lines":                     {"a line", 30, "func f() {\n}\n", 1 << 10, false},
		"few very long lines":           {long, 6, "func f() {\n}\n", 1 << 20, false},
		"a text without a last line":    {"a line", 10, "func f() {\n}\n", 1 << 10, true},
		"empty lines":                   {"", 20_000, "func f() {\n}\n", 4 * aroundCode, false},
		"other line ends":               {"a line\r", 20_000, "func f() {\r\n}\r\n", 4 * aroundCode, false},
		"a unit with the end of a line": {"# a", 20_000, "text\n\n", 4 * aroundCode, false},
	} {
		t.Run(name, func(t *testing.T) {
			half := strings.Repeat(test.line+"\n", test.lines/2)
			text := &countedText{text: half + test.unit + half}
			if test.noBreak {
				text.text = strings.TrimSuffix(text.text, "\n")
			}
			u := index.Unit{}
			u.StartByte = len(half) + strings.Index(test.unit, strings.TrimLeft(test.unit, "\t"))
			u.EndByte = len(half) + len(test.unit) - 1
			if name == "a unit with the end of a line" {
				u.EndByte++
			}
			u.StartLine, u.EndLine = test.lines/2+1, test.lines/2+strings.Count(test.unit, "\n")
			for _, wanted := range [][2]int{{20, 20}, {20, 0}, {0, 20}} {
				text.read = 0
				checkLines(t, text, u, wanted[0], wanted[1])
				if text.read > test.most {
					t.Errorf("%d bytes are read", text.read)
				}
			}
		})
	}
}

// checkLines checks that the lines of a text around a unit are enough, and that they are those of the text.
func checkLines(t *testing.T, text *countedText, u index.Unit, before, after int) {
	t.Helper()
	got, err := linesAround(text, u, before, after)
	if err != nil {
		t.Fatal(err)
	}
	all := strings.SplitAfter(strings.TrimSuffix(text.text, "\n"), "\n")
	lines := strings.SplitAfter(strings.TrimSuffix(got.Text, "\n"), "\n")
	last := got.First + len(lines) - 1
	if got.First > max(u.StartLine-before, 1) || last < min(u.EndLine+after, len(all)) {
		t.Errorf("the lines are %d to %d, of a unit in %d to %d", got.First, last, u.StartLine, u.EndLine)
	}
	for i, line := range lines {
		if want := all[got.First-1+i]; line != want && strings.TrimSuffix(want, "\n") != line {
			t.Fatalf("line %d is %q, want %q", got.First+i, line, want)
		}
	}
}

// TestLinesAroundOfOtherText asks for a unit that a shorter text cannot have.
func TestLinesAroundOfOtherText(t *testing.T) {
	u := index.Unit{}
	u.StartByte, u.EndByte, u.StartLine, u.EndLine = 10, 20, 3, 4
	got, err := linesAround(&countedText{text: "a\nb\n"}, u, 1, 1)
	if got.Text != "" || err != nil {
		t.Errorf("got %v, %v", got, err)
	}
}
