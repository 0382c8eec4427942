package records

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/internal/syntax"
)

// TestSymbolsRoundTrip checks that all fields of symbols are stored.
func TestSymbolsRoundTrip(t *testing.T) {
	texts, err := filepath.Glob("../../internal/syntax/*.go")
	if err != nil || len(texts) == 0 {
		t.Fatal("no files found", err)
	}
	for _, path := range texts {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f, err := syntax.Parse("go", text)
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range f.Symbols {
			if s.DocStart == s.DocEnd { // an empty doc comment has no stored position
				f.Symbols[i].DocStart, f.Symbols[i].DocEnd = 0, 0
			}
		}
		data := EncodeSymbols(f.Symbols)
		symbols, ok := DecodeSymbols(data)
		if diff := cmp.Diff(f.Symbols, symbols); !ok || diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
		for cut := range data { // damage neither panics nor hangs
			DecodeSymbols(data[:cut])
			DecodeSymbols(data[cut:])
		}
	}
}
