package document

import (
	"testing"

	"go.lsp.dev/uri"
)

// TestADocumentIsFoundByItsPath opens a file under several URIs, and closes them.
func TestADocumentIsFoundByItsPath(t *testing.T) {
	d := NewTable()
	doc := func(u, path string) *Document { return &Document{URI: uri.URI(u), Path: path} }
	a, b := doc("file:///a", "/x"), doc("file:///b", "/x")
	d.set(b)
	d.set(a)
	if d.At("/x") != a {
		t.Error("it is not the one with the first URI")
	}
	moved := doc("file:///a", "/y")
	d.set(moved)
	if d.At("/x") != b || d.At("/y") != moved {
		t.Error("a new version counts at the old path")
	}
	d.remove(b.URI)
	d.remove(b.URI)
	d.remove(moved.URI)
	if d.At("/x") != nil || d.At("/y") != nil || len(d.byPath) != 0 || len(d.open) != 0 {
		t.Error("something is left")
	}
}
