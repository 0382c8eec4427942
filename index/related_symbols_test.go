package index_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/index"
)

// TestRelatedSymbols checks callers, callees, uses and tests of symbols. Symbols that only
// share a frequent name are not related.
func TestRelatedSymbols(t *testing.T) {
	files := map[string]string{
		"go.mod": "module m\n",
		"oven/oven.go": `package oven

type Oven struct{ heat int }

func (o *Oven) Bake(r Recipe) { o.preheat(); r.Close() }

func (o *Oven) preheat() { o.heat++ }
`,
		"oven/recipe.go":    "package oven\n\ntype Recipe struct{}\n\nfunc (Recipe) Close() {}\n",
		"oven/oven_test.go": "package oven\n\nfunc TestBake() { new(Oven).Bake(Recipe{}) }\n",
		"cafe/cafe.go":      "package cafe\n\nimport \"m/oven\"\n\nfunc Open(o *oven.Oven) { o.Bake(oven.Recipe{}) }\n",
		"shop/shop.go":      "package shop\n\n// Seller sells.\ntype Seller interface{ Sell(n int) bool }\n\ntype Kiosk struct{}\n\nfunc (Kiosk) Sell(n int) bool { return n > 1 }\n",
		"shop/stall.go":     "package shop\n\ntype Stall struct{}\n\nfunc (*Stall) Sell(n int) bool { return n > 2 }\n\ntype Thief struct{}\n\nfunc (Thief) Sell() {}\n",
		"animal.py":         "class Animal:\n    pass\n",
		"pets.py":           "from animal import Animal\n\nclass Cat(Animal):\n    pass\n\nclass Kitten(Cat):\n    pass\n\nclass Dog(Animal):\n    pass\n",
		"a.py":              "def knead(dough):\n    return fold(dough)\n\ndef fold(dough):\n    return dough\n",
	}
	for i := range 20 {
		files[fmt.Sprintf("many/f%d.go",
			i)] = fmt.Sprintf("package many\n\ntype T%d struct{}\n\nfunc (T%d) Close() {}\n\nfunc f%d(t T%d) { t.Close() }\n", i, i, i, i)
	}
	long := func(name string) string {
		return fmt.Sprintf("package table\n\nvar %s = []int{\n%s}\n", name, strings.Repeat("\tone,\n", 160_000))
	}
	files["table/long.go"], files["table/longer.go"] = long("long"), long("longer")
	files["table/use.go"] = "package table\n\nfunc sum() int { return long[0] + rest() + longer[0] }\n\nfunc rest() int { return 0 }\n"
	files["table/call.go"] = "package table\n\nfunc Sum() int { return sum() }\n"
	p := open(t, files)
	p.update()
	for _, tt := range []struct {
		rel, canon string
		want       []string
	}{
		{"table/use.go", "sum", []string{"Sum calls", "rest called by"}}, // loading the tables would take too long
		{"oven/oven.go", "Oven::Bake", []string{"Oven receiver of", "Recipe used by", "Oven::preheat called by", "Open calls", "TestBake tests"}},
		{"oven/recipe.go", "Recipe::Close", []string{"Recipe receiver of"}}, // too many files have the name Close
		{"many/f3.go", "T3::Close", []string{"T3 receiver of"}},
		{"a.py", "fold", []string{"knead calls"}},
		{"shop/shop.go", "Seller", []string{"Kiosk implements", "Stall implements"}},
		{"animal.py", "Animal", []string{"Cat implements", "Dog implements"}},
	} {
		found, err := p.index.Overlay(nil).RelatedSymbols(t.Context(), []index.Unit{p.unit(tt.rel, tt.canon)})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, n := range found {
			got = append(got, fmt.Sprintf("%s %s", n.Canon, n.Relation))
			if n.To.Canon != tt.canon || n.EndLine == 0 {
				t.Errorf("%s: the related symbol is %+v", tt.canon, n)
			}
		}
		slices.Sort(got)
		slices.Sort(tt.want)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.canon, diff)
		}
	}
}

// TestRelatedSymbolsInChangedTexts looks for related symbols after texts have changed
// since they were indexed. Related symbols have their current positions, and deleted ones
// are left out.
func TestRelatedSymbolsInChangedTexts(t *testing.T) {
	p := open(t, map[string]string{
		"oven.go":  "package oven\n\nfunc Bake() { crack(); whisk() }\n",
		"crack.go": "package oven\n\nfunc crack() {}\n",
		"whisk.go": "package oven\n\nfunc whisk() {}\n",
		"fold.go":  "package oven\n\nfunc fold() {}\n",
		"cafe.go":  "package oven\n\nfunc Open() { Bake() }\n",
	})
	p.update()
	of := p.unit("oven.go", "Bake")
	p.write("oven.go", "package oven\n\nfunc Bake() { crack(); whisk(); fold() }\n")
	p.write("crack.go", "package oven\n\n// crack is further down now.\n\nfunc crack() {}\n")
	if err := os.Remove(p.path("whisk.go")); err != nil {
		t.Fatal(err)
	}
	if err := p.index.SetBuffer(t.Context(), p.path("fold.go"), []byte("package oven\n\n\n\n\n\nfunc fold() {}\n")); err != nil {
		t.Fatal(err)
	}
	overlay := p.index.Overlay(map[string][]byte{p.path("cafe.go"): []byte("package oven\n\nfunc Open() {\n}\n\nfunc Close() { Bake() }\n")})
	found, err := overlay.RelatedSymbols(t.Context(), []index.Unit{of})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, n := range found {
		got = append(got, fmt.Sprintf("%s:%d %s", n.Rel, n.StartLine, n.Relation))
	}
	want := []string{"crack.go:5 called by", "fold.go:7 called by", "cafe.go:6 calls"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Parallel resolvers share the files of an overlay. Each file is looked at by exactly one of them.
func TestEachOverlaidFileIsSearchedOnce(t *testing.T) {
	p := open(t, map[string]string{"oven.go": "package oven\n\nfunc Bake() {}\n", "pie.go": "package oven\n\nfunc pie() { Bake() }\n"})
	p.update()
	texts := map[string][]byte{p.path("oven.go"): nil,
		p.path("stove.go"): []byte("package oven\n\nfunc Bake() {}\n\nfunc roast() { Bake() }\n")}
	for i := range 9 {
		texts[p.path(fmt.Sprintf("cake%d.go", i))] = fmt.Appendf(nil, "package oven\n\nfunc cake%d() { Bake() }\n", i)
	}
	bake := p.unit("oven.go", "Bake")
	bake.Path = p.path("stove.go")
	for range 20 {
		edges, err := p.index.Overlay(texts).Incoming(t.Context(), bake)
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]bool{}
		for _, e := range edges {
			found[e.Path] = true
		}
		if want := len(texts); len(found) != want || len(edges) != want { // pie.go, and all but the text that is gone
			t.Fatalf("%d calls in %d files were found, want one in each of %d", len(edges), len(found), want)
		}
	}
}
