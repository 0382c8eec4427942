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
		"package_declaration":        func(b *builder, n int) { b.takeAll(n) },
		"annotation":                 javaAnnotation,
		"marker_annotation":          javaAnnotation,
		"element_value_pair":         func(b *builder, n int) { b.take(b.child(n, "key")) },
		"field_access":               refer("field", RefUse),
		"type_identifier":            leaf(RefType),
		"identifier":                 leaf(RefUse),

		"static_initializer":       body,
		"variable_declarator":      bind("name"),
		"lambda_expression":        all(body, javaLambda),
		"inferred_parameters":      bindAll,
		"catch_formal_parameter":   bind("name"),
		"enhanced_for_statement":   bind("name"),
		"resource":                 bind("name"),
		"instanceof_expression":    bind("name"),
		"type_pattern":             javaPattern,
		"record_pattern_component": javaPattern,
		"type_parameter":           func(b *builder, n int) { b.bind(b.first(n, "type_identifier")) },
		"labeled_statement":        javaLabel,
		"break_statement":          javaLabel,
		"continue_statement":       javaLabel,
	},
	callee:   map[string]string{"scoped_identifier": "name"},
	comments: "line_comment block_comment",
	predeclared: `var String Object Integer Long Short Byte Boolean Double Float Character Void Class Override
		Deprecated SuppressWarnings FunctionalInterface System Math`,
}

// javaField declares fields; those that are static and final are constants.
func javaField(b *builder, n int) {
	kind := KindField
	modifiers := b.bytes(b.first(n, "modifiers"))
	if b.kind(n) == "constant_declaration" || bytes.Contains(modifiers, []byte("static")) && bytes.Contains(modifiers, []byte("final")) {
		kind = KindConstant
	}
	b.declareEach(n, b.fields(n, "declarator"), func(declarator int) declaration {
		return declaration{kind: kind, name: b.child(declarator, "name"), body: b.longValue(b.child(declarator, "value"))}
	})
}

// javaParameter declares a record's components, and binds a function's parameters.
func javaParameter(b *builder, n int) {
	if b.kind(b.parent(b.parent(n))) != "record_declaration" {
		b.bind(b.child(n, "name"))
		return
	}
	b.declare(n, declaration{kind: KindField, name: b.child(n, "name"), body: -1})
}

// javaNew calls the last name of the type, without its arguments.
func javaNew(b *builder, n int) {
	name := b.child(n, "type")
	if b.kind(name) == "generic_type" {
		name++
	}
	for b.kind(name) == "scoped_type_identifier" {
		for c := range b.children(name) {
			name = c
		}
	}
	if b.kind(name) == "type_identifier" {
		b.refer(name, RefCall)
	}
}

// javaImport records the last name of what is imported.
func javaImport(b *builder, n int) {
	b.refer(b.callee(n+1), RefImport)
	b.takeAll(n)
}

func javaAnnotation(b *builder, n int) { b.refer(b.callee(b.child(n, "name")), RefType) }

func javaLambda(b *builder, n int) {
	if p := b.child(n, "parameters"); b.kind(p) == "identifier" {
		b.bind(p)
	}
}

// javaPattern binds the name that follows a type.
func javaPattern(b *builder, n int) { b.bind(b.first(n, "identifier")) }

func javaLabel(b *builder, n int) { b.take(b.first(n, "identifier")) }
