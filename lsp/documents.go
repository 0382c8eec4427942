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

	ploke "ploke-lsp/lsp/protocol"
)

// A document is one text that the editor has open. It is never modified: a
// change makes another.
type document struct {
	uri     uri.URI
	path    string // empty unless the URI is a file's
	version int32
	text    []byte
}

// documents holds what the editor has open, by URI.
type documents struct {
	mu      sync.Mutex
	open    map[uri.URI]*document
	changed chan struct{} // closed and replaced by each change
}

func newDocuments() *documents {
	return &documents{open: map[uri.URI]*document{}, changed: make(chan struct{})}
}

// get returns the open document, or nil.
func (d *documents) get(u uri.URI) *document {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.open[u]
}

// all are the URIs of the open documents, in order.
func (d *documents) all() []uri.URI {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Sorted(maps.Keys(d.open))
}

func (d *documents) set(doc *document) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.open[doc.uri] = doc
	d.announce()
}

func (d *documents) remove(u uri.URI) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.open, u)
	d.announce()
}

func (d *documents) announce() {
	close(d.changed)
	d.changed = make(chan struct{})
}

// await waits until holds is true, which it asks anew after each change, and
// returns false when ctx ends or the time is up first.
func (d *documents) await(ctx context.Context, limit time.Duration, holds func() bool) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for {
		d.mu.Lock()
		changed := d.changed
		d.mu.Unlock()
		if holds() {
			return true
		}
		select {
		case <-changed:
		case <-timer.C:
			return holds()
		case <-ctx.Done():
			return false
		}
	}
}

// applyChanges returns the text after the changes of one didChange, in order.
func applyChanges(text []byte, changes []protocol.TextDocumentContentChangeEvent, encoding ploke.Encoding) ([]byte, error) {
	for _, change := range changes {
		switch c := change.(type) {
		case *protocol.TextDocumentContentChangeWholeDocument:
			text = []byte(c.Text)
		case *protocol.TextDocumentContentChangePartial:
			m := ploke.NewMapper(text, encoding)
			start, end := m.Offset(c.Range.Start), m.Offset(c.Range.End)
			if end < start {
				return nil, fmt.Errorf("a change ends at %v, before its start %v", c.Range.End, c.Range.Start)
			}
			text = slices.Concat(text[:start], []byte(c.Text), text[end:])
		}
	}
	return text, nil
}

// The handlers tell the project before the documents: whoever waits for a
// document's change reads the workspace then.

func (s *Server) didOpen(_ context.Context, p *protocol.DidOpenTextDocumentParams) error {
	t := p.TextDocument
	doc := &document{uri: t.URI, path: filePath(t.URI), version: t.Version, text: []byte(t.Text)}
	s.project.opened(doc)
	s.documents.set(doc)
	return nil
}

func (s *Server) didChange(_ context.Context, p *protocol.DidChangeTextDocumentParams) error {
	u := p.TextDocument.URI
	old := s.documents.get(u)
	if old == nil {
		return fmt.Errorf("a change of %s, which is not open", u)
	}
	text, err := applyChanges(old.text, p.ContentChanges, s.client.encoding)
	if err != nil {
		return fmt.Errorf("%s: %w", u, err)
	}
	doc := &document{uri: u, path: old.path, version: p.TextDocument.Version, text: text}
	s.project.changed(doc)
	s.presence.edits(u, p.ContentChanges)
	s.documents.set(doc)
	return nil
}

func (s *Server) didSave(_ context.Context, p *protocol.DidSaveTextDocumentParams) error {
	s.project.saved(filePath(p.TextDocument.URI))
	return nil
}

func (s *Server) didClose(_ context.Context, p *protocol.DidCloseTextDocumentParams) error {
	if doc := s.documents.get(p.TextDocument.URI); doc != nil {
		s.project.closed(doc)
	}
	s.documents.remove(p.TextDocument.URI)
	return nil
}

// filePath returns the path of a file's URI, and "" for any other.
func filePath(u uri.URI) string {
	if !u.IsFile() || u.Path() == "" {
		return ""
	}
	return u.FsPath()
}
