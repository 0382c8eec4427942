package proof

import (
	"strings"
	"testing"
)

// TestFewLinesAreRead of an output that has very many: blank ones are none, and the last ones count.
func TestFewLinesAreRead(t *testing.T) {
	if got := shortLines(strings.Repeat("\n \r\n\t\n", 1<<20)); got != "" {
		t.Errorf("%d bytes of blank lines are left", len(got))
	}
	got := shortLines("a.go:1:1: first\n" + strings.Repeat("x\n", 2<<20) + "\n\na.go:2:1: last\n")
	if n := strings.Count(got, "\n"); n != maxLines || !strings.HasSuffix(got, "x\na.go:2:1: last\n") {
		t.Errorf("%d lines are left, at the end %q", n, got[len(got)-30:])
	}
	if got := shortLines("  one\n\n\x1b[31mtwo\x1b[0m \n" + strings.Repeat("é", maxLine)); len(got) != len("  one\ntwo\n")+maxLine+1 {
		t.Errorf("%d bytes are left", len(got))
	}
}
