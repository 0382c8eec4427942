package tools_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"ploke-lsp/index"
	"ploke-lsp/internal/o200k"
)

func newShop(t *testing.T) *world {
	var many strings.Builder
	for i := range 120 {
		fmt.Fprintf(&many, "def sell_item_%d(item):\n    __receipt__ = True\n    print('sold an item of the shop', item)\n\n\n", i)
	}
	w := newWorld(t, map[string]string{
		"shop.py":   many.String(),
		"till.py":   "def open_till(shop):\n    if getattr(shop, '__receipt__', False):\n        print('receipt for: ' + shop.name)\n",
		"shop.go":   "package shop\n\ntype Shop struct{}\n\nfunc (s *Shop) SellBread() {}\n\nfunc (s *Shop) SellCheese() {}\n\nfunc (s *Shop) MustSell() {}\n\nfunc (s *Shop) Close() {}\n\nfunc (s *Shop) sold() {}\n",
		"README.md": "# Bread\n\n## Prices\n\nAn item is cheap.\n",
	})
	w.deps.Editor = func(context.Context) index.Editor { return index.Editor{} }
	return w
}

// TestTextsOfAMessageAreLookedFor: no symbol has their names. Lines that are alike are one, the rarest come first.
func TestTextsOfAMessageAreLookedFor(t *testing.T) {
	w := newShop(t)
	for text, want := range map[string]string{
		"where does the shop evaluate __receipt__ of an item?": "with \"__receipt__\":\ntill.py:2: if getattr(shop, '__receipt__', False):\nshop.py:2: __receipt__ = True (120 places)\n",
		"the till prints \"receipt for: \" of an item twice":   "with \"receipt for: \":\ntill.py:3: print('receipt for: ' + shop.name)\n",
		"the till prints \"receipt from: \" of an item":        "",
		"`open_till` opens the till of the shop":               "",
		"the till of the shop is 'no' item":                    "",
	} {
		code := w.contextOf(text)
		if !strings.Contains(code, want) || strings.Contains(code, "with \"") != (want != "") {
			t.Errorf("%q: want %q in\n%s", text, want, code)
		}
		if again := w.contextOf(text, code); strings.Contains(again, "with \"") {
			t.Errorf("%q: it came twice:\n%s", text, again)
		}
	}
}

// TestANewNameComesWithThoseOfItsVerb: they say where it belongs, and how it looks.
func TestANewNameComesWithThoseOfItsVerb(t *testing.T) {
	w := newShop(t)
	for text, want := range map[string]string{
		"let a Shop sell milk with SellMilk":   "like SellMilk in shop.go: 5:5 Shop::SellBread, 7:7 Shop::SellCheese, 9:9 Shop::MustSell\n",
		"let a Shop sell bread with SellBread": "",
		"let a Shop buy milk with BuyMilk":     "",
	} {
		if code := w.contextOf(text); !strings.Contains(code, want) || strings.Contains(code, "\nlike ") != (want != "") {
			t.Errorf("%q: want %q in\n%s", text, want, code)
		}
	}
}

func TestTheReadmeComesIfAMessageNamesIt(t *testing.T) {
	w := newShop(t)
	const message = "feat(shop): sell an item\n* sell an item with a receipt, only in the shop.\n"
	for text, want := range map[string]bool{message + "* docs(readme): sold item": true, message + "* docs: sold item": false} {
		if code := w.contextOf(text); strings.Contains(code, "\nREADME.md\n") != want || o200k.Count(code) > 400 {
			t.Errorf("%q: the readme is wanted: %v, in\n%s", text, want, code)
		}
	}
}
