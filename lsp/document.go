package lsp

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

// A document is one version of a text document that is open in the editor. It is
// immutable.
//
// It is out of step while the server can't know its text, because a notification was
// refused. Then it has no text: nothing is answered from it, and it is not edited, until the
// editor opens it again or sends the whole text.
type document struct {
	uri       uri.URI
	spelling  uri.URI // of uri, by the client
	path      string  // canonical; empty unless the URI names a file of this machine
	version   int32
	text      pieces.Text
	replaced  []replacement // in the version before, one after the other; nil if the whole text is new
	outOfStep string        // why; empty if the text is known
	asked     bool          // the person was asked to open the document again
}

// changed returns the document after a didChange notification, whose changes apply one
// after the other. If it returns an error, the text is not known any more.
func (d *document) changed(p *didChangeParams, encoding ploke.Encoding) (*document, error) {
	if p.fault != nil {
		return nil, p.fault
	}
	next, changes := *d, p.changes
	next.replaced = []replacement{}
	for i, c := range slices.Backward(changes) {
		if !c.partial {
			next.text, next.outOfStep, changes = pieces.New(c.text), "", changes[i+1:]
			next.replaced = nil
			break
		}
	}
	if next.outOfStep != "" {
		return &next, nil // there is nothing that the changes could apply to
	}
	if partial := len(changes) == len(p.changes); partial && p.version != nil && *p.version < d.version {
		return nil, fmt.Errorf("the version goes back from %d to %d", d.version, *p.version)
	}
	if p.version != nil {
		next.version = *p.version
	}
	for _, c := range changes {
		start, end, err := c.offsets(next.text, encoding)
		if err != nil {
			return nil, err
		}
		next.text = next.text.Replace(start, end, c.text)
		if next.replaced != nil {
			next.replaced = append(next.replaced, replacement{start, end, start + len(c.text)})
		}
	}
	return &next, nil
}

// offsets returns the bytes of a text that a change replaces. A position after the end of a
// line or of the text means that end, as LSP specifies.
func (c *contentChange) offsets(text pieces.Text, encoding ploke.Encoding) (start, end int, err error) {
	start, err = offsetOf(text, c.start, encoding)
	if err != nil {
		return 0, 0, err
	}
	end, err = offsetOf(text, c.end, encoding)
	if err != nil {
		return 0, 0, err
	}
	if end < start {
		return 0, 0, fmt.Errorf("the range ends at %s, before its start %s", describe(c.end), describe(c.start))
	}
	return start, end, nil
}

// offsetOf converts a position to a byte offset. It fails if the position lies inside a
// character, because no text in UTF-8 can be cut there.
func offsetOf(text pieces.Text, p protocol.Position, encoding ploke.Encoding) (int, error) {
	offset, exact := text.Offset(int(p.Line), int(p.Character), unitOf(encoding))
	if !exact {
		return 0, fmt.Errorf("the position %s lies inside a character", describe(p))
	}
	return offset, nil
}

func describe(p protocol.Position) string { return fmt.Sprintf("%d:%d", p.Line, p.Character) }

func unitOf(encoding ploke.Encoding) pieces.Unit {
	switch encoding {
	case protocol.PositionEncodingKindUTF8:
		return pieces.Bytes
	case protocol.PositionEncodingKindUTF32:
		return pieces.Runes
	default:
		return pieces.UTF16
	}
}

// documents holds the documents that are open in the editor, by URI.
type documents struct {
	mu      sync.Mutex
	open    map[uri.URI]*document
	byPath  map[string]map[uri.URI]*document // the same, by their canonical paths
	changed chan struct{}                    // closed and replaced whenever a document changes
}

func newDocuments() *documents {
	return &documents{open: map[uri.URI]*document{}, byPath: map[string]map[uri.URI]*document{}, changed: make(chan struct{})}
}

// get returns the open document, or nil.
func (d *documents) get(u uri.URI) *document {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.open[u]
}

// at returns a document that is open of the file at a canonical path, or nil. Of several, it is
// the one with the first URI.
func (d *documents) at(path string) (found *document) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, doc := range d.byPath[path] {
		if found == nil || doc.uri < found.uri {
			found = doc
		}
	}
	return found
}

// ofFile returns a document that is open of the file at a canonical path, or nil. Of several, it is the one with the
// usual URI.
func (d *documents) ofFile(path string) *document {
	if doc := d.get(uri.File(path)); doc != nil {
		return doc
	}
	return d.at(path)
}

// uriOf returns the URI of the file at a canonical path, as the editor spells it if it has the
// file open.
func (d *documents) uriOf(path string) uri.URI {
	if doc := d.ofFile(path); doc != nil {
		return doc.spelling
	}
	return uri.File(path)
}

// keyOf returns the URI under which documents keep the file at a canonical path.
func (d *documents) keyOf(path string) uri.URI {
	if doc := d.ofFile(path); doc != nil {
		return doc.uri
	}
	return uri.File(path)
}

// spelled returns the client's spelling of the URI of a document, if it is open.
func (d *documents) spelled(u uri.URI) uri.URI {
	if doc := d.get(u); doc != nil {
		return doc.spelling
	}
	return u
}

// all returns the sorted URIs of the open documents.
func (d *documents) all() []uri.URI {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Sorted(maps.Keys(d.open))
}

func (d *documents) set(doc *document) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.forget(doc.uri)
	d.open[doc.uri] = doc
	if d.byPath[doc.path] == nil {
		d.byPath[doc.path] = map[uri.URI]*document{}
	}
	d.byPath[doc.path][doc.uri] = doc
	d.wake()
}

func (d *documents) remove(u uri.URI) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.forget(u)
	d.wake()
}

// forget removes a document, if it is open. The lock is held.
func (d *documents) forget(u uri.URI) {
	doc := d.open[u]
	if doc == nil {
		return
	}
	delete(d.open, u)
	if delete(d.byPath[doc.path], u); len(d.byPath[doc.path]) == 0 {
		delete(d.byPath, doc.path)
	}
}

// wake wakes those who wait for a change. The lock is held.
func (d *documents) wake() {
	close(d.changed)
	d.changed = make(chan struct{})
}

// awaitChange waits until the client has sent another version of a document, or has closed
// it, for at most so long. It reports whether that came. A document that was not open is nil, and
// then it waits until it is opened.
func (d *documents) awaitChange(ctx context.Context, u uri.URI, old *document, limit time.Duration) bool {
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
