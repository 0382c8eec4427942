package scip

// The numbers of the fields that are read or written, by message.
const (
	fieldIndexMetadata = 1
	fieldIndexDocument = 2

	fieldMetadataTool     = 2
	fieldMetadataRoot     = 3
	fieldMetadataEncoding = 4

	fieldToolName    = 1
	fieldToolVersion = 2

	fieldDocumentPath       = 1
	fieldDocumentOccurrence = 2
	fieldDocumentSymbol     = 3
	fieldDocumentLanguage   = 4
	fieldDocumentText       = 5
	fieldDocumentEncoding   = 6

	fieldOccurrenceRange     = 1
	fieldOccurrenceSymbol    = 2
	fieldOccurrenceRoles     = 3
	fieldOccurrenceEnclosing = 7

	fieldSymbolName         = 1
	fieldSymbolRelationship = 4
	fieldSymbolKind         = 5
	fieldSymbolDisplayName  = 6

	fieldRelationshipSymbol         = 1
	fieldRelationshipReference      = 2
	fieldRelationshipImplementation = 3
	fieldRelationshipDefinition     = 5
)

// An Encoding says in which units the characters of a line are counted.
type Encoding int

// The encodings of positions. Of a document that does not say, the units are not known.
const (
	Unspecified Encoding = iota
	UTF8
	UTF16
	UTF32
)

// Roles are what a symbol does at an occurrence, as bits.
type Roles int32

// The roles that are told apart.
const (
	Definition        Roles = 0x1
	ForwardDefinition Roles = 0x40 // a signature of what is defined elsewhere
)

// A Range is a half-open range of characters.
type Range struct{ StartLine, StartChar, EndLine, EndChar int32 }

// An Occurrence is a place at which a symbol is named.
type Occurrence struct {
	Range  Range
	Symbol []byte // see [Symbol]
	Roles  Roles
}

// A Relationship says what a symbol is to another one.
type Relationship struct {
	Symbol []byte
	// Reference and Definition say that what names one of the two refers to the other one, too.
	Reference, Implementation, Definition bool
}

// Own is the tool of the indexes that this program writes. They know no more than names and scopes tell.
const Own = "ploke-lsp"

// Metadata is what is known of an index.
type Metadata struct {
	Tool, Version string
	Root          string // the URI of the folder that the paths of documents are relative to
}
