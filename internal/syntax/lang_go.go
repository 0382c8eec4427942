package syntax

import "bytes"

var goRules = rules{
	on: map[string]rule{
		"function_declaration": define(KindFunction),
		"method_declaration":   goMethod,
		"type_spec":            goType,
		"type_alias":           goType,
		"field_declaration":    goField,
		"method_elem":          define(KindMethod),
		"const_spec":           goValue(KindConstant),
		"var_spec":             goValue(KindVariable),

		"call_expression":                call("function"),
		"import_spec":                    goImport,
		"type_identifier":                leaf(RefType),
		"identifier":                     leaf(RefUse),
		"field_identifier":               member,
		"parameter_declaration":          bind("name"),
		"variadic_parameter_declaration": bind("name"),
		"type_parameter_declaration":     bind("name"),
		"short_var_declaration":          bind("left"),
		"range_clause":                   bind("left"),
		"receive_statement":              bind("left"),
		"type_switch_statement":          bind("alias"),
	},
	callee: map[string]string{
		"selector_expression": "field", "parenthesized_expression": "",
		"index_expression": "operand", "type_instantiation_expression": "type",
		"qualified_type": "name", "generic_type": "type",
	},
	comments: "comment",
	groups:   "type_declaration const_declaration var_declaration",
	predeclared: `any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64
		rune string uint uint8 uint16 uint32 uint64 uintptr true false iota nil append cap clear close complex
		copy delete imag len make max min new panic print println real recover _`,
}

// goMethod addresses a method by its receiver's base type.
func goMethod(b *builder, n int) {
	b.declare(n, declaration{
		kind: KindMethod, name: b.child(n, "name"), body: b.child(n, "body"),
		qualifier: string(b.bytes(goReceiver(b, n))),
	})
}

// goReceiver is the name of a receiver's type, without pointer and type parameters.
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

// goField declares the fields of a named struct; an embedded one has its type's name.
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
	b.refer(embedded, RefType)
	b.declare(n, declaration{kind: KindField, name: embedded, body: -1})
}

// goValue declares constants and variables of the package, and binds those of a function.
func goValue(kind Kind) rule {
	return func(b *builder, n int) {
		if len(b.open) > 0 {
			bind("name")(b, n)
			return
		}
		value := b.longValue(b.child(n, "value"))
		b.declareEach(n, b.fields(n, "name"), func(name int) declaration {
			return declaration{kind: kind, name: name, body: value}
		})
	}
}

func goImport(b *builder, n int) {
	b.takeAll(b.child(n, "name"))
	importString(b, b.child(n, "path"))
}

// importString records the import of what a string literal names.
func importString(b *builder, n int) {
	if path := bytes.Trim(b.bytes(n), "\"'`<>"); len(path) > 0 {
		b.referTo(b.intern(path), n, RefImport)
	}
}
