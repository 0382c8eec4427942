package index

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/internal/syntax"
)

func TestReferencesRoundTrip(t *testing.T) {
	want := &syntax.File{
		Imports: []syntax.Import{
			{Local: "http", Path: "net/http", Start: 10, End: 20, Line: 3},
			{Path: "./all", Member: "*", Start: 3, End: 5, Line: 1},
		},
		Refs: []syntax.Ref{
			{Name: "net/http", Kind: syntax.RefImport, Start: 10, End: 20, Line: 3, From: -1},
			{Name: "Server", Kind: syntax.RefInherit, Qualifier: "http", Start: 30, End: 36, Line: 5, From: 2},
			{Name: "Close", Kind: syntax.RefCall, Qualifier: "s", Receiver: "Server", Start: 300, End: 305, Line: 500, From: 0},
			{Name: "Close", Kind: syntax.RefUse, Start: 300, End: 305, Line: 500, From: -1},
			{Name: "T", Kind: syntax.RefType, Start: 1 << 20, End: 1<<20 + 1, Line: 501, From: 7},
		},
	}
	data := encodeReferences(want)
	got, ok := decodeReferences(data)
	if !ok {
		t.Fatal("the references do not decode")
	}
	if diff := cmp.Diff(want, &syntax.File{Imports: got.imports, Refs: slices.Collect(got.filter(anyRef))}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for name, has := range map[string]bool{"Close": true, "net/http": true, "s": true, "Clos": false, "": false} {
		if hasName(data, name) != has {
			t.Errorf("hasName(%q) is %v", name, !has)
		}
	}
}

// TestDamagedReferences checks that a damaged value neither panics nor is read beyond its
// end.
func TestDamagedReferences(t *testing.T) {
	whole := encodeReferences(&syntax.File{
		Imports: []syntax.Import{{Local: "a", Path: "b/a", Line: 1, End: 4}},
		Refs:    []syntax.Ref{{Name: "f", Kind: syntax.RefCall, Qualifier: "a", Start: 9, End: 10, Line: 2, From: 1}, {Name: "long", Start: 9, End: 10, Kind: syntax.RefUse}},
	})
	for at := range whole {
		for _, b := range []byte{0x00, 0x7f, 0xff} {
			damaged := slices.Clone(whole)
			damaged[at] = b
			for _, data := range [][]byte{damaged, whole[:at]} {
				hasName(data, "zzz")
				if m, ok := decodeReferences(data); ok {
					for range m.filter(anyRef) {
					}
				}
			}
		}
	}
}

func anyRef(*storedRef) bool { return true }
