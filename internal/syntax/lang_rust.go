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
		"function_item":           all(defineWithin(rustMethods, KindFunction), rustResult),
		"function_signature_item": all(defineWithin(rustMethods, KindFunction), rustResult),
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
		"field_initializer":        rustFieldName,
		"field_pattern":            rustFieldName,
		"scoped_identifier":        refer("name", RefUse),

		"lifetime":           func(b *builder, n int) { b.consumeAll(n) },
		"parameter":          bindTyped("pattern"),
		"closure_parameters": rustClosure,
		"let_declaration":    behind(itself, all(rustLet, rustUnwrapped)),
		"let_condition":      behind(itself, all(rustPattern("pattern"), rustUnwrapped)),
		"for_expression":     behind(field("value"), bind("pattern")),
		"match_pattern":      all(rustBindings, rustUnwrapped),
		"type_parameters":    bindAll,
	},
	callee: map[string]string{
		"field_expression": "field", "scoped_identifier": "name", "generic_function": "function",
		"parenthesized_expression": "", "generic_type": "type", "scoped_type_identifier": "name",
	},
	valueTypes: map[string]valueTypeRule{
		"identifier": variable, "self": variable, "field_expression": rustFieldType,
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

// rustResult records the type that a function returns, as it is once Option and Result are unwrapped.
func rustResult(b *builder, n int) {
	t := b.child(n, "return_type")
	for t >= 0 {
		switch b.kind(t) {
		case "reference_type":
			t = b.child(t, "type")
			continue
		case "generic_type":
			if outer := b.callee(t); rustWraps(b.bytes(outer)) || b.transparent[string(b.bytes(outer))] {
				t = b.child(t, "type_arguments") + 1
				continue
			}
		}
		break
	}
	if t = b.callee(t); b.kind(t) == "type_identifier" && !b.predeclared[string(b.bytes(t))] {
		b.file.ResultTypes = append(b.file.ResultTypes, b.start(t))
	}
}

// rustWraps reports whether ? and the patterns Some and Ok unwrap a type.
func rustWraps(name []byte) bool { return string(name) == "Option" || string(name) == "Result" }

// rustUnwrapped gives the name in the pattern Some(x) or Ok(x) the type of the value.
func rustUnwrapped(b *builder, n int) {
	pattern, value := b.child(n, "pattern"), b.child(n, "value")
	if b.kind(n) == "match_pattern" {
		pattern, value = n+1, b.child(b.parent(b.parent(b.parent(n))), "value")
	}
	if b.kind(pattern) != "tuple_struct_pattern" {
		return
	}
	switch string(b.bytes(b.child(pattern, "type"))) {
	case "Some", "Ok":
	default:
		return
	}
	name, end := int(b.nodes[b.child(pattern, "type")].next), int(b.nodes[pattern].next)
	for b.kind(name) == "ref_pattern" || b.kind(name) == "mut_pattern" || b.kind(name) == "mutable_specifier" {
		name++
	}
	if name < end && b.kind(name) == "identifier" && int(b.nodes[name].next) == end {
		b.bindAs(name, b.valueType(value))
	}
}

// longestChain is the maximum length of a receiver, in bytes.
const longestChain = 100

// rustFieldType returns the type of a field: T.f for the field f of a value of the type T, "" if that is not known.
func rustFieldType(b *builder, n int) string {
	return chained(b.valueType(b.child(n, "value")), b.name(b.child(n, "field")))
}

// chained returns the receiver that a member of a receiver is.
func chained(of, member string) string {
	if of == "" || member == "" || len(of)+len(member) > longestChain {
		return ""
	}
	return of + "." + member
}

// rustValueType returns the type of a call. Some methods of the standard library return the type of their value, or
// what it wraps.
func rustValueType(b *builder, n int) string {
	function := b.child(n, "function")
	if b.kind(function) == "field_expression" {
		object := b.valueType(b.child(function, "value"))
		switch method := b.name(b.child(function, "field")); method {
		case "unwrap", "expect", "unwrap_or_default", "clone", "as_ref", "as_mut", "borrow", "borrow_mut", "to_owned":
			return object
		default:
			if of := chained(object, method); of != "" {
				return of + Result
			}
		}
		return ""
	}
	if of := rustConstructed(b, n); of != "" {
		return of
	}
	outer, name := b.typePath(b.bytes(function))
	switch {
	case len(name) == 0 || capital(name) || b.predeclared[string(name)] || len(outer) == 0 && b.bound(b.word(name)):
		return ""
	case len(outer) == 0:
		return b.intern(name) + Result
	case capital(outer) && !b.predeclared[string(outer)] || string(outer) == "Self":
		if of := chained(b.resolve(outer), b.intern(name)); of != "" {
			return of + Result
		}
	}
	return ""
}

// rustConstructed returns the type of a call that constructs a value.
func rustConstructed(b *builder, n int) string {
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

// rustFieldName records the field that a literal or a pattern names.
func rustFieldName(b *builder, n int) {
	name, of := max(b.child(n, "field"), b.child(n, "name")), b.parent(n)
	if b.kind(of) == "field_initializer_list" {
		of = b.parent(of)
	}
	count := len(b.refs)
	if b.kind(name) == "field_identifier" {
		b.refer(name, RefUse)
	}
	if len(b.refs) > count {
		b.refs[count].Receiver = b.typeName(b.bytes(max(b.child(of, "name"), b.child(of, "type"))))
	}
}

// rustLet binds what a let declares.
func rustLet(b *builder, n int) {
	switch pattern := b.child(n, "pattern"); b.kind(pattern) {
	case "struct_pattern", "tuple_struct_pattern":
		rustBindings(b, pattern)
	default:
		bindTyped("pattern")(b, n)
	}
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
