package syntax

import (
	"bytes"
	"strings"
)

var goRules = rules{
	on: map[string]rule{
		"function_declaration": goFunction,
		"method_declaration":   goMethod,
		"type_spec":            goType,
		"type_alias":           goType,
		"field_declaration":    goField,
		"method_elem":          goElementMethod,
		"const_spec":           goValue(KindConstant),
		"var_spec":             goValue(KindVariable),

		"call_expression":                call("function"),
		"import_spec":                    goImport,
		"type_identifier":                leaf(RefType),
		"identifier":                     leaf(RefUse),
		"field_identifier":               member,
		"type_elem":                      goElement,
		"parameter_declaration":          bindTyped("name"),
		"variadic_parameter_declaration": bind("name"),
		"type_parameter_list":            goParameters,
		"short_var_declaration":          behind(itself, bindTyped("left")),
		"range_clause":                   behind(itself, bind("left")),
		"receive_statement":              behind(itself, bind("left")),
		"type_switch_statement":          bind("alias"),
		"keyed_element":                  goKey,
		"type_case":                      goCase,
		"default_case":                   goCase,
	},
	valueTypes: map[string]valueTypeRule{
		"identifier":        variable,
		"composite_literal": fieldType("type"), "type_assertion_expression": fieldType("type"),
		"unary_expression": sameTypeAs("operand"), "parenthesized_expression": sameTypeAs(""),
		"call_expression": goCallType,
	},
	placement: placement{
		lists:    "expression_list",
		comments: "comment",
		groups:   "type_declaration const_declaration var_declaration",
	},
	callee: map[string]string{
		"selector_expression": "field", "parenthesized_expression": "",
		"index_expression": "operand", "type_instantiation_expression": "type",
		"qualified_type": "name", "generic_type": "type",
	},
	naming: naming{
		predeclared: `any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64
			rune string uint uint8 uint16 uint32 uint64 uintptr true false iota nil append cap clear close complex
			copy delete imag len make max min new panic print println real recover _`,
		predeclaredUnqualified: true,
	},
}

func goFunction(b *builder, n int) {
	define(KindFunction)(b, n)
	goResult(b, n)
}

// goElementMethod declares a method of an interface.
func goElementMethod(b *builder, n int) {
	define(KindMethod)(b, n)
	goResult(b, n)
}

// goResult records the type of a function's first result, unless that is a list, a map or a function.
func goResult(b *builder, n int) {
	t := b.child(n, "result")
	if b.kind(t) == "parameter_list" {
		t = b.child(b.first(t, "parameter_declaration"), "type")
	}
	for kind := b.kind(t); kind == "pointer_type" || kind == "parenthesized_type"; kind = b.kind(t) {
		t++
	}
	if t = b.callee(t); b.kind(t) == "type_identifier" {
		b.file.ResultTypes = append(b.file.ResultTypes, b.start(t))
	}
}

// goMethod declares a method, addressed by its receiver's base type.
func goMethod(b *builder, n int) {
	b.declare(n, declaration{
		kind: KindMethod, name: b.child(n, "name"), body: b.child(n, "body"),
		qualifier: string(b.bytes(goReceiver(b, n))),
	})
	goResult(b, n)
	receiver := b.child(n, "receiver")
	for i := receiver; i >= 0 && i < int(b.nodes[receiver].next); i++ {
		if b.kind(i) == "type_arguments" {
			b.bind(i)
		}
	}
}

// goParameters binds type parameters, which may be used before their declaration.
func goParameters(b *builder, n int) {
	for c := range b.children(n) {
		bind("name")(b, c)
	}
}

// goReceiver returns the name of a receiver's type, without pointer and type parameters.
func goReceiver(b *builder, n int) int {
	receiver := b.child(n, "receiver")
	if receiver < 0 {
		return -1
	}
	for i := receiver; i < int(b.nodes[receiver].next); i++ {
		if b.kind(i) == "type_identifier" {
			return i
		}
	}
	return -1
}

func goType(b *builder, n int) {
	d := declaration{kind: KindType, name: b.child(n, "name"), body: -1}
	switch def := b.child(n, "type"); b.kind(def) {
	case "struct_type":
		d.kind, d.body = KindStruct, b.first(def, "field_declaration_list")
	case "interface_type":
		d.kind = KindInterface
		d.bodyAt = b.start(def) + bytes.IndexByte(b.bytes(def), '{')
	}
	b.declare(n, d)
}

// goField declares the fields of a named struct. An embedded field has the name of its type.
func goField(b *builder, n int) {
	if b.kind(b.parent(b.parent(b.parent(n)))) != "type_spec" {
		bind("name")(b, n)
		return
	}
	if b.child(n, "name") >= 0 {
		b.declareEach(n, b.fields(n, "name"), func(name int) declaration {
			return declaration{kind: KindField, name: name, body: -1}
		})
		return
	}
	embedded := b.callee(b.child(n, "type"))
	b.refer(embedded, RefInherit)
	b.declare(n, declaration{kind: KindField, name: embedded, body: -1})
}

// goValue declares constants and variables of the package, and binds those of a function.
func goValue(kind Kind) rule {
	return func(b *builder, n int) {
		if len(b.open) > 0 {
			behind(itself, bindTyped("name"))(b, n)
			return
		}
		value := b.multilineValue(b.child(n, "value"))
		b.declareEach(n, b.fields(n, "name"), func(name int) declaration {
			return declaration{kind: kind, name: name, body: value}
		})
	}
}

// goElement records what a named interface embeds. A union constrains a type parameter instead.
func goElement(b *builder, n int) {
	if spec := b.parent(b.parent(n)); b.kind(spec) == "type_spec" && b.nodes[n+1].next == b.nodes[n].next {
		b.referBase(spec, n+1)
	}
}

// goCase gives the variable of a type switch the type of a case with a single type.
func goCase(b *builder, n int) {
	name := b.child(b.parent(n), "alias") + 1
	if name == 0 || n >= b.localsEnd {
		return
	}
	of, types := "", 0
	for t := range b.fields(n, "type") {
		of = b.typeName(b.bytes(t))
		types++
	}
	if types > 1 {
		of = ""
	}
	b.bindWord(b.word(b.bytes(name)), of)
}

// goCallType returns the T of new(T), and of another call whose result it is: F(), or q.F() with the type of q if that
// is known.
func goCallType(b *builder, n int) string {
	const longest = 100 // bytes of a chain of calls
	function := b.child(n, "function")
	name, of := b.word(b.bytes(function)), ""
	switch b.kind(function) {
	case "identifier":
		if arguments := b.child(n, "arguments"); name.text == "new" && !b.leaf(arguments) {
			return b.typeName(b.bytes(arguments + 1))
		}
		if name.predeclared || b.bound(name) {
			return ""
		}
	case "selector_expression":
		object := b.child(function, "operand")
		if of = b.valueType(object); of == "" && b.kind(object) == "identifier" {
			of = string(b.bytes(object))
		}
		if of == "" || len(of) > longest {
			return ""
		}
		name, of = b.word(b.bytes(b.child(function, "field"))), of+"."
	default:
		return ""
	}
	return b.intern([]byte(of + name.text + Result))
}

// goKey records the field that a key of a struct's literal names.
func goKey(b *builder, n int) {
	key := n + 1
	if !b.leaf(key) {
		key++ // in a literal_element
	}
	of := b.goLiteralType(b.parent(n))
	if b.kind(key) != "identifier" || of == "" || !b.consume(key) {
		return
	}
	b.referTo(b.intern(b.bytes(key)), key, RefUse)
	b.refs[len(b.refs)-1].Receiver = of
}

// goLiteralType returns the name of the struct that the braces at n make, "" for none. Inside of a list's or a map's
// literal they have its elements' type.
func (b *builder) goLiteralType(n int) string {
	depth := 0
	for ; n >= 0 && b.kind(n) != "composite_literal"; n = b.parent(n) {
		switch b.kind(n) {
		case "literal_value":
			depth++
		case "literal_element", "keyed_element":
		default:
			return ""
		}
	}
	t := b.child(n, "type")
	for ; depth > 1 && t >= 0; depth-- {
		t = max(b.child(t, "element"), b.child(t, "value"))
	}
	return b.typeName(b.bytes(t))
}

// goImport records a package. Its name is guessed from its path if the import has none.
func goImport(b *builder, n int) {
	name, path := b.child(n, "name"), b.child(n, "path")
	b.consumeAll(name)
	importString(b, path)
	switch local := b.name(name); local {
	case ".":
		b.importAll(path)
	case "_":
		b.imports(path, "", b.unquoted(path), "")
	case "":
		b.imports(path, goPackage(b.unquoted(path)), b.unquoted(path), "")
	default:
		b.imports(path, local, b.unquoted(path), "")
	}
}

// goPackage guesses the name of a package: the last part of its path that is not a version,
// without a version suffix, a go- prefix or a .go suffix.
func goPackage(path string) string {
	parts := strings.Split(path, "/")
	last := len(parts) - 1
	if last > 0 && goVersion(parts[last]) {
		last--
	}
	name := parts[last]
	if dot := strings.LastIndex(name, "."); dot > 0 && goVersion(name[dot+1:]) {
		name = name[:dot]
	}
	return strings.TrimSuffix(strings.TrimPrefix(name, "go-"), ".go")
}

func goVersion(s string) bool {
	return len(s) > 1 && s[0] == 'v' && strings.Trim(s[1:], "0123456789") == ""
}

// importString records the import of the path in a string literal.
func importString(b *builder, n int) {
	if path := bytes.Trim(b.bytes(n), "\"'`<>"); len(path) > 0 {
		b.referTo(b.intern(path), n, RefImport)
	}
}
