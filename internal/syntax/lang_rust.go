package syntax

var rustRules = rules{
	on: map[string]rule{
		"mod_item":                define(KindModule),
		"struct_item":             define(KindStruct),
		"union_item":              define(KindStruct),
		"enum_item":               define(KindEnum),
		"enum_variant":            define(KindConstant),
		"trait_item":              define(KindTrait),
		"impl_item":               rustImpl,
		"function_item":           defineWithin(rustMethods, KindFunction),
		"function_signature_item": defineWithin(rustMethods, KindFunction),
		"field_declaration":       define(KindField),
		"const_item":              define(KindConstant),
		"static_item":             define(KindVariable),
		"type_item":               define(KindType),
		"associated_type":         define(KindType),
		"macro_definition":        rustMacro,

		"call_expression":   call("function"),
		"macro_invocation":  call("macro"),
		"use_declaration":   rustUse,
		"type_identifier":   leaf(RefType),
		"identifier":        leaf(RefUse),
		"field_identifier":  member,
		"scoped_identifier": refer("name", RefUse),

		"parameter":          bind("pattern"),
		"closure_parameters": rustClosure,
		"let_declaration":    bind("pattern"),
		"let_condition":      rustPattern("pattern"),
		"for_expression":     bind("pattern"),
		"match_pattern":      rustBindings,
		"type_parameters":    bindAll,
	},
	callee: map[string]string{
		"field_expression": "field", "scoped_identifier": "name", "generic_function": "function",
		"parenthesized_expression": "", "generic_type": "type", "scoped_type_identifier": "name",
	},
	comments:    "line_comment block_comment",
	attributes:  "attribute_item",
	predeclared: "Self self super crate Some None Ok Err Option Result Vec String Box _",
}

var rustMethods = map[Kind]Kind{KindImpl: KindMethod, KindTrait: KindMethod}

// rustImpl addresses what it holds by the type alone; the trait is its detail.
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
}

func rustMacro(b *builder, n int) {
	b.declare(n, declaration{kind: KindMacro, name: b.child(n, "name"), body: b.first(n, "macro_rule")})
}

// rustUse records the last name of each path that is brought into scope.
func rustUse(b *builder, n int) {
	for i := n; i < int(b.nodes[n].next); i++ {
		if !b.leaf(i) || !b.isIdentifier(i) {
			continue
		}
		p := b.parent(i)
		field := b.nodes[i].field
		if k := b.kind(p); k == "scoped_identifier" && field == b.fieldIDs["path"] ||
			k == "scoped_use_list" && field == b.fieldIDs["path"] ||
			k == "use_as_clause" && field == b.fieldIDs["alias"] || k == "use_wildcard" {
			continue
		}
		b.refer(i, RefImport)
	}
	b.takeAll(n)
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
