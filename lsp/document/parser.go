package document

import (
	"context"
	"sync"

	"go.lsp.dev/uri"

	"ploke-lsp/internal/syntax"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/lsp/client"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/project/indexing"
)

// Parser parses each version of an open document at most once. It parses the texts
// on the screen, so that its results are right even if the index is outdated.
type Parser struct {
	client    *client.Client
	documents *Table
	workspace *workspace.Workspace
	wake      chan struct{} // holds a token when the text of a document has changed

	mu  sync.Mutex
	all map[uri.URI]*parsedVersion // the last version of each that was asked for

	parsing sync.Mutex // held while a text is parsed
	// tree is the syntax tree of one document, the latest that was parsed. A tree takes fifty
	// times as much memory as its text.
	tree   syntax.Document
	treeOf uri.URI
}

type parsedVersion struct {
	of     *Document
	parsed *Parsed
	later  []laterVersion // in their order
}

// A laterVersion is what has become of a document by replacements in the version before.
type laterVersion struct {
	*Document
	replaced []replacement
}

// latest returns the latest known version of the document.
func (v *parsedVersion) latest() *Document {
	if n := len(v.later); n > 0 {
		return v.later[n-1].Document
	}
	return v.of
}

// until returns what was replaced until a later version, and the versions after it. It reports whether that is known.
func (v *parsedVersion) until(doc *Document) (typed []replacement, after []laterVersion, ok bool) {
	for i, later := range v.later {
		typed = append(typed, later.replaced...)
		if later.Document == doc {
			return typed, v.later[i+1:], true
		}
	}
	return nil, nil, false
}

// NewParser returns a parser of the open documents and of the files of a workspace.
func NewParser(c *client.Client, d *Table, w *workspace.Workspace) *Parser {
	return &Parser{client: c, documents: d, workspace: w, wake: make(chan struct{}, 1), all: map[uri.URI]*parsedVersion{}}
}

// version returns a version of an open document whose text is known. It need not be the current version: another one
// may come while it is asked for.
func (p *Parser) version(doc *Document, encoding ploke.Encoding) *Parsed {
	p.mu.Lock()
	defer p.mu.Unlock()
	known := p.all[doc.URI]
	if known != nil && known.of == doc {
		return known.parsed
	}
	d := newParsed(doc.URI, doc.Path, doc.Text.Bytes(), encoding, p.parser(doc.URI))
	d.version = &doc.Version
	next := &parsedVersion{of: doc, parsed: d}
	if known != nil {
		typed, after, ok := known.until(doc)
		switch {
		case ok:
			next.later = after
			if known.parsed.Language == d.Language {
				d.after(known.parsed, typed)
			}
		case doc.Version <= known.latest().Version:
			return d // an earlier version, which no caller will ask for again
		}
	}
	p.all[doc.URI] = next
	return d
}

// parser returns a function that parses the texts of one document.
func (p *Parser) parser(u uri.URI) func(string, []byte) (*syntax.File, error) {
	return func(language string, text []byte) (*syntax.File, error) {
		p.parsing.Lock()
		defer p.parsing.Unlock()
		if p.treeOf != u {
			p.tree.Close()
			p.treeOf = u
		}
		return p.tree.Parse(language, text)
	}
}

// changed notes the next version of a document.
func (p *Parser) changed(old, doc *Document) {
	p.mu.Lock()
	defer p.mu.Unlock()
	known := p.all[doc.URI]
	switch {
	case known == nil:
		return
	case known.latest() == doc: // it was asked for already
	case known.latest() != old:
		delete(p.all, doc.URI)
		return
	case doc.replaced != nil:
		known.later = append(known.later, laterVersion{doc, doc.replaced})
	default:
		known.later = append(known.later,
			laterVersion{doc, []replacement{replacementBetween(old.Text.Bytes(), doc.Text.Bytes())}})
	}
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// asked returns the documents that are open and were asked for.
func (p *Parser) asked() (all []uri.URI) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for u := range p.all {
		all = append(all, u)
	}
	return all
}

// forget forgets what is known of a document. Its tree is still to be released.
func (p *Parser) forget(u uri.URI) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.all, u)
}

// Release frees the syntax tree of a document that has been closed. It waits for a text that is
// being parsed.
func (p *Parser) Release(u uri.URI) {
	p.parsing.Lock()
	defer p.parsing.Unlock()
	if p.treeOf == u {
		p.tree.Close()
		p.treeOf = ""
	}
}

// Run parses large documents that were asked for when the person stops typing, until
// ctx ends. So the next menu needs no parse, and typing costs none.
func (p *Parser) Run(ctx context.Context) {
	for indexing.Quiet(ctx, p.wake) {
		for _, u := range p.asked() {
			if p.documents.Get(u) == nil {
				continue
			}
			if d, err := p.Get(ctx, u); err == nil && d.large() {
				d.Symbols()
			}
		}
	}
}

// Follow keeps up with the text of a document.
func (p *Parser) Follow(e Event) {
	if e.Kind == Changed {
		p.changed(e.Before, e.After)
		return
	}
	p.forget(e.URI)
}
