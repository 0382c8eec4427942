package lsp

import (
	"context"
	"sync"

	"go.lsp.dev/uri"

	"ploke-lsp/internal/syntax"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/project"
)

// parsedDocuments parses each version of an open document at most once. It parses the texts
// on the screen, so that its results are right even if the index is outdated.
type parsedDocuments struct {
	wake chan struct{} // holds a token when the text of a document has changed

	mu  sync.Mutex
	all map[uri.URI]*parsedVersion // the last version of each that was asked for

	parsing sync.Mutex // held while a text is parsed
	// tree is the syntax tree of one document, the latest that was parsed. A tree takes fifty
	// times as much memory as its text.
	tree   syntax.Document
	treeOf uri.URI
}

type parsedVersion struct {
	of     *document
	parsed *parsedDocument
	later  []laterVersion // in their order
}

// A laterVersion is what has become of a document by replacements in the version before.
type laterVersion struct {
	*document
	replaced []replacement
}

// latest returns the latest known version of the document.
func (v *parsedVersion) latest() *document {
	if n := len(v.later); n > 0 {
		return v.later[n-1].document
	}
	return v.of
}

// until returns what was replaced until a later version, and the versions after it. It reports whether that is known.
func (v *parsedVersion) until(doc *document) (typed []replacement, after []laterVersion, ok bool) {
	for i, later := range v.later {
		typed = append(typed, later.replaced...)
		if later.document == doc {
			return typed, v.later[i+1:], true
		}
	}
	return nil, nil, false
}

func newParsedDocuments() *parsedDocuments {
	return &parsedDocuments{wake: make(chan struct{}, 1), all: map[uri.URI]*parsedVersion{}}
}

// get returns a version of an open document whose text is known. It need not be the current version: another one may
// come while it is asked for.
func (c *parsedDocuments) get(doc *document, encoding ploke.Encoding) *parsedDocument {
	c.mu.Lock()
	defer c.mu.Unlock()
	known := c.all[doc.uri]
	if known != nil && known.of == doc {
		return known.parsed
	}
	d := newParsedDocument(doc.uri, doc.path, doc.text.Bytes(), encoding, c.parser(doc.uri))
	d.version = &doc.version
	next := &parsedVersion{of: doc, parsed: d}
	if known != nil {
		typed, after, ok := known.until(doc)
		switch {
		case ok:
			next.later = after
			if known.parsed.language == d.language {
				d.after(known.parsed, typed)
			}
		case doc.version <= known.latest().version:
			return d // an earlier version, which nobody will ask for again
		}
	}
	c.all[doc.uri] = next
	return d
}

// parser returns a function that parses the texts of one document.
func (c *parsedDocuments) parser(u uri.URI) func(string, []byte) (*syntax.File, error) {
	return func(language string, text []byte) (*syntax.File, error) {
		c.parsing.Lock()
		defer c.parsing.Unlock()
		if c.treeOf != u {
			c.tree.Close()
			c.treeOf = u
		}
		return c.tree.Parse(language, text)
	}
}

// changed notes the next version of a document.
func (c *parsedDocuments) changed(old, doc *document) {
	c.mu.Lock()
	defer c.mu.Unlock()
	known := c.all[doc.uri]
	switch {
	case known == nil:
		return
	case known.latest() == doc: // it was asked for already
	case known.latest() != old:
		delete(c.all, doc.uri)
		return
	case doc.replaced != nil:
		known.later = append(known.later, laterVersion{doc, doc.replaced})
	default:
		known.later = append(known.later, laterVersion{doc, []replacement{replacementBetween(old.text.Bytes(), doc.text.Bytes())}})
	}
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// asked returns the documents that are open and were asked for.
func (c *parsedDocuments) asked() (all []uri.URI) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for u := range c.all {
		all = append(all, u)
	}
	return all
}

// forget forgets what is known of a document. Its tree is still to be released.
func (c *parsedDocuments) forget(u uri.URI) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.all, u)
}

// release frees the syntax tree of a document that has been closed. It waits for a text that is
// being parsed.
func (c *parsedDocuments) release(u uri.URI) {
	c.parsing.Lock()
	defer c.parsing.Unlock()
	if c.treeOf == u {
		c.tree.Close()
		c.treeOf = ""
	}
}

// keepParsed parses large documents that were asked for when the person stops typing, until
// ctx ends. So the next menu needs no parse, and typing costs none.
func (s *Server) keepParsed(ctx context.Context) {
	for project.Quiet(ctx, s.parsed.wake) {
		for _, u := range s.parsed.asked() {
			if s.documents.get(u) == nil {
				continue
			}
			if d, err := s.parsedDocument(ctx, u); err == nil && d.large() {
				d.symbols()
			}
		}
	}
}
