package document

import (
	"fmt"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"ploke-lsp/internal/pieces"
	"ploke-lsp/internal/syntax"
)

// TestAskingForAnEarlierVersion asks for versions of a document in any order while others come, as a parser in the
// background does. The menu for the current version must name the symbol that is there.
func TestAskingForAnEarlierVersion(t *testing.T) {
	t.Parallel()
	text := "package p\n"
	for i := range 2000 {
		text += fmt.Sprintf("\nfunc f%d() {\n\tuse(%d)\n}\n", i, i)
	}
	versions := []*Document{{URI: "file:///p.go", Path: "/p.go", Version: 1, Text: pieces.New(text)}}
	for _, r := range [][2]string{{"package p\n", "package p\n\nvar added, before, all, others = 1, 2, 3, 4\n"}, {"\tuse(500)\n", "\tuse(500)\n" + strings.Repeat("\tmore()\n", 9) + "\there()\n"}} {
		old := versions[len(versions)-1]
		from := strings.Index(text, r[0])
		text = strings.Replace(text, r[0], r[1], 1)
		versions = append(versions, &Document{
			URI: old.URI, Path: old.Path, Version: old.Version + 1, Text: pieces.New(text),
			replaced: []replacement{{from: from, to: from + len(r[0]), newTo: from + len(r[1])}},
		})
	}
	const get, change = true, false
	type step struct {
		get     bool
		version int // the index of the version that is asked for, or that comes
	}
	for name, steps := range map[string][]step{
		"only the current one":              {{get, 0}, {change, 1}, {change, 2}},
		"one that is no longer current":     {{get, 0}, {change, 1}, {change, 2}, {get, 1}},
		"before the first is known":         {{change, 1}, {change, 2}, {get, 1}},
		"one whose change is not known yet": {{get, 0}, {change, 1}, {get, 2}, {change, 2}},
		"the first one again":               {{get, 0}, {change, 1}, {get, 1}, {change, 2}, {get, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			c := NewParser(nil, nil, nil)
			for _, s := range steps {
				if s.get {
					c.version(versions[s.version], protocol.PositionEncodingKindUTF8).Symbols()
				} else {
					c.changed(versions[s.version-1], versions[s.version])
				}
			}
			current := c.version(versions[2], protocol.PositionEncodingKindUTF8)
			if symbol, ok := current.MenuSymbolAt(strings.Index(text, "here()")); !ok || symbol.Name != "f500" {
				t.Errorf("in f500 the menu is about %q", symbol.Name)
			}
		})
	}
}

// TestTheIndentationOfADeclaration asks for the symbol where editors put the cursor before it.
func TestTheIndentationOfADeclaration(t *testing.T) {
	const text = "class A:\n    x = 1\n\n    def b(self):\n        return 1\n    \n"
	d := NewParser(nil, nil, nil).version(&Document{URI: "file:///a.py", Path: "/a.py", Text: pieces.New(text)},
		protocol.PositionEncodingKindUTF8)
	for _, tt := range []struct {
		before string
		back   int // bytes before it
		want   string
	}{
		{"def b", 0, "b"}, {"def b", 1, "b"}, {"def b", 4, "b"}, {"return", 8, "b"}, {"x = 1", 4, "x"}, {"class", 0, "A"},
	} {
		offset := strings.Index(text, tt.before) - tt.back
		for door, symbolAt := range map[string]func(int) (syntax.Symbol, bool){"a menu": d.MenuSymbolAt, "a command": d.SymbolAt} {
			if symbol, ok := symbolAt(offset); !ok || symbol.Name != tt.want {
				t.Errorf("%d bytes before %q %s is about %q, not %q", tt.back, tt.before, door, symbol.Name, tt.want)
			}
		}
	}
	if symbol, ok := d.SymbolAt(len(text)); ok {
		t.Errorf("at the end of the text is %q", symbol.Name)
	}
}
