package lsp

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	ploke "ploke-lsp/lsp/protocol"
)

// A document is one version of a text document that is open in the editor. It is
// immutable.
type document struct {
	uri     uri.URI
	path    string // empty unless the URI has the scheme file
	version int32
	text    []byte
}

// documents holds the documents that are open in the editor, by URI.
type documents struct {
	mu   sync.Mutex
	open map[uri.URI]*document
}

func newDocuments() *documents {
	return &documents{open: map[uri.URI]*document{}}
}

// get returns the open document, or nil.
func (d *documents) get(u uri.URI) *document {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.open[u]
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
	d.open[doc.uri] = doc
}

func (d *documents) remove(u uri.URI) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.open, u)
}

// applyChanges returns text after the changes of one didChange notification, which
// apply one after the other.
func applyChanges(text []byte, changes []protocol.TextDocumentContentChangeEvent, encoding ploke.Encoding) ([]byte, error) {
	for _, change := range changes {
		switch c := change.(type) {
		case *protocol.TextDocumentContentChangeWholeDocument:
			text = []byte(c.Text)
		case *protocol.TextDocumentContentChangePartial:
			m := ploke.NewMapper(text, encoding)
			start, end := m.Offset(c.Range.Start), m.Offset(c.Range.End)
			if end < start {
				return nil, fmt.Errorf("the range of a change ends at %v, before its start %v", c.Range.End, c.Range.Start)
			}
			text = slices.Concat(text[:start], []byte(c.Text), text[end:])
		}
	}
	return text, nil
}

func (s *Server) didOpen(_ context.Context, p *protocol.DidOpenTextDocumentParams) error {
	t := p.TextDocument
	doc := &document{uri: t.URI, path: filePath(t.URI), version: t.Version, text: []byte(t.Text)}
	s.documents.set(doc)
	s.project.Opened(doc.path, doc.version, doc.text)
	return nil
}

func (s *Server) didChange(_ context.Context, p *protocol.DidChangeTextDocumentParams) error {
	u := p.TextDocument.URI
	old := s.documents.get(u)
	if old == nil {
		return fmt.Errorf("the client changed %s, which is not open", u)
	}
	text, err := applyChanges(old.text, p.ContentChanges, s.client.encoding)
	if err != nil {
		return fmt.Errorf("%s: %w", u, err)
	}
	doc := &document{uri: u, path: old.path, version: p.TextDocument.Version, text: text}
	s.documents.set(doc)
	s.editorState.recordChanges(u, p.ContentChanges)
	s.project.Changed(doc.path, doc.version, doc.text)
	return nil
}

func (s *Server) didSave(_ context.Context, p *protocol.DidSaveTextDocumentParams) error {
	s.project.Saved(filePath(p.TextDocument.URI))
	return nil
}

func (s *Server) didClose(_ context.Context, p *protocol.DidCloseTextDocumentParams) error {
	doc := s.documents.get(p.TextDocument.URI)
	s.documents.remove(p.TextDocument.URI)
	if doc != nil {
		s.project.Closed(doc.path)
	}
	return nil
}

// filePath returns the path of a URI with the scheme file, and "" for other URIs.
func filePath(u uri.URI) string {
	if !u.IsFile() || u.Path() == "" {
		return ""
	}
	return u.FsPath()
}
