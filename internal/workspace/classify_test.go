package workspace

import (
	"strings"
	"testing"
)

func TestClassify(t *testing.T) {
	line := strings.Repeat("x", 1200) + "\n"
	tests := map[string]struct {
		text string
		want Skip
	}{
		"empty":              {"", ""},
		"source":             {strings.Repeat("func f() {}\n", 1000), ""},
		"nul":                {"abc\x00def", Binary},
		"nul late":           {strings.Repeat("a\n", sampleBytes) + "\x00", ""},
		"control bytes":      {strings.Repeat("\x01\x02abcdef", 100), Binary},
		"latin-1":            {strings.Repeat("caf\xe9 cr\xe8me\n", 100), ""},
		"form feeds, tabs":   {strings.Repeat("\f\n\tx\r\n", 100), ""},
		"terminal colors":    {strings.Repeat("\x1b[31mred\x1b[0m\n", 100), ""},
		"minified":           {strings.Repeat(line, 5), Minified},
		"one line":           {strings.Repeat("x", minifiedBytes), Minified},
		"short one line":     {strings.Repeat("x", minifiedBytes-1), ""},
		"a single long line": {line + strings.Repeat("func f() {}\n", 400), ""},
	}
	for name, tt := range tests {
		if got := Classify([]byte(tt.text)); got != tt.want {
			t.Errorf("%s: Classify = %q; want %q", name, got, tt.want)
		}
	}
}
