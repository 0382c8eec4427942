package syntax

import "bytes"

var javaRules = rules{
	on: map[string]rule{
		"module_declaration":                  define(KindModule),
		"class_declaration":                   define(KindClass),
		"record_declaration":                  define(KindClass),
		"interface_declaration":               define(KindInterface),
		"annotation_type_declaration":         define(KindInterface),
		"enum_declaration":                    define(KindEnum),
		"enum_constant":                       define(KindConstant),
		"method_declaration":                  define(KindMethod),
		"annotation_type_element_declaration": define(KindMethod),
		"constructor_declaration":             define(KindConstructor),
		"compact_constructor_declaration":     define(KindConstructor),
		"field_declaration":                   javaField,
		"constant_declaration":                javaField,
		"formal_parameter":                    javaParameter,

		"method_invocation":          refer("name", RefCall),
		"object_creation_expression": javaNew,
		"import_declaration":         javaImport,
		"superclass":                 javaBases,
		"super_interfaces":           javaBases,
		"extends_interfaces":         javaBases,
		"package_declaration":        ownPackage("scoped_identifier identifier"),
		"annotation":                 javaAnnotation,
		"marker_annotation":          javaAnnotation,
		"element_value_pair":         func(b *builder, n int) { b.consume(b.child(n, "key")) },
		"field_access":               javaMember,
		"type_identifier":            leaf(RefType),
		"identifier":                 leaf(RefUse),

		"static_initializer":       bindingScope,
		"variable_declarator":      javaVariable,
		"lambda_expression":        all(bindingScope, javaLambda),
		"inferred_parameters":      bindAll,
		"catch_formal_parameter":   javaCatch,
		"enhanced_for_statement":   javaFor,
		"resource":                 bindTyped("name"),
		"instanceof_expression":    javaInstance,
		"type_pattern":             javaPattern,
		"record_pattern_component": javaPattern,
		"type_parameter":           func(b *builder, n int) { b.bind(b.first(n, "type_identifier")) },
		"labeled_statement":        javaLabel,
		"break_statement":          javaLabel,
		"continue_statement":       javaLabel,
	},
	callee: map[string]string{"scoped_identifier": "name"},
	valueTypes: map[string]valueTypeRule{
		"identifier":                 variable,
		"object_creation_expression": fieldType("type"), "cast_expression": fieldType("type"),
		"parenthesized_expression": sameTypeAs(""),
	},
	naming: naming{
		separators: ". ::",
		selfNames:  "this",
		predeclared: `var String Object Integer Long Short Byte Boolean Double Float Character Void Class Override
			Deprecated SuppressWarnings FunctionalInterface System Math`,
	},
	placement: placement{comments: "line_comment block_comment"},
}

// javaField declares fields. A static final field is a constant.
func javaField(b *builder, n int) {
	kind := KindField
	modifiers := b.bytes(b.first(n, "modifiers"))
	if b.kind(n) == "constant_declaration" ||
		bytes.Contains(modifiers, []byte("static")) && bytes.Contains(modifiers, []byte("final")) {
		kind = KindConstant
	}
	b.declareEach(n, b.fields(n, "declarator"), func(declarator int) declaration {
		return declaration{kind: kind, name: b.child(declarator, "name"),
			body: b.multilineValue(b.child(declarator, "value"))}
	})
}

// javaParameter declares a record's components, and binds a function's parameters.
func javaParameter(b *builder, n int) {
	if b.kind(b.parent(b.parent(n))) != "record_declaration" {
		bindTyped("name")(b, n)
		return
	}
	b.declare(n, declaration{kind: KindField, name: b.child(n, "name"), body: -1})
}

// javaNew records a call of the type's last name, without type arguments.
func javaNew(b *builder, n int) { b.refer(javaType(b, b.child(n, "type")), RefCall) }

// javaType returns the last name of a type, without type arguments, or -1.
func javaType(b *builder, n int) int {
	if b.kind(n) == "generic_type" {
		n++
	}
	for b.kind(n) == "scoped_type_identifier" {
		for c := range b.children(n) {
			n = c
		}
	}
	if b.kind(n) == "type_identifier" {
		return n
	}
	return -1
}

// javaBases records the types that a type extends and implements.
func javaBases(b *builder, n int) {
	types := n
	if list := b.first(n, "type_list"); list >= 0 {
		types = list
	}
	for c := range b.children(types) {
		b.referBase(b.parent(n), javaType(b, c))
	}
}

// javaImport records the last name of an import. A wildcard imports all names of a package or a
// class.
func javaImport(b *builder, n int) {
	path := n + 1
	b.refer(b.callee(path), RefImport)
	b.consumeAll(n)
	if b.first(n, "asterisk") >= 0 {
		b.imports(path, "", b.name(path), "*")
		return
	}
	b.importMember(path, b.name(path), ".", "")
}

func javaAnnotation(b *builder, n int) { b.refer(b.callee(b.child(n, "name")), RefType) }

func javaLambda(b *builder, n int) {
	if p := b.child(n, "parameters"); b.kind(p) == "identifier" {
		b.bind(p)
	}
}

// javaVariable binds a variable to the type in front of its declaration.
func javaVariable(b *builder, n int) {
	written := b.child(b.parent(n), "type")
	if b.child(n, "dimensions") >= 0 {
		written = -1
	}
	b.bindVariable(b.child(n, "name"), written, b.child(n, "value"))
}

func javaCatch(b *builder, n int) {
	b.bindVariable(b.child(n, "name"), b.first(n, "catch_type"), -1)
}

func javaFor(b *builder, n int) { b.bindVariable(b.child(n, "name"), b.child(n, "type"), -1) }

func javaInstance(b *builder, n int) { b.bindVariable(b.child(n, "name"), b.child(n, "right"), -1) }

// javaPattern binds the name after a type.
func javaPattern(b *builder, n int) { b.bindVariable(b.first(n, "identifier"), n+1, -1) }

func javaLabel(b *builder, n int) { b.consume(b.first(n, "identifier")) }

// javaMember refers to a field. The this in T.this is not a field.
func javaMember(b *builder, n int) {
	if field := b.child(n, "field"); b.isIdentifier(field) {
		b.refer(field, RefUse)
	}
}
