package document

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/internal/pieces"
	ploke "ploke-lsp/lsp/protocol"
)

// A Document is one version of a text document that is open in the editor. It is
// immutable.
//
// It is out of step while the server can't know its text, because a notification was
// refused. Then it has no text: nothing is answered from it, and it is not edited, until the
// editor opens it again or sends the whole text.
type Document struct {
	URI       uri.URI
	spelling  uri.URI // of uri, by the client
	Path      string  // canonical; empty unless the URI names a file of this machine
	Version   int32
	Text      pieces.Text
	replaced  []replacement // in the version before, one after the other; nil if the whole text is new
	OutOfStep string        // why; empty if the text is known
	asked     bool          // the person was asked to open the document again
}

// changed returns the document after a didChange notification, whose changes apply one
// after the other. If it returns an error, the text is not known any more.
func (d *Document) changed(p *ChangeParams, encoding ploke.Encoding) (*Document, error) {
	if p.fault != nil {
		return nil, p.fault
	}
	next, changes := *d, p.changes
	next.replaced = []replacement{}
	for i, c := range slices.Backward(changes) {
		if !c.Partial {
			next.Text, next.OutOfStep, changes = pieces.New(c.Text), "", changes[i+1:]
			next.replaced = nil
			break
		}
	}
	if next.OutOfStep != "" {
		return &next, nil // there is nothing that the changes could apply to
	}
	if partial := len(changes) == len(p.changes); partial && p.version != nil && *p.version < d.Version {
		return nil, fmt.Errorf("the version goes back from %d to %d", d.Version, *p.version)
	}
	if p.version != nil {
		next.Version = *p.version
	}
	for _, c := range changes {
		start, end, err := c.Offsets(next.Text, encoding)
		if err != nil {
			return nil, err
		}
		next.Text = next.Text.Replace(start, end, c.Text)
		if next.replaced != nil {
			next.replaced = append(next.replaced, replacement{start, end, start + len(c.Text)})
		}
	}
	return &next, nil
}

// Offsets returns the bytes of a text that a change replaces. A position after the end of a
// line or of the text means that end, as LSP specifies.
func (c *Change) Offsets(text pieces.Text, encoding ploke.Encoding) (start, end int, err error) {
	start, err = offsetOf(text, c.Start, encoding)
	if err != nil {
		return 0, 0, err
	}
	end, err = offsetOf(text, c.end, encoding)
	if err != nil {
		return 0, 0, err
	}
	if end < start {
		return 0, 0, fmt.Errorf("the range ends at %s, before its start %s", describe(c.end), describe(c.Start))
	}
	return start, end, nil
}

// offsetOf converts a position to a byte offset. It fails if the position lies inside a
// character, because no text in UTF-8 can be cut there.
func offsetOf(text pieces.Text, p protocol.Position, encoding ploke.Encoding) (int, error) {
	offset, exact := text.Offset(int(p.Line), int(p.Character), UnitOf(encoding))
	if !exact {
		return 0, fmt.Errorf("the position %s lies inside a character", describe(p))
	}
	return offset, nil
}

func describe(p protocol.Position) string { return fmt.Sprintf("%d:%d", p.Line, p.Character) }

// UnitOf returns in which unit an encoding counts the characters of a line.
func UnitOf(encoding ploke.Encoding) pieces.Unit {
	switch encoding {
	case protocol.PositionEncodingKindUTF8:
		return pieces.Bytes
	case protocol.PositionEncodingKindUTF32:
		return pieces.Runes
	}
	return pieces.UTF16
}

// Table holds the documents that are open in the editor, by URI.
type Table struct {
	mu      sync.Mutex
	open    map[uri.URI]*Document
	byPath  map[string]map[uri.URI]*Document // the same, by their canonical paths
	changed chan struct{}                    // closed and replaced whenever a document changes
}

// NewTable returns a table in which no document is open.
func NewTable() *Table {
	return &Table{open: map[uri.URI]*Document{}, byPath: map[string]map[uri.URI]*Document{}, changed: make(chan struct{})}
}

// Get returns the open document, or nil.
func (d *Table) Get(u uri.URI) *Document {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.open[u]
}

// At returns a document that is open of the file at a canonical path, or nil. Of several, it is
// the one with the first URI.
func (d *Table) At(path string) (found *Document) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, doc := range d.byPath[path] {
		if found == nil || doc.URI < found.URI {
			found = doc
		}
	}
	return found
}

// OfFile returns a document that is open of the file at a canonical path, or nil. Of several, it is the one with the
// usual URI.
func (d *Table) OfFile(path string) *Document {
	if doc := d.Get(uri.File(path)); doc != nil {
		return doc
	}
	return d.At(path)
}

// URIOf returns the URI of the file at a canonical path, as the editor spells it if it has the
// file open.
func (d *Table) URIOf(path string) uri.URI {
	if doc := d.OfFile(path); doc != nil {
		return doc.spelling
	}
	return uri.File(path)
}

// KeyOf returns the URI under which documents keep the file at a canonical path.
func (d *Table) KeyOf(path string) uri.URI {
	if doc := d.OfFile(path); doc != nil {
		return doc.URI
	}
	return uri.File(path)
}

// Spelled returns the client's spelling of the URI of a document, if it is open.
func (d *Table) Spelled(u uri.URI) uri.URI {
	if doc := d.Get(u); doc != nil {
		return doc.spelling
	}
	return u
}

// All returns the sorted URIs of the open documents.
func (d *Table) All() []uri.URI {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Sorted(maps.Keys(d.open))
}

func (d *Table) set(doc *Document) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.forget(doc.URI)
	d.open[doc.URI] = doc
	if d.byPath[doc.Path] == nil {
		d.byPath[doc.Path] = map[uri.URI]*Document{}
	}
	d.byPath[doc.Path][doc.URI] = doc
	d.wake()
}

func (d *Table) remove(u uri.URI) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.forget(u)
	d.wake()
}

// forget removes a document, if it is open. The lock is held.
func (d *Table) forget(u uri.URI) {
	doc := d.open[u]
	if doc == nil {
		return
	}
	delete(d.open, u)
	if delete(d.byPath[doc.Path], u); len(d.byPath[doc.Path]) == 0 {
		delete(d.byPath, doc.Path)
	}
}

// wake wakes those who wait for a change. The lock is held.
func (d *Table) wake() {
	close(d.changed)
	d.changed = make(chan struct{})
}

// awaitChange waits until the client has sent another version of a document, or has closed
// it, for at most so long. It reports whether that came. A document that was not open is nil, and
// then it waits until it is opened.
func (d *Table) awaitChange(ctx context.Context, u uri.URI, old *Document, limit time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for {
		d.mu.Lock()
		now, changed := d.open[u], d.changed
		d.mu.Unlock()
		if now != old {
			return true
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return false
		}
	}
}
