package index_test

import (
	"fmt"
	"slices"
	"testing"
)

// notable returns the notable symbols as "rel canon".
func (p *project) notable(limit int) []string {
	p.t.Helper()
	units, err := p.index.NotableSymbols(p.t.Context(), limit)
	if err != nil {
		p.t.Fatal(err)
	}
	return places(units)
}

// TestNotableSymbols has names of one and of several words, a namesake, private names, a test, an
// example, a prototype, and more files than are looked at.
func TestNotableSymbols(t *testing.T) {
	files := map[string]string{
		"oven/oven.go":      "package oven\n\ntype Oven struct{}\n\nfunc BakeBread() { preheatOven() }\n\nfunc preheatOven() { BakeBread() }\n\nfunc _hidden_name() {}\n\nfunc Do() {}\n",
		"cafe/cafe.go":      "package cafe\n\nfunc OpenDoor() { oven.BakeBread() }\n\nfunc SameName() {}\n",
		"shop/shop.go":      "package shop\n\nfunc SellBread() { oven.BakeBread(); cafe.OpenDoor() }\n\nfunc SameName() {}\n",
		"oven/oven_test.go": "package oven\n\nfunc TestBakeBread() { helpTesting() }\n\nfunc helpTesting() { BakeBread() }\n",
		"examples/x.go":     "package main\n\nfunc ShowExample() {}\n",
		"c/mill.h":          "int grind_flour(int n);\n",
		"c/mill.c":          "int grind_flour(int n) { return n; }\n",
	}
	p := open(t, files)
	if got := p.notable(10); len(got) != 0 {
		t.Errorf("before anything is indexed: %q", got)
	}
	p.update()
	want := []string{"oven/oven.go BakeBread", "cafe/cafe.go OpenDoor", "c/mill.c grind_flour", "shop/shop.go SellBread", "oven/oven.go preheatOven", "oven/oven.go Oven"}
	if got := p.notable(10); !slices.Equal(got, want) {
		t.Errorf("the notable symbols are\n%q, want\n%q", got, want)
	}
	if got := p.notable(2); !slices.Equal(got, want[:2]) {
		t.Errorf("the first two are %q", got)
	}
	if err := p.index.SetBuffer(t.Context(), p.path("cafe/cafe.go"),
		[]byte("package cafe\n\nfunc CloseDoor() { oven.BakeBread() }\n")); err != nil {
		t.Fatal(err)
	}
	if got := p.notable(20); !slices.Contains(got, "cafe/cafe.go CloseDoor") || slices.Contains(got, "cafe/cafe.go OpenDoor") ||
		!slices.Contains(got, "shop/shop.go SameName") {
		t.Errorf("with an unsaved text there are %q", got)
	}
}

func TestNotableSymbolsOfManyFiles(t *testing.T) {
	files := map[string]string{}
	for i := range 600 {
		files[fmt.Sprintf("f%03d.go", i)] = fmt.Sprintf("package a\n\nfunc MakeThing%c%c() {}\n", 'A'+i/26, 'A'+i%26)
	}
	p := open(t, files)
	p.update()
	if got := p.notable(12); len(got) != 12 || !slices.Equal(got, p.notable(12)) {
		t.Errorf("there are %q", got)
	}
}
