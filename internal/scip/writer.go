package scip

import (
	"io"

	"google.golang.org/protobuf/encoding/protowire"
)

// A Writer writes an index, document by document.
type Writer struct {
	out io.Writer
	buf []byte
}

// NewDocument is a document to be written.
type NewDocument struct {
	Path, Language string // the language as SCIP names it, such as "CPP"
	Encoding       Encoding
	Occurrences    []NewOccurrence
	Symbols        []NewSymbol
}

// A NewOccurrence is an occurrence, with the range of the whole declaration if it is one.
type NewOccurrence struct {
	Occurrence
	Enclosing *Range
}

// A NewSymbol is what a document says of a symbol.
type NewSymbol struct {
	Symbol, Name  string
	Kind          SymbolKind
	Relationships []Relationship
}

// A SymbolKind is what SCIP has for kinds of symbols, by its number.
type SymbolKind int

// NewWriter begins an index.
func NewWriter(out io.Writer, m Metadata) (*Writer, error) {
	w := &Writer{out: out}
	tool := appendText(nil, fieldToolName, m.Tool)
	tool = appendText(tool, fieldToolVersion, m.Version)
	data := appendBytes(nil, fieldMetadataTool, tool)
	data = appendText(data, fieldMetadataRoot, m.Root)
	data = appendNumber(data, fieldMetadataEncoding, uint64(UTF8))
	return w, w.part(fieldIndexMetadata, data)
}

// Document writes a document.
func (w *Writer) Document(d NewDocument) error {
	data := appendText(nil, fieldDocumentPath, d.Path)
	data = appendText(data, fieldDocumentLanguage, d.Language)
	data = appendNumber(data, fieldDocumentEncoding, uint64(d.Encoding))
	for _, o := range d.Occurrences {
		inner := appendRange(nil, fieldOccurrenceRange, o.Range)
		inner = appendBytes(inner, fieldOccurrenceSymbol, o.Symbol)
		inner = appendNumber(inner, fieldOccurrenceRoles, uint64(o.Roles))
		if o.Enclosing != nil {
			inner = appendRange(inner, fieldOccurrenceEnclosing, *o.Enclosing)
		}
		data = appendBytes(data, fieldDocumentOccurrence, inner)
	}
	for _, s := range d.Symbols {
		inner := appendText(nil, fieldSymbolName, s.Symbol)
		for _, r := range s.Relationships {
			inner = appendBytes(inner, fieldSymbolRelationship, appendRelationship(nil, r))
		}
		inner = appendNumber(inner, fieldSymbolKind, uint64(s.Kind))
		inner = appendText(inner, fieldSymbolDisplayName, s.Name)
		data = appendBytes(data, fieldDocumentSymbol, inner)
	}
	return w.part(fieldIndexDocument, data)
}

func (w *Writer) part(number protowire.Number, data []byte) error {
	w.buf = appendBytes(w.buf[:0], number, data)
	_, err := w.out.Write(w.buf)
	return err
}

func appendRelationship(to []byte, r Relationship) []byte {
	to = appendBytes(to, fieldRelationshipSymbol, r.Symbol)
	for _, f := range []struct {
		number protowire.Number
		set    bool
	}{{fieldRelationshipReference, r.Reference}, {fieldRelationshipImplementation, r.Implementation},
		{fieldRelationshipDefinition, r.Definition}} {
		if f.set {
			to = appendNumber(to, f.number, 1)
		}
	}
	return to
}

func appendRange(to []byte, number protowire.Number, r Range) []byte {
	values := []int32{r.StartLine, r.StartChar, r.EndLine, r.EndChar}
	if r.StartLine == r.EndLine {
		values = []int32{r.StartLine, r.StartChar, r.EndChar}
	}
	var packed []byte
	for _, v := range values {
		packed = protowire.AppendVarint(packed, uint64(v))
	}
	return appendBytes(to, number, packed)
}

func appendText(to []byte, number protowire.Number, text string) []byte {
	return appendBytes(to, number, []byte(text))
}

// appendBytes appends a field, unless it has its default.
func appendBytes(to []byte, number protowire.Number, data []byte) []byte {
	if len(data) == 0 && number != fieldIndexDocument {
		return to
	}
	return protowire.AppendBytes(protowire.AppendTag(to, number, protowire.BytesType), data)
}

func appendNumber(to []byte, number protowire.Number, v uint64) []byte {
	if v == 0 {
		return to
	}
	return protowire.AppendVarint(protowire.AppendTag(to, number, protowire.VarintType), v)
}
