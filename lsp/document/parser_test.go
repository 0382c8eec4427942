package document

import (
	"fmt"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"ploke-lsp/internal/pieces"
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
			if symbol, ok := current.MenuOutline().SymbolAt(strings.Index(text, "here()")); !ok || symbol.Name != "f500" {
				t.Errorf("in f500 the menu is about %q", symbol.Name)
			}
		})
	}
}
