package shards

import (
	"fmt"
	"strings"
	"testing"

	"ploke-lsp/internal/syntax"
)

// TestCutPassages cuts texts into passages: each symbol's own lines with its doc comment,
// once, in pieces that models can read.
func TestCutPassages(t *testing.T) {
	long := func(n int) string { return strings.Repeat("    work(and, more, work)\n", n) }
	for name, c := range map[string]struct {
		rel, text string
		want      []string
	}{
		"members are separate from their class": {"a/b/c.py", "\"\"\"" + strings.Repeat("What the module is for. ", 5) + "\"\"\"\n\nclass A:\n    \"\"\"" +
			strings.Repeat("What it is. ", 10) + "\"\"\"\n    x = 1\n    def m(self):\n" + strings.ReplaceAll(long(5), "    work", "        work") + "    def n(self): pass\n\ndef f():\n" + long(5),
			[]string{"1-2 b/c.py", "3-5 b/c.py A", "6-11 b/c.py A::m", "14-19 b/c.py f"}},
		"long symbols in pieces": {"x.py", "def f():\n" + long(130),
			[]string{"1-62 x.py f", "63-123 x.py f", "124-131 x.py f"}},
		"small symbols have none": {"x.go", "package x\n\nconst A = 1\n\nfunc f() {}\n", nil},
		"a text without symbols":  {"x.txt", strings.Repeat("some words in a line\n", 6), []string{"1-6 x.txt"}},
		"one long line":           {"x.txt", strings.Repeat("größe ", 400), []string{"1-1 x.txt", "1-1 x.txt"}},
		"at most eight":           {"x.txt", strings.Repeat(long(1), 1000), []string{"1-61 x.txt", "62-122 x.txt", "123-183 x.txt", "184-244 x.txt", "245-305 x.txt", "306-366 x.txt", "367-427 x.txt", "428-488 x.txt"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := &syntax.File{}
			if language := syntax.Detect(c.rel, []byte(c.text)); language != "" {
				f = ParseOrNothing(language, []byte(c.text))
			}
			var got []string
			all := cutPassages(c.rel, []byte(c.text), f.Symbols)
			for _, p := range all {
				got = append(got, fmt.Sprintf("%d-%d %s", p.startLine, p.endLine, p.title))
				if len(p.text) > maxPassage || strings.Contains(p.text, "\uFFFD") {
					t.Errorf("passage of %d bytes is too long, or not valid UTF-8: %q", len(p.text), p.text)
				}
			}
			if fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
			places, ok := decodePassages(encodePassages(all))
			if !ok || len(places) != len(all) || len(all) > 0 && places[len(all)-1] != all[len(all)-1].storedPassage {
				t.Errorf("passages after encoding and decoding: %v", places)
			}
		})
	}
}
