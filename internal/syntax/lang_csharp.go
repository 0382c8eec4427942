package syntax

import (
	"bytes"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

var csharpRules = rules{
	on: map[string]rule{
		"namespace_declaration":             csharpNamespace,
		"file_scoped_namespace_declaration": csharpNamespace,
		"class_declaration":                 define(KindClass),
		"record_declaration":                define(KindClass),
		"struct_declaration":                define(KindStruct),
		"interface_declaration":             define(KindInterface),
		"enum_declaration":                  define(KindEnum),
		"enum_member_declaration":           define(KindConstant),
		"delegate_declaration":              define(KindType),
		"method_declaration":                csharpMethod,
		"constructor_declaration":           csharpConstructor,
		"destructor_declaration":            csharpDestructor,
		"operator_declaration":              csharpOperator,
		"conversion_operator_declaration":   csharpOperator,
		"local_function_statement":          define(KindFunction),
		"property_declaration":              csharpProperty,
		"event_declaration":                 csharpProperty,
		"indexer_declaration":               all(csharpProperty, bindingScope),
		"field_declaration":                 csharpField,
		"event_field_declaration":           csharpField,
		"parameter":                         csharpParameter,

		"invocation_expression":      csharpCall,
		"object_creation_expression": call("type"),
		"using_directive":            csharpUsing,
		"base_list":                  inherits,
		"attribute":                  csharpAttribute,
		"member_access_expression":   csharpMember,
		"member_binding_expression":  csharpMember,
		"argument":                   func(b *builder, n int) { b.consume(b.child(n, "name")) },
		"identifier":                 csharpIdentifier,

		"lambda_expression":                  bindingScope,
		"accessor_declaration":               bindingScope,
		"arrow_expression_clause":            bindingScope,
		"parameter_list":                     bind("name"), // of a params array
		"implicit_parameter":                 bindAll,
		"variable_declarator":                csharpVariable,
		"tuple_pattern":                      bindAll,
		"parenthesized_variable_designation": bindAll,
		"foreach_statement":                  csharpForeach,
		"catch_declaration":                  bindTyped("name"),
		"declaration_pattern":                bindTyped("name"),
		"recursive_pattern":                  bindTyped("name"),
		"var_pattern":                        bind("name"),
		"declaration_expression":             bindTyped("name"),
		"from_clause":                        bind("name"),
		"let_clause":                         csharpFirst,
		"join_clause":                        csharpFirst,
		"join_into_clause":                   csharpFirst,
		"type_parameter":                     bind("name"),
		"type_parameter_constraints_clause":  csharpFirst,
	},
	callee: map[string]string{
		"member_access_expression": "name", "member_binding_expression": "name", "generic_name": "",
		"qualified_name": "name", "alias_qualified_name": "name", "parenthesized_expression": "",
		"primary_constructor_base_type": "type",
	},
	valueTypes: map[string]valueTypeRule{
		"identifier":                 variable,
		"object_creation_expression": fieldType("type"), "cast_expression": fieldType("type"),
		"as_expression":            fieldType("right"),
		"parenthesized_expression": sameTypeAs(""), "await_expression": sameTypeAs(""),
	},
	naming: naming{
		separators:  ". -> ::",
		selfNames:   "this",
		identifiers: "implicit_parameter",
		predeclared: "value nameof var dynamic nint nuint String Object Console Math Exception",
	},
	reading:   reading{rewrite: csharpRewrite},
	placement: placement{comments: "comment"},
}

var (
	// csharpBases matches the head of a type with bases that depend on the configuration.
	csharpBases = lazyregexp.New(`\b(?:class|struct|interface|record)[ \t]+\w[^;{}#]*\n[ \t]*#if[^;{}]*`)
	// csharpOther matches the parts of it to blank out: directives, and the text after #else and #elif.
	csharpOther = lazyregexp.New(`(?m)^[ \t]*#(?:(?:else|elif)[^#]*#)*.*`)
)

// csharpRewrite blanks out the bases of other configurations, since the grammar knows no
// directives there.
func csharpRewrite(text []byte) []byte {
	if !bytes.Contains(text, []byte("#if")) {
		return text
	}
	heads := csharpBases.FindAllIndex(text, -1)
	if heads == nil {
		return text
	}
	text = bytes.Clone(text)
	for _, at := range heads {
		head := text[at[0]:at[1]]
		for _, other := range csharpOther.FindAllIndex(head, -1) {
			blankOut(head[other[0]:other[1]])
		}
	}
	return text
}

// csharpNamespace declares a namespace by its parts. A namespace for the whole file encloses
// nothing.
func csharpNamespace(b *builder, n int) {
	full := b.child(n, "name")
	d := declaration{kind: KindNamespace, name: b.callee(full), body: b.child(n, "body")}
	d.qualifier = strings.ReplaceAll(string(b.bytes(b.child(full, "qualifier"))), ".", "::")
	d.noChildren = d.body < 0
	b.consumeAll(full)
	b.declare(n, d)
}

// csharpMethod declares a method. An explicitly implemented interface is its detail.
func csharpMethod(b *builder, n int) {
	d := declaration{kind: KindMethod, name: b.child(n, "name"), body: b.child(n, "body")}
	if of := b.first(n, "explicit_interface_specifier"); of >= 0 {
		of = b.callee(of + 1)
		d.detail = b.intern(b.bytes(of))
		b.refer(of, RefType)
	}
	b.declare(n, d)
}

func csharpConstructor(b *builder, n int) {
	d := declaration{kind: KindConstructor, name: b.child(n, "name"), body: b.child(n, "body")}
	if b.first(n, "constructor_initializer") >= 0 {
		d.body, d.bodyAt = -1, b.end(b.child(n, "parameters"))
	}
	b.declare(n, d)
}

func csharpDestructor(b *builder, n int) {
	name := b.child(n, "name")
	b.declare(n, declaration{
		kind: KindMethod, name: name, symbolName: "~" + b.intern(b.bytes(name)), body: b.child(n, "body"),
	})
}

// csharpOperator names an operator by the text between the word operator and the parameters.
func csharpOperator(b *builder, n int) {
	parameters := b.child(n, "parameters")
	if parameters < 0 {
		return
	}
	head := b.text[b.start(n):b.start(parameters)]
	if at := bytes.LastIndex(head, []byte("operator")); at >= 0 {
		b.declare(n, declaration{
			kind: KindMethod, name: -1, symbolName: cppOperator(head[at:]), body: b.child(n, "body"),
		})
	}
}

// csharpProperty declares a property, an event with accessors, or an indexer, whose name is
// this.
func csharpProperty(b *builder, n int) {
	d := declaration{kind: KindProperty, name: b.child(n, "name"), body: b.child(n, "accessors")}
	if d.name < 0 {
		d.symbolName = "this"
	}
	if value := b.child(n, "value"); d.body < 0 && b.kind(value) == "arrow_expression_clause" {
		d.body = value
	}
	b.declare(n, d)
}

// csharpField declares fields and events. A field that is const, or static and readonly, is a
// constant.
func csharpField(b *builder, n int) {
	kind := KindField
	var modifiers []string
	for c := range b.children(n) {
		if b.kind(c) == "modifier" {
			modifiers = append(modifiers, string(b.bytes(c)))
		}
	}
	switch all := strings.Join(modifiers, " "); {
	case b.kind(n) == "event_field_declaration":
		kind = KindProperty
	case strings.Contains(all, "const"), strings.Contains(all, "static readonly"):
		kind = KindConstant
	}
	variables := b.first(n, "variable_declaration")
	b.declareEach(n, b.children(variables), func(c int) declaration {
		if b.kind(c) != "variable_declarator" {
			return declaration{name: -1}
		}
		return declaration{kind: kind, name: b.child(c, "name"), body: b.multilineValue(b.first(c, "initializer_expression"))}
	})
}

// csharpParameter declares a record's properties, and binds a function's parameters.
func csharpParameter(b *builder, n int) {
	if b.kind(b.parent(b.parent(n))) != "record_declaration" {
		bindTyped("name")(b, n)
		return
	}
	b.declare(n, declaration{kind: KindProperty, name: b.child(n, "name"), body: -1})
}

func csharpCall(b *builder, n int) {
	called := b.child(n, "function")
	for b.kind(called) == "conditional_access_expression" {
		for c := range b.children(called) {
			called = c // the last child follows the question mark
		}
	}
	if name := b.callee(called); name >= 0 && (name != called || !b.local(name)) {
		b.refer(name, RefCall)
	}
}

// csharpUsing records what is brought into scope: all names of a namespace, all of a type if
// static, or one name with an alias.
func csharpUsing(b *builder, n int) {
	alias, imported := b.child(n, "name"), -1
	for c := range b.children(n) {
		imported = c
	}
	b.refer(b.callee(imported), RefImport)
	b.consumeAll(n)
	path, _, _ := strings.Cut(b.name(imported), "<")
	if alias >= 0 {
		b.importMember(imported, path, ".", b.name(alias))
		return
	}
	b.imports(imported, "", path, "*")
}

func csharpAttribute(b *builder, n int) { b.refer(b.callee(b.child(n, "name")), RefType) }

func csharpMember(b *builder, n int) { b.refer(b.callee(b.child(n, "name")), RefUse) }

// csharpIdentifier refers to a type if the grammar has one in that place.
func csharpIdentifier(b *builder, n int) {
	at, kind := n, RefUse
	for b.kind(b.parent(at)) == "generic_name" ||
		b.kind(b.parent(at)) == "qualified_name" && b.nodes[at].field == b.fieldIDs["name"] {
		at = b.parent(at)
	}
	field := b.nodes[at].field
	switch b.kind(b.parent(at)) {
	case "base_list", "type_argument_list", "explicit_interface_specifier":
		kind = RefType
	case "as_expression", "is_expression":
		if field == b.fieldIDs["right"] {
			kind = RefType
		}
	}
	if field == b.fieldIDs["type"] || field == b.fieldIDs["returns"] {
		kind = RefType
	}
	leaf(kind)(b, n)
}

func csharpForeach(b *builder, n int) {
	if left := b.child(n, "left"); b.kind(left) == "identifier" {
		b.bindVariable(left, b.child(n, "type"), -1)
	}
}

// csharpVariable binds a variable to the type in front of its declaration, or to the type of
// its value.
func csharpVariable(b *builder, n int) {
	name, value := b.child(n, "name"), -1
	for c := range b.children(n) {
		if c != name {
			value = c
		}
	}
	b.bindVariable(name, b.child(b.parent(n), "type"), value)
}

// csharpFirst binds the name at the beginning of a clause.
func csharpFirst(b *builder, n int) { b.bind(b.first(n, "identifier")) }
