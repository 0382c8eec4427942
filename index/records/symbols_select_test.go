package records

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/internal/syntax"
)

// TestSelectSymbols selects each symbol separately, from valid and from damaged values.
func TestSelectSymbols(t *testing.T) {
	text := []byte("package p\n\n// Server serves.\ntype Server struct {\n\tName string // its name\n}\n\n" +
		"// Run runs.\nfunc (s *Server) Run() { go func() {}() }\nfunc Run() {}\nfunc Run() {}\nvar a, b = 1, 2\n")
	f, err := syntax.Parse("go", text)
	if err != nil || len(f.Symbols) < 6 {
		t.Fatal(f, err)
	}
	data := EncodeSymbols(f.Symbols)
	for i, want := range f.Symbols {
		for _, last := range []int{i, math.MaxInt} {
			got, ok := SelectSymbols(data, last, func(ordinal int, name []byte) bool {
				if string(name) != f.Symbols[ordinal].Name {
					t.Errorf("symbol %d is called %q", ordinal, name)
				}
				return ordinal == i
			})
			if !ok {
				t.Fatal("a valid value counts as damaged")
			}
			if diff := cmp.Diff([]SelectedSymbol{{i, want}}, got, cmp.AllowUnexported(SelectedSymbol{})); diff != "" {
				t.Errorf("symbol %d (-want +got):\n%s", i, diff)
			}
		}
	}
	all := func(int, []byte) bool { return true }
	for n := range data {
		if got, ok := SelectSymbols(data[:n], math.MaxInt, all); ok && len(got) >= len(f.Symbols) {
			t.Errorf("%d of %d bytes decode to all symbols", n, len(data))
		}
		for _, flip := range []byte{0xff, 0x80, 1} {
			damaged := append([]byte(nil), data...)
			damaged[n] ^= flip
			SelectSymbols(damaged, math.MaxInt, all)
		}
	}
}
