package syntax

import (
	"bytes"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	sitter "github.com/smacker/go-tree-sitter"

	"ploke-lsp/internal/testbed"
)

// TestLinked fails if a release of the binding lacks a C function that flatten calls. The
// functions are weak, so that this would otherwise show at run time only.
func TestLinked(t *testing.T) {
	if name := missingFunction(); name != "" {
		t.Errorf("%s is not linked", name)
	}
}

// TestFlatten flattens texts of each language, whole and with mistakes, and compares the nodes with those that
// tree-sitter's own cursor finds.
func TestFlatten(t *testing.T) {
	testbed.Long(t)
	goldens, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	tested := map[*grammar]bool{}
	random := rand.New(rand.NewPCG(7, 8))
	for _, path := range goldens {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text := archive.Files[0].Data
		g := grammars[Detect(archive.Files[0].Name, text)]()
		if g.parser == nil {
			continue
		}
		tested[g] = true
		texts := [][]byte{text, bytes.Repeat(text, 5), bytes.Repeat([]byte("("), 3000), nil}
		for range testbed.Count(15, 0) {
			texts = append(texts, mistaken(random, text))
		}
		for _, text := range texts {
			p := newTreeParser(parseLimit)
			if err := p.flatten(g, text); err != nil {
				t.Fatal(err)
			}
			tree, err := p.parse(g, g.rewritten(text), nil)
			if err != nil {
				t.Fatal(err)
			}
			if want := walked(g, tree.RootNode()); !slices.Equal(p.nodes, want) {
				t.Errorf("%s, %d bytes: the nodes differ; %d, want %d", path, len(text), len(p.nodes), len(want))
			}
			tree.Close()
		}
	}
	for name, resolve := range grammars {
		if g := resolve(); g.parser != nil && !tested[g] {
			t.Errorf("there is no text in %s", name)
		}
	}
}

// number returns the number of a symbol, whose type is C's: scripts/typecheck knows no such types.
func number(symbol any) uint16 { return uint16(reflect.ValueOf(symbol).Uint()) }

// walked returns the nodes of a tree as the library's cursor finds them.
func walked(g *grammar, root *sitter.Node) (nodes []node) {
	cursor := sitter.NewTreeCursor(root)
	defer cursor.Close()
	var walk func(parent int32)
	walk = func(parent int32) {
		n := cursor.CurrentNode()
		branch := n.ChildCount() > 0
		if !n.IsNamed() && !n.IsMissing() && !branch {
			return
		}
		at := len(nodes)
		one := node{start: n.StartByte(), end: n.EndByte(), row: n.StartPoint().Row, endRow: n.EndPoint().Row, parent: parent,
			symbol: number(n.Symbol()), field: g.fieldIDs[cursor.CurrentFieldName()]}
		if n.EndPoint().Column == 0 && one.endRow > one.row {
			one.endRow--
		}
		if n.IsMissing() {
			one.flags |= flagMissing
		}
		if n.IsNamed() {
			one.flags |= flagNamed
		}
		nodes = append(nodes, one)
		if cursor.GoToFirstChild() {
			for {
				walk(int32(at))
				if !cursor.GoToNextSibling() {
					break
				}
			}
			cursor.GoToParent()
		}
		nodes[at].next = uint32(len(nodes))
	}
	walk(-1)
	return nodes
}
