package records

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/internal/syntax"
)

// trickySymbols have addresses of their own, numbers, and names with separators.
var trickySymbols = []syntax.Symbol{
	{Name: "A", Canon: "A", Kind: syntax.KindClass, Parent: -1, StartLine: 1, End: 90},
	{Name: "f", Canon: "A::f", Kind: syntax.KindMethod, Parent: 0, Start: 3, StartLine: 2, End: 5, Detail: "declaration"},
	{Name: "f", Canon: "A::f#2", Kind: syntax.KindMethod, Parent: 0, Start: 6, StartLine: 4},
	{Name: "v", Canon: "A::f#2::v", Kind: syntax.KindVariable, Parent: 2, Start: 7, StartLine: 4},
	{Name: "v", Canon: "A::f::v", Kind: syntax.KindVariable, Parent: 1, Start: 7, StartLine: 4},
	{Name: "m", Canon: "T::m", Kind: syntax.KindMethod, Parent: -1, Start: 8, StartLine: 7},
	{Name: "m", Canon: "T::m", Kind: syntax.KindMethod, Parent: -1, Start: 8, StartLine: 8},
	{Name: "m", Canon: "T::m#10", Kind: syntax.KindMethod, Parent: -1, Start: 9, StartLine: 9},
	{Name: "N::B", Canon: "N::B", Kind: syntax.KindClass, Parent: -1, Start: 10, StartLine: 10},
	{Name: "m", Canon: "N::B::m", Kind: syntax.KindMethod, Parent: 8, Start: 11, StartLine: 10},
	{Name: ":b", Canon: "N::B:::b", Kind: syntax.KindField, Parent: 8, Start: 12, StartLine: 10},
	{Name: "c", Canon: "N::B:::b::c", Kind: syntax.KindField, Parent: 10, Start: 12, StartLine: 10},
	{Name: "x#3", Canon: "A::x#3", Kind: syntax.KindField, Parent: 0, Start: 13, StartLine: 11},
	{Name: "y", Canon: "A::x#3::y", Kind: syntax.KindField, Parent: 12, Start: 13, StartLine: 12},
}

// TestSymbolTable compares what a table says of symbols with what their addresses say.
func TestSymbolTable(t *testing.T) {
	data := EncodeSymbols(trickySymbols)
	table, ok := NewSymbolTable(data)
	if !ok || table.Count() != len(trickySymbols) {
		t.Fatal("the symbols do not decode")
	}
	if all, ok := table.All(); !ok || !slices.Equal(all, trickySymbols) {
		t.Errorf("the complete symbols are %v", all)
	}
	for i, s := range trickySymbols {
		e := table.At(i)
		want := fmt.Sprint(s.Name, s.Kind, s.Parent, s.StartLine, s.Canon, ownerIn(s.Canon))
		if got := fmt.Sprint(string(e.Name), e.Kind, e.Parent, table.Line(i), table.Address(i), table.Owner(i)); got != want {
			t.Errorf("%s is %s", want, got)
		}
		for j, o := range trickySymbols {
			want := syntax.Plain(s.Canon) == syntax.Plain(o.Canon)
			if s.Name == o.Name && table.SameAddress(i, table, j) != want {
				t.Errorf("%s has the address of %s: %v", s.Canon, o.Canon, !want)
			}
		}
	}
	for cut := range data { // damage neither panics nor hangs
		for _, part := range [][]byte{data[:cut], data[cut:]} {
			if table, ok := NewSymbolTable(part); ok {
				table.All()
				for i := range table.Count() {
					table.At(i)
					table.Line(i)
					table.Address(i)
					table.Owner(i)
				}
			}
		}
	}
}

// ownerIn returns the name of the symbol that contains the one with that address.
func ownerIn(canon string) string {
	cut := strings.LastIndex(canon, "::")
	if cut < 0 {
		return ""
	}
	return LastName(canon[:cut])
}
