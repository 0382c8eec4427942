package syntax

// Kind says what a symbol is. The list is closed.
type Kind string

const (
	KindFile        Kind = "file"
	KindModule      Kind = "module"
	KindNamespace   Kind = "namespace"
	KindType        Kind = "type"
	KindStruct      Kind = "struct"
	KindClass       Kind = "class"
	KindInterface   Kind = "interface"
	KindTrait       Kind = "trait"
	KindEnum        Kind = "enum"
	KindImpl        Kind = "impl"
	KindFunction    Kind = "function"
	KindMethod      Kind = "method"
	KindConstructor Kind = "constructor"
	KindField       Kind = "field"
	KindProperty    Kind = "property"
	KindConstant    Kind = "constant"
	KindVariable    Kind = "variable"
	KindMacro       Kind = "macro"
	KindTest        Kind = "test"
	KindSection     Kind = "section"
)

// Symbol is one declaration. Offsets are bytes, 0-based, end-exclusive; lines are
// 1-based and inclusive.
type Symbol struct {
	Name string
	// Canon is the symbol's address in its file: the names of what encloses it
	// and its own, joined by "::"; namesakes of one kind are numbered from "#2".
	Canon string
	Kind  Kind
	// Start and End enclose the whole declaration with its attributes and
	// decorators, but not the doc comment above it.
	Start, End         int
	StartLine, EndLine int
	NameStart, NameEnd int
	// BodyStart is where the signature ends; it equals End where there is no body.
	BodyStart int
	// DocStart and DocEnd are equal where there is no doc comment.
	DocStart, DocEnd int
	// Parent is the enclosing symbol's index in File.Symbols, or -1.
	Parent int
	// Detail is what the address leaves out: a Rust impl's trait, "declaration" for a C prototype.
	Detail string
}

// RefKind says how a name is referred to.
type RefKind string

const (
	RefCall   RefKind = "call"
	RefType   RefKind = "type"
	RefImport RefKind = "import"
	RefUse    RefKind = "use"
	// RefInherit names a type that the enclosing symbol extends, implements, embeds or mixes in.
	RefInherit RefKind = "inherit"
)

// Ref is one mention of a name that the file may not declare itself. Names bound
// inside the enclosing function, and the language's own, are not mentioned.
type Ref struct {
	Name string
	Kind RefKind
	// Qualifier is the last name before Name and its dot, -> or ::, as in http.Get or
	// y in x.y.Close; Expression where an expression without one stands before that, as in
	// f().Close; "" for none.
	Qualifier string
	// Receiver is the type of what stands before Name, by its last name, where the
	// text of the enclosing function tells it.
	Receiver   string
	Start, End int // bytes
	Line       int // 1-based
	From       int // index of the innermost enclosing symbol, -1 for the file
}

// Import is one name, or all the names of a module, that the file takes from elsewhere.
type Import struct {
	// Local is how the file calls what it imports, by its last name as a Qualifier
	// has it; "" where its names are visible without one (an include, a wildcard), and
	// for what is imported for its effects alone.
	Local string
	// Path is the module as the file writes it, without quotes.
	Path string
	// Member is the one name taken from the module, "*" for all that become visible,
	// "" for the module itself.
	Member     string
	Start, End int // bytes
	Line       int // 1-based
}

// Problem is a place where the text does not follow its grammar.
type Problem struct {
	Start, End int // bytes
	Line       int // 1-based
	Message    string
}

// Span is a range of bytes, end-exclusive, on a 1-based line.
type Span struct {
	Start, End int
	Line       int
}

// maxProblems bounds File.Problems; ProblemCount has no bound.
const maxProblems = 100

// File is what one file's text declares and mentions, in the order of the text.
type File struct {
	Language string
	Symbols  []Symbol
	Refs     []Ref
	Imports  []Import
	Problems []Problem // the first hundred
	// ProblemCount is the number of all problems.
	ProblemCount int
}
