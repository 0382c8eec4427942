package document

import (
	"bytes"
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

// A Parsed is one version of a text with what it declares. It is parsed when that is
// first needed. Offsets are in bytes of text.
type Parsed struct {
	URI      uri.URI
	Path     string // empty unless the URI names a file of this machine
	version  *int32 // nil if the document is not open
	Text     []byte
	Language string
	*ploke.Mapper

	parser  func(language string, text []byte) (*syntax.File, error)
	parsing sync.Mutex // held while the text is parsed
	outline atomic.Pointer[Outline]
	earlier atomic.Pointer[earlierOutline] // nil if there is none, or none is needed
}

// newParsed returns a text that parser parses when its symbols are needed.
func newParsed(u uri.URI, path string, text []byte, encoding ploke.Encoding,
	parser func(string, []byte) (*syntax.File, error)) *Parsed {
	return &Parsed{
		URI: u, Path: path, Text: text, Language: syntax.Detect(path, text), Mapper: ploke.NewMapper(text, encoding),
		parser: parser,
	}
}

// Symbols returns what the text declares. A text in an unknown language, or that takes too
// long, declares nothing.
func (d *Parsed) Symbols() Outline {
	d.parsing.Lock()
	defer d.parsing.Unlock()
	if parsed := d.outline.Load(); parsed != nil {
		return *parsed
	}
	var symbols Outline
	if file, err := d.parser(d.Language, d.Text); err == nil {
		symbols = file.Symbols
	}
	d.outline.Store(&symbols)
	d.earlier.Store(nil)
	return symbols
}

// SymbolAt returns the innermost symbol around a byte offset, whose doc comment counts as a
// part of it. The indentation of a line counts as a part of what begins behind it.
func (d *Parsed) SymbolAt(offset int) (syntax.Symbol, bool) {
	return d.Symbols().symbolAt(d.afterIndent(offset))
}

// MenuSymbolAt is SymbolAt for a menu: see MenuOutline.
func (d *Parsed) MenuSymbolAt(offset int) (syntax.Symbol, bool) {
	return d.MenuOutline().SymbolAt(d.afterIndent(offset))
}

// afterIndent returns the end of the indentation that an offset lies in, else the offset.
func (d *Parsed) afterIndent(offset int) int {
	offset = min(offset, len(d.Text))
	line := d.Text[bytes.LastIndexByte(d.Text[:offset], '\n')+1:]
	if indent := len(line) - len(bytes.TrimLeft(line, " \t")); len(d.Text)-len(line)+indent > offset {
		return len(d.Text) - len(line) + indent
	}
	return offset
}

// MenuOutline returns what the text declares, for a menu, which must be quick. While a person
// types in a large text, that is what it declared before they began: to parse it after each
// keystroke would take too long. The command that the person chooses parses the text.
func (d *Parsed) MenuOutline() *earlierOutline {
	if earlier := d.earlier.Load(); earlier != nil && d.large() {
		return earlier
	}
	return &earlierOutline{Outline: d.Symbols()}
}

// after makes what is known of an earlier version known as such, with what was typed since.
func (d *Parsed) after(old *Parsed, typed []replacement) {
	earlier := old.earlier.Load() // first, because it goes when the text has been parsed
	if parsed := old.outline.Load(); parsed != nil {
		d.earlier.Store(&earlierOutline{*parsed, typed})
	} else if earlier != nil {
		d.earlier.Store(&earlierOutline{earlier.Outline, slices.Concat(earlier.typed, typed)})
	}
}

// maxPromptParse is the length in bytes of a text up to which a menu waits until it is parsed:
// that takes a few milliseconds.
const maxPromptParse = 32 << 10

func (d *Parsed) large() bool { return len(d.Text) > maxPromptParse }

// Offsets converts a range to byte offsets in order.
func (d *Parsed) Offsets(r protocol.Range) (start, end int) {
	start, end = d.Offset(r.Start), d.Offset(r.End)
	return min(start, end), max(start, end)
}

// Get returns the current text of a document. It fails if the text is unknown, or
// too large to be parsed.
func (p *Parser) Get(ctx context.Context, u uri.URI) (*Parsed, error) {
	if doc := p.documents.Get(u); doc != nil {
		switch limit := p.workspace.MaxFileBytes(); {
		case doc.OutOfStep != "":
			return nil, fmt.Errorf("the text of %s is not known: %s; close the file and open it again", u, doc.OutOfStep)
		case int64(doc.Text.Len()) > limit:
			return nil, fmt.Errorf("%s has %d bytes, and the limit is %d; raise index.maxFileBytes", u, doc.Text.Len(), limit)
		}
		return p.version(doc, p.client.Encoding), nil
	}
	file, err := p.workspace.Read(ctx, FilePath(u))
	if err != nil {
		return nil, err
	}
	return newParsed(u, file.Path, file.Text, p.client.Encoding, syntax.Parse), nil
}
