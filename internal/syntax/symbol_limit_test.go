package syntax_test

import (
	"fmt"
	"strings"
	"testing"

	"ploke-lsp/internal/syntax"
)

// TestOutlineOfData drops the levels that would flood the index with the symbols of a data
// file.
func TestOutlineOfData(t *testing.T) {
	var lock, table strings.Builder
	lock.WriteString("version: 9\npackages:\n")
	for i := range 900 {
		fmt.Fprintf(&lock, "  /p%d:\n    engines: {node: 8}\n", i)
		fmt.Fprintf(&table, "[[package]]\nname = \"p%d\"\nversion = \"1\"\n", i)
	}
	for _, c := range []struct {
		language, text string
		symbols        int
	}{
		{"yaml", lock.String(), 902},
		{"yaml", lock.String() + strings.Repeat("  x:\n", 100), 2},
		{"yaml", strings.Repeat("x: 1\n", 1001), 0},
		{"toml", table.String(), 900},
		{"html", strings.Repeat("<p id=x>y</p>\n", 1000), 1000},
		{"html", "<div id=a>" + strings.Repeat("<p id=x>y</p>\n", 1000) + "</div>", 1},
	} {
		f, err := syntax.Parse(c.language, []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		if len(f.Symbols) != c.symbols {
			t.Errorf("%s, %q…: %d symbols, want %d", c.language, c.text[:20], len(f.Symbols), c.symbols)
		}
		checkBounds(t, f, []byte(c.text))
	}
}
