package generate

// A Protocol is what the package lsp/protocol says, independent of a language.
type Protocol struct {
	Version, OldestVersion string
	Methods                []Method
	Commands               []Method
	Types                  []*Type // that these use, in the order of their names
	Errors                 []Value
	constants              map[string]string // by Go name, as JSON
}

// A Method is a method or a command.
type Method struct {
	Name   string // on the wire
	Go     string // the constant's name without "Method" or "Command"
	Doc    string
	Group  string // the doc comment of its group of constants, empty if it stands alone
	Params string // the name of a type, empty if there is none
	Result string

	FromServer, Notification bool
}

// A Type is a struct, or a string with a set of values.
type Type struct {
	Name     string
	Doc      string
	Embeds   *Type // whose fields it has, too
	Fields   []Field
	Variants []Variant // of a struct whose fields depend on the field "type"
	Values   []Value   // of a string
}

// A Field is a field of a struct on the wire.
type Field struct {
	Name     string
	Doc      string
	Type     Ref
	Optional bool
	Variants []fieldVariant // in which variants of the struct it is set; nil means in all
}

// A fieldVariant is how a field is in one variant of its struct.
type fieldVariant struct {
	value    string
	optional bool
	typeName string // empty if it is the field's own
}

// A Variant is a struct for one value of its field "type".
type Variant struct {
	Name   string // of its Go constant, such as PartMessage
	Value  string
	Doc    string
	Fields []Field
}

// A Value is a constant and what it stands for.
type Value struct {
	Go, Value, Doc string
}

// A Ref is the type of a field.
type Ref struct {
	Kind Kind
	Name string // of a Named or an LSP type
	Of   *Ref   // of a List or a Map
}

// Kind is the kind of a field's type.
type Kind int

// The kinds of types.
const (
	String Kind = iota
	Bool
	Integer
	Number
	URI
	Time  // RFC 3339
	Token // of progress
	LSP   // a type of the Language Server Protocol
	Named
	List
	Map // from strings
	Any // JSON of any form
)

// AllFields returns the fields of a struct that every variant has, with those that it embeds.
func (t *Type) AllFields() []Field {
	if t.Embeds == nil {
		return t.Fields
	}
	return append(append([]Field{}, t.Embeds.AllFields()...), t.Fields...)
}

// AllVariants returns the variants of a struct, or of the one that it embeds, with all fields.
func (t *Type) AllVariants() []Variant {
	if t.Embeds == nil {
		return t.Variants
	}
	var all []Variant
	for _, v := range t.Embeds.AllVariants() {
		v.Fields = append(append([]Field{}, v.Fields...), t.Fields...)
		all = append(all, v)
	}
	return all
}
