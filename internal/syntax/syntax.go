package syntax

// Kind is the kind of a symbol. The list is closed.
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

// Symbol is one declaration. Offsets are in bytes, 0-based and end-exclusive; lines are 1-based
// and inclusive.
type Symbol struct {
	Name string
	// Canon is the symbol's address in its file: the names of the enclosing symbols
	// and its own, joined by "::". Symbols of one kind with the same names are
	// numbered from "#2".
	Canon string
	Kind  Kind
	//  Start and End enclose the whole declaration with its attributes and decorators, but
	// without the doc comment above it.
	Start, End         int
	StartLine, EndLine int
	NameStart, NameEnd int
	// BodyStart is the offset after the signature. It equals End without a body.
	BodyStart int
	// DocStart and DocEnd enclose the doc comment. They are equal without one.
	DocStart, DocEnd int
	// Parent is the index of the enclosing symbol in File.Symbols, or -1.
	Parent int
	// Detail has what Canon leaves out: the trait of a Rust impl, "declaration" for a
	// C prototype.
	Detail string
}

// RefKind is the way in which a reference uses a name.
type RefKind string

const (
	RefCall   RefKind = "call"
	RefType   RefKind = "type"
	RefImport RefKind = "import"
	RefUse    RefKind = "use"
	// RefInherit names a type that the enclosing symbol extends, implements, embeds or mixes in.
	RefInherit RefKind = "inherit"
)

// Ref is one reference to a name that the file may not declare itself. Names bound inside the
// enclosing function, and names predeclared by the language, give no references.
type Ref struct {
	Name string
	Kind RefKind
	// Qualifier is the last name before the separator (a dot, -> or ::) in front of
	// Name: http in http.Get, y in x.y.Close. It is Expression after an expression
	// without a name, as in f().Close, and "" without a separator. In PHP, the namespaces
	// before a name are its qualifier as a whole, and end with a backslash: \A\B\ in \A\B\f.
	Qualifier string
	// Receiver is the last name of the type of the expression before Name, if the
	// text of the enclosing function shows it. It ends with Result if that is what a
	// function returns, and with a dot and the name of a field if that is its value.
	// A field that a literal names has the literal's type. In PHP, the name keeps its
	// namespaces.
	Receiver   string
	Start, End int // bytes
	Line       int // 1-based
	From       int // index of the innermost enclosing symbol in File.Symbols, -1 for the file
}

// Result ends the receiver of what a call returns: New() or viper.New(), with the last name before the function's, or
// the receiver of the function's name if that is known.
const Result = "()"

// Import is one name, or all names of a module, that the file takes from elsewhere.
type Import struct {
	// Local is the name of the import in the file, as a Qualifier has it. It is ""
	// if the imported names are visible without a qualifier (an include, a
	// wildcard), and for an import for side effects only.
	Local string
	// Path is the module as the file writes it, without quotes.
	Path string
	// Member is the one name taken from the module, "*" if all names become visible,
	// OwnPackage if they are visible because the file is a part of it, "" for the module
	// itself.
	Member     string
	Start, End int // bytes
	Line       int // 1-based
}

// OwnFile is the Path of a name that the file exports under another one: its Member is the name in the file, and its
// Local that in other files.
const OwnFile = ""

// Default is the Member that a module of JavaScript exports without a name.
const Default = "default"

// ModuleExports is the Member that a module of JavaScript is as a whole: module.exports = f, or export = f.
const ModuleExports = "module.exports"

// OwnPackage is the Member of the package that a file declares to be a part of, in languages
// whose packages need not be folders.
const OwnPackage = "package"

// Problem is a place where the text breaks its grammar.
type Problem struct {
	Start, End int // bytes
	Line       int // 1-based
	Message    string
}

// Span is a range of bytes, 0-based and end-exclusive, on a 1-based line.
type Span struct {
	Start, End int
	Line       int
}

// maxProblems bounds File.Problems. File.ProblemCount has no bound.
const maxProblems = 100

// File has what the text of one file declares and refers to, in the order of the text.
type File struct {
	Language string
	Symbols  []Symbol
	Refs     []Ref
	Imports  []Import
	// ResultTypes are the offsets, in bytes and ascending, of the names of the types that functions return as their
	// first result. Refs has these types, but for the predeclared. It is empty but for Go and Rust.
	ResultTypes []int
	Problems    []Problem // the first 100
	// ProblemCount is the number of all problems.
	ProblemCount int
}
