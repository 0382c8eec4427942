package document

import (
	"fmt"
	"testing"
	"time"

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

// TestClosingManyDocumentsIsLinear closes documents one by one, and asks each time whether the file is still open, as is
// done for each that is closed. Looking at all that are open would take 256 times as long for 16 times as many.
func TestClosingManyDocumentsIsLinear(t *testing.T) {
	shortest := func(n int) time.Duration {
		least := time.Hour
		for range 5 {
			d := NewTable()
			var all []*Document
			for i := range n {
				path := fmt.Sprintf("/w/%d.go", i)
				all = append(all, &Document{URI: uri.File(path), Path: path})
				d.set(all[i])
			}
			started := time.Now()
			for _, doc := range all {
				if d.remove(doc.URI); d.At(doc.Path) != nil {
					t.Fatal("the document is open")
				}
			}
			least = min(least, time.Since(started))
		}
		return least
	}
	if few, many := shortest(1000), shortest(16_000); many > 80*few {
		t.Errorf("%v for few documents, %v for 16 times as many", few, many)
	}
}
