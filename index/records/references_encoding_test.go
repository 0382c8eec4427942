package records

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

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
	data := EncodeReferences(want)
	got, ok := DecodeReferences(data)
	if !ok {
		t.Fatal("the references do not decode")
	}
	for i := range want.Refs {
		want.Refs[i].Line = 0 // which is not stored
	}
	if diff := cmp.Diff(want, &syntax.File{Imports: got.Imports, Refs: got.filter(anyRef)}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for name, has := range map[string]bool{"Close": true, "net/http": true, "s": true, "Clos": false, "": false} {
		if (got.Number(name) > 0) != has || has && !MayHaveName(data, name) {
			t.Errorf("whether the name %q is there is not %v", name, has)
		}
	}
}

// TestDamagedReferences checks that a damaged value neither panics nor is read beyond its
// end.
func TestDamagedReferences(t *testing.T) {
	whole := EncodeReferences(&syntax.File{
		Symbols: []syntax.Symbol{{Name: "x", Kind: syntax.KindField}, {Name: "y", Kind: syntax.KindVariable}},
		Imports: []syntax.Import{{Local: "a", Path: "b/a", Line: 1, End: 4}},
		Refs:    []syntax.Ref{{Name: "f", Kind: syntax.RefCall, Qualifier: "a", Start: 9, End: 10, Line: 2, From: 1}, {Name: "long", Start: 9, End: 10, Kind: syntax.RefUse}},
	})
	for at := range whole {
		for _, b := range []byte{0x00, 0x7f, 0xff} {
			damaged := slices.Clone(whole)
			damaged[at] = b
			for _, data := range [][]byte{damaged, whole[:at]} {
				MayHaveName(data, "zzz")
				if m, ok := DecodeReferences(data); ok {
					m.FirstType(1)
					for range m.filter(anyRef) {
					}
				}
			}
		}
	}
}

func anyRef(*Reference) bool { return true }

// TestReferencesByName compares what is found of real files' references by name, range, kind and
// symbol with the references themselves.
func TestReferencesByName(t *testing.T) {
	for path, text := range sourcesOfSyntax(t) {
		f, err := syntax.Parse("go", text)
		if err != nil {
			t.Fatal(err)
		}
		stored, ok := DecodeReferences(EncodeReferences(f))
		if !ok {
			t.Fatalf("%s: the references do not decode", path)
		}
		lines, counted := LineCounter{Text: text}, map[int]int{}
		for _, r := range f.Refs {
			counted[r.Start] = lines.LineOf(r.Start)
			if counted[r.Start] != r.Line {
				t.Errorf("%s: the line at %d is %d, not %d", path, r.Start, counted[r.Start], r.Line)
			}
		}
		having := func(wanted func(syntax.Ref) bool) (refs []syntax.Ref) {
			for _, i := range inOrder(f.Refs) {
				if r := f.Refs[i]; wanted(r) {
					r.Line = 0
					refs = append(refs, r)
				}
			}
			return refs
		}
		names := map[string]bool{"no such name": true}
		for _, r := range f.Refs {
			names[r.Name], names[r.Qualifier], names[r.Receiver] = true, true, true
		}
		for name := range names {
			want := having(func(r syntax.Ref) bool { return r.Name == name || r.Name == "len" })
			if diff := cmp.Diff(want, slices.Collect(stored.ToAny([]string{name, "len", name})), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s: references to %s: %s", path, name, diff)
			}
			types := having(func(r syntax.Ref) bool { return r.Name == name && r.Kind == syntax.RefType })
			types = slices.CompactFunc(types, func(a, b syntax.Ref) bool { return a.From == b.From })
			if got := stored.TypesNamed(name); len(got) != len(types) {
				t.Errorf("%s: %d types named %s, not %d", path, len(got), name, len(types))
			}
		}
		for i, s := range f.Symbols {
			want := having(func(r syntax.Ref) bool {
				return r.From == i && (r.Kind == syntax.RefType || r.Kind == syntax.RefCall) &&
					(IsValue(s.Kind) || s.Kind == syntax.KindType || slices.Contains(f.ResultTypes, r.Start))
			})
			got, ok := stored.FirstType(i)
			if ok != (len(want) > 0) || ok && got != want[0] {
				t.Errorf("%s: the type of %s is %v, %v, not the first of %v", path, s.Canon, got, ok, want)
			}
		}
		half := len(text) / 2
		want := having(func(r syntax.Ref) bool { return r.Start >= half/2 && r.End <= half })
		if diff := cmp.Diff(want, stored.InRange(half/2, half), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: references in a range: %s", path, diff)
		}
	}
}

// sourcesOfSyntax returns the Go files of internal/syntax.
func sourcesOfSyntax(t *testing.T) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob("../../internal/syntax/*.go")
	if err != nil || len(paths) == 0 {
		t.Fatal("no files found", err)
	}
	texts := map[string][]byte{}
	for _, path := range paths {
		if texts[path], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	return texts
}
