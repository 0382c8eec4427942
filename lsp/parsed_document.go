package lsp

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/internal/syntax"
	ploke "ploke-lsp/lsp/protocol"
)

// A parsedDocument is one version of a text with what it declares. It is parsed when that is
// first needed. Offsets are in bytes of text.
type parsedDocument struct {
	uri      uri.URI
	path     string // empty unless the URI names a file of this machine
	version  *int32 // nil if the document is not open
	text     []byte
	language string
	*ploke.Mapper

	parser  func(language string, text []byte) (*syntax.File, error)
	parsing sync.Mutex // held while the text is parsed
	parsed  atomic.Pointer[outline]
	earlier atomic.Pointer[earlierOutline] // nil if there is none, or none is needed
}

// newParsedDocument returns a text that parser parses when its symbols are needed.
func newParsedDocument(u uri.URI, path string, text []byte, encoding ploke.Encoding, parser func(string, []byte) (*syntax.File, error)) *parsedDocument {
	return &parsedDocument{
		uri: u, path: path, text: text, language: syntax.Detect(path, text), Mapper: ploke.NewMapper(text, encoding), parser: parser,
	}
}

// symbols returns what the text declares. A text in an unknown language, or that takes too
// long, declares nothing.
func (d *parsedDocument) symbols() outline {
	d.parsing.Lock()
	defer d.parsing.Unlock()
	if parsed := d.parsed.Load(); parsed != nil {
		return *parsed
	}
	var symbols outline
	if file, err := d.parser(d.language, d.text); err == nil {
		symbols = file.Symbols
	}
	d.parsed.Store(&symbols)
	d.earlier.Store(nil)
	return symbols
}

// symbolAt returns the innermost symbol around a byte offset, whose doc comment counts as a
// part of it.
func (d *parsedDocument) symbolAt(offset int) (syntax.Symbol, bool) {
	return d.symbols().symbolAt(offset)
}

// menuOutline returns what the text declares, for a menu, which must be quick. While a person
// types in a large text, that is what it declared before they began: to parse it after each
// keystroke would take too long. The command that the person chooses parses the text.
func (d *parsedDocument) menuOutline() *earlierOutline {
	if earlier := d.earlier.Load(); earlier != nil && d.large() {
		return earlier
	}
	return &earlierOutline{outline: d.symbols()}
}

// after makes what is known of an earlier version known as such, with what was typed since.
func (d *parsedDocument) after(old *parsedDocument, typed []replacement) {
	earlier := old.earlier.Load() // first, because it goes when the text has been parsed
	if parsed := old.parsed.Load(); parsed != nil {
		d.earlier.Store(&earlierOutline{*parsed, typed})
	} else if earlier != nil {
		d.earlier.Store(&earlierOutline{earlier.outline, slices.Concat(earlier.typed, typed)})
	}
}

// maxPromptParse is the length in bytes of a text up to which a menu waits until it is parsed:
// that takes a few milliseconds.
const maxPromptParse = 32 << 10

func (d *parsedDocument) large() bool { return len(d.text) > maxPromptParse }

// offsets converts a range to byte offsets in order.
func (d *parsedDocument) offsets(r protocol.Range) (start, end int) {
	start, end = d.Offset(r.Start), d.Offset(r.End)
	return min(start, end), max(start, end)
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
		return s.parsed.get(doc, s.client.Encoding), nil
	}
	file, err := s.project.Workspace.Read(ctx, filePath(u))
	if err != nil {
		return nil, err
	}
	return newParsedDocument(u, file.Path, file.Text, s.client.Encoding, syntax.Parse), nil
}
