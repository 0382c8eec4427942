package syntax

import "bytes"

var rustRules = rules{
	reading: reading{rewrite: rustRewrite},
	on: map[string]rule{
		"mod_item":                define(KindModule),
		"struct_item":             define(KindStruct),
		"union_item":              define(KindStruct),
		"enum_item":               define(KindEnum),
		"enum_variant":            define(KindConstant),
		"trait_item":              all(define(KindTrait), rustBounds),
		"impl_item":               rustImpl,
		"function_item":           defineWithin(rustMethods, KindFunction),
		"function_signature_item": defineWithin(rustMethods, KindFunction),
		"field_declaration":       define(KindField),
		"const_item":              define(KindConstant),
		"static_item":             define(KindVariable),
		"type_item":               define(KindType),
		"associated_type":         define(KindType),
		"macro_definition":        rustMacro,

		"call_expression":  call("function"),
		"macro_invocation": call("macro"),
		"use_declaration":  rustUse,

		"extern_crate_declaration": rustCrate,
		"type_identifier":          leaf(RefType),
		"identifier":               rustIdentifier,
		"field_identifier":         member,
		"scoped_identifier":        refer("name", RefUse),

		"lifetime":           func(b *builder, n int) { b.consumeAll(n) },
		"parameter":          bindTyped("pattern"),
		"closure_parameters": rustClosure,
		"let_declaration":    bindTyped("pattern"),
		"let_condition":      rustPattern("pattern"),
		"for_expression":     bind("pattern"),
		"match_pattern":      rustBindings,
		"type_parameters":    bindAll,
	},
	callee: map[string]string{
		"field_expression": "field", "scoped_identifier": "name", "generic_function": "function",
		"parenthesized_expression": "", "generic_type": "type", "scoped_type_identifier": "name",
	},
	valueTypes: map[string]valueTypeRule{
		"identifier":      variable,
		"call_expression": rustValueType, "struct_expression": fieldType("name"), "type_cast_expression": fieldType("type"),
		"reference_expression": sameTypeAs("value"), "try_expression": sameTypeAs(""), "await_expression": sameTypeAs(""),
		"parenthesized_expression": sameTypeAs(""),
	},
	naming: naming{
		separators:  ". ::",
		selfNames:   "self Self",
		transparent: "Box Rc Arc Ref RefMut MutexGuard Cow Pin",
		predeclared: "else in move dyn ref extern Self self super crate Some None Ok Err Option Result Vec String Box _",
	},
	placement: placement{
		comments:   "line_comment block_comment",
		attributes: "attribute_item",
	},
}

var rustMethods = map[Kind]Kind{KindImpl: KindMethod, KindTrait: KindMethod}

// rustImpl declares an impl by its type, with the trait as its detail.
func rustImpl(b *builder, n int) {
	kind := b.callee(b.child(n, "type"))
	if kind < 0 {
		kind = b.child(n, "type")
	}
	d := declaration{kind: KindImpl, name: kind, body: b.child(n, "body")}
	if trait := b.callee(b.child(n, "trait")); trait >= 0 {
		d.detail = b.intern(b.bytes(trait))
	}
	b.refer(kind, RefType)
	b.declare(n, d)
	b.referBase(n, b.child(n, "trait"))
}

// rustBounds records a trait's supertraits.
func rustBounds(b *builder, n int) {
	for c := range b.children(b.child(n, "bounds")) {
		b.referBase(n, c)
	}
}

// rustValueType returns the type of a call.
func rustValueType(b *builder, n int) string {
	outer, name := b.typePath(b.bytes(b.child(n, "function")))
	if b.transparent[string(outer)] && string(name) == "new" {
		return b.valueType(b.child(n, "arguments") + 1)
	}
	return rustCallType(b, outer, name)
}

// rustCallType returns the type of a call of a name and the one before it: T(…), a variant's E::V(…), or a function
// of T with the usual name of a constructor.
func rustCallType(b *builder, outer, name []byte) string {
	switch {
	case b.transparent[string(outer)] && string(name) == "new":
		return ""
	case capital(outer) && (capital(name) || rustConstructorName(name)):
		return b.resolve(outer)
	case capital(name) && !b.predeclared[string(name)]:
		return b.resolve(name)
	}
	return ""
}

func rustConstructorName(name []byte) bool {
	switch before, _, _ := bytes.Cut(name, []byte{'_'}); string(before) {
	case "new", "default", "from", "with":
		return true
	}
	return false
}

func rustMacro(b *builder, n int) {
	b.declare(n, declaration{kind: KindMacro, name: b.child(n, "name"), body: b.first(n, "macro_rule")})
}

func rustClosure(b *builder, n int) {
	for p := range b.children(n) {
		if b.kind(p) != "parameter" {
			b.bind(p)
		}
	}
}

func rustPattern(field string) rule {
	return func(b *builder, n int) { rustBindings(b, b.child(n, field)) }
}

// rustBindings binds the names in a pattern; those that begin with a capital are constructors.
func rustBindings(b *builder, n int) {
	for i := n; n >= 0 && i < int(b.nodes[n].next); i++ {
		constructor := b.kind(i) == "identifier" && b.bytes(i)[0] < '_' || b.kind(b.parent(i)) == "scoped_identifier"
		if k := b.kind(i); (k == "identifier" || k == "shorthand_field_identifier") && !constructor {
			b.bind(i)
		}
	}
}
