package display

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestBounded has texts without and with spaces, line ends and characters of several bytes.
func TestBounded(t *testing.T) {
	for _, piece := range []string{"x", "rm${IFS}-rf;", "word ", "line\n", " ", "\n", "é", "日", "😀", "\xff"} {
		for _, limit := range []int{40, 41, 100, 4 << 10} {
			for _, size := range []int{limit - 1, limit, limit + 1, limit + 400, 10 * limit} {
				text := ("begin" + strings.Repeat(piece, size))[:size-3] + "end"
				shown, whole := Bounded(text, limit)
				if whole != (size <= limit) || whole && shown != text {
					t.Errorf("%d bytes of %q, limit %d: whole %v", size, piece, limit, whole)
				}
				if whole {
					continue
				}
				head, after, _ := strings.Cut(shown, " … (")
				var left int
				if _, err := fmt.Sscanf(after, "%d bytes", &left); err != nil {
					t.Fatal(err)
				}
				_, tail, _ := strings.Cut(after, ") … ")
				if !strings.HasPrefix(text, head) || !strings.HasSuffix(text, tail) || len(head)+left+len(tail) != size ||
					len(head)+len(tail) < limit-8 {
					t.Errorf("%d bytes of %q, limit %d: %q and %q with %d between", size, piece, limit, head, tail, left)
				}
				if piece != "\xff" && utf8.ValidString(text) && !utf8.ValidString(shown) {
					t.Errorf("%q is cut", piece)
				}
			}
		}
	}
}
