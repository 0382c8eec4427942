package lsp

import (
	"context"
	"fmt"
	"sync"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/internal/syntax"
	ploke "ploke-lsp/lsp/protocol"
)

// A parsedDocument is one version of a text with what it declares. It is immutable. Offsets
// are in bytes of text.
type parsedDocument struct {
	uri      uri.URI
	path     string // empty unless the URI names a file of this machine
	version  *int32 // nil if the document is not open
	text     []byte
	language string
	symbols  []syntax.Symbol
	*ploke.Mapper
}

// symbolAt returns the innermost symbol around a byte offset, whose doc comment counts as a
// part of it.
func (d *parsedDocument) symbolAt(offset int) (symbol syntax.Symbol, ok bool) {
	for _, sym := range d.symbols {
		start := sym.Start
		if sym.DocEnd > sym.DocStart {
			start = min(start, sym.DocStart)
		}
		if start <= offset && offset <= sym.End && (!ok || sym.End-sym.Start <= symbol.End-symbol.Start) {
			symbol, ok = sym, true
		}
	}
	return symbol, ok
}

// parsedDocuments parses each version of an open document once. It parses the texts on the
// screen, so that its results are right even if the index is outdated. The zero value is
// ready to use.
type parsedDocuments struct {
	mu  sync.Mutex // held while a text is parsed
	all map[uri.URI]parsedVersion
	// tree is the syntax tree of one document, the latest that was parsed. A tree takes fifty
	// times as much memory as its text.
	tree   syntax.Document
	treeOf uri.URI
}

type parsedVersion struct {
	of     *document
	parsed *parsedDocument
}

// get returns a version of an open document whose text is known.
func (c *parsedDocuments) get(doc *document, encoding ploke.Encoding) *parsedDocument {
	c.mu.Lock()
	defer c.mu.Unlock()
	if known := c.all[doc.uri]; known.of == doc {
		return known.parsed
	}
	if c.all == nil {
		c.all = map[uri.URI]parsedVersion{}
	}
	if c.treeOf != doc.uri {
		c.tree.Close()
		c.treeOf = doc.uri
	}
	text := doc.text.Bytes()
	d := &parsedDocument{uri: doc.uri, path: doc.path, version: &doc.version, text: text, Mapper: ploke.NewMapper(text, encoding)}
	d.parse(c.tree.Parse)
	c.all[doc.uri] = parsedVersion{doc, d}
	return d
}

// parse sets what the text declares. A text in an unknown language, or that takes too long,
// declares nothing.
func (d *parsedDocument) parse(parser func(language string, text []byte) (*syntax.File, error)) {
	d.language = syntax.Detect(d.path, d.text)
	if file, err := parser(d.language, d.text); err == nil {
		d.symbols = file.Symbols
	}
}

// forget frees what is known of a document that has been closed.
func (c *parsedDocuments) forget(u uri.URI) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.all, u)
	if c.treeOf == u {
		c.tree.Close()
		c.treeOf = ""
	}
}

// parsedDocument returns the current text of a document. It fails if the text is unknown, or
// too large to be parsed.
func (s *Server) parsedDocument(ctx context.Context, u uri.URI) (*parsedDocument, error) {
	if doc := s.documents.get(u); doc != nil {
		switch limit := s.project.Workspace.MaxFileBytes(); {
		case doc.outOfStep != "":
			return nil, fmt.Errorf("the text of %s is not known: %s; close the file and open it again", u, doc.outOfStep)
		case int64(doc.text.Len()) > limit:
			return nil, fmt.Errorf("%s has %d bytes, and the limit is %d; raise index.maxFileBytes", u, doc.text.Len(), limit)
		}
		return s.parsed.get(doc, s.client.encoding), nil
	}
	file, err := s.project.Workspace.Read(ctx, filePath(u))
	if err != nil {
		return nil, err
	}
	d := &parsedDocument{uri: u, path: file.Path, text: file.Text, Mapper: ploke.NewMapper(file.Text, s.client.encoding)}
	d.parse(syntax.Parse)
	return d, nil
}

// offsets converts a range to byte offsets in order.
func (d *parsedDocument) offsets(r protocol.Range) (start, end int) {
	start, end = d.Offset(r.Start), d.Offset(r.End)
	return min(start, end), max(start, end)
}
