package syntax

import (
	"bytes"

	"ploke-lsp/internal/lazyregexp"
)

var phpRules = rules{
	on: map[string]rule{
		"namespace_definition":         phpNamespace,
		"class_declaration":            define(KindClass),
		"interface_declaration":        define(KindInterface),
		"trait_declaration":            define(KindTrait),
		"enum_declaration":             define(KindEnum),
		"enum_case":                    define(KindConstant),
		"method_declaration":           phpMethod,
		"function_definition":          define(KindFunction),
		"const_declaration":            phpConstants,
		"property_declaration":         phpProperties,
		"property_promotion_parameter": phpPromoted,
		"assignment_expression":        all(phpAssignment, phpAssigned),

		"function_call_expression":         all(phpConstant, phpCall("function")),
		"member_call_expression":           phpCall("name"),
		"nullsafe_member_call_expression":  phpCall("name"),
		"scoped_call_expression":           all(phpScope, phpCall("name")),
		"object_creation_expression":       func(b *builder, n int) { b.refer(phpLast(b, n+1), RefCall) },
		"class_constant_access_expression": all(phpScope, phpClassName),
		"scoped_property_access_expression": all(phpScope,
			func(b *builder, n int) { b.refer(phpLast(b, b.child(n, "name")), RefUse) }),
		"namespace_use_declaration": phpUse,
		"require_expression":        phpRequire,
		"require_once_expression":   phpRequire,
		"include_expression":        phpRequire,
		"include_once_expression":   phpRequire,

		"named_type":               func(b *builder, n int) { b.refer(phpLast(b, n), RefType) },
		"base_clause":              phpBases,
		"class_interface_clause":   phpBases,
		"use_declaration":          phpBases,
		"attribute":                phpAttribute,
		"string":                   phpString,
		"encapsed_string":          phpString,
		"namespace_name_as_prefix": func(b *builder, n int) { b.consumeAll(n) },
		"argument":                 func(b *builder, n int) { b.consume(b.child(n, "name")) },
		"global_declaration":       phpGlobal,
		"variable_name":            phpVariable,
		"simple_parameter":         bindTyped("name"),
		"catch_clause":             bindTyped("name"),
		"name":                     member,
	},
	valueTypes: map[string]valueTypeRule{
		"variable_name":              variable,
		"object_creation_expression": fieldType(""), "parenthesized_expression": sameTypeAs(""),
		"clone_expression": sameTypeAs(""),
		"qualified_name":   func(b *builder, n int) string { return b.typeName(b.bytes(n)) },
	},
	naming: naming{
		separators:  `-> :: \`,
		pathNodes:   "qualified_name",
		sigil:       "$",
		selfNames:   "this self static",
		identifiers: "name",
		predeclared: `this self static parent class true false null TRUE FALSE NULL __DIR__ __FILE__ __LINE__ __CLASS__
			__FUNCTION__ __METHOD__ __NAMESPACE__ PHP_EOL count isset empty is_array is_string is_null in_array sprintf define`,
		predeclaredUnqualified: true,
	},
	reading: reading{rewrite: phpRewrite},
	placement: placement{
		comments: "comment",
		groups:   "expression_statement",
	},
}

// The beginning of an enum, and a constant in one.
var (
	phpEnum   = lazyregexp.New(`(?m)^([ \t]*)enum[ \t]+\w+[^;{}()]*\{`)
	phpInEnum = lazyregexp.New(`(?m)^[ \t]*(?:#\[[^\]\n]*\][ \t]*)?((?:(?:final|public|protected|` +
		`private)[ \t]+)*)const[ \t]+((?:\w+[ \t]+)?)\w+[ \t]*(=(?:[^;'"]|'[^']*'|"[^"]*")*);`)
)

// phpRewrite turns an enum's constants, which the grammar does not know, into cases. Their
// modifiers become an attribute, which a case may have, and their values are blanked out, since
// the values of cases are more restricted. An enum ends at a brace below its beginning.
func phpRewrite(text []byte) []byte {
	rewritten := text
	if !bytes.Contains(text, []byte("enum ")) {
		return rewritten
	}
	for _, enum := range phpEnum.FindAllSubmatchIndex(text, -1) {
		body := text[enum[1]:]
		if end := bytes.Index(body, []byte("\n"+string(text[enum[2]:enum[3]])+"}")); end >= 0 {
			body = body[:end]
		}
		for _, m := range phpInEnum.FindAllSubmatchIndex(body, -1) {
			if &rewritten[0] == &text[0] {
				rewritten = bytes.Clone(text)
			}
			phpCase(rewritten[enum[1]:], m)
		}
	}
	return rewritten
}

// phpCase rewrites the constant at the match m of text.
func phpCase(text []byte, m []int) {
	if modifiers := bytes.TrimRight(text[m[2]:m[3]], " \t"); len(modifiers) > 0 {
		blankOut(modifiers)
		copy(modifiers, "#[a")
		modifiers[len(modifiers)-1] = ']'
	}
	blankOut(text[m[4]:m[5]])
	blankOut(text[m[6]:m[7]])
	copy(text[m[3]:], "case ")
}

// phpAttribute refers to an attribute, unless phpRewrite made it.
func phpAttribute(b *builder, n int) {
	if nameByte(b.text[b.start(n)-1]) {
		b.consumeAll(n)
		return
	}
	b.refer(phpLast(b, n+1), RefType)
}

// phpLast returns the last name of a path: Kernel in App\Http\Kernel. It returns -1 for any
// other node.
func phpLast(b *builder, n int) int {
	switch b.kind(n) {
	case "name":
		return n
	case "qualified_name", "namespace_name", "named_type", "variable_name":
		last := -1
		for c := range b.children(n) {
			last = c
		}
		return phpLast(b, last)
	}
	return -1
}

// phpNamespace declares a namespace, which encloses the declarations in its braces. Without
// braces it encloses nothing.
func phpNamespace(b *builder, n int) {
	body := b.child(n, "body")
	b.declare(n, declaration{kind: KindNamespace, name: b.child(n, "name"), body: body, noChildren: body < 0})
}

func phpMethod(b *builder, n int) {
	kind := KindMethod
	if string(b.bytes(b.child(n, "name"))) == "__construct" {
		kind = KindConstructor
	}
	define(kind)(b, n)
}

// phpConstants declares the constants of a class or a file.
func phpConstants(b *builder, n int) {
	b.declareEach(n, b.children(n), func(element int) declaration {
		name := b.first(element, "name")
		value := -1
		for c := range b.children(element) {
			if c != name {
				value = b.multilineValue(c)
			}
		}
		return declaration{kind: KindConstant, name: name, body: value}
	})
}

// phpConstant declares the constant of define("NAME", value).
func phpConstant(b *builder, n int) {
	if string(b.bytes(b.child(n, "function"))) != "define" {
		return
	}
	if first := b.child(n, "arguments") + 1; b.kind(first) == "argument" {
		name := -1
		for c := range b.children(first + 1) {
			name = c
		}
		b.declare(n, declaration{kind: KindConstant, name: name, body: -1})
	}
}

func phpProperties(b *builder, n int) {
	b.declareEach(n, b.children(n), func(element int) declaration {
		d := declaration{kind: KindProperty, name: phpLast(b, b.first(element, "variable_name")), body: -1}
		if value := b.first(element, "property_initializer"); value >= 0 {
			d.body = b.multilineValue(value)
		}
		return d
	})
}

// phpPromoted declares the property that a constructor's parameter adds to its class.
func phpPromoted(b *builder, n int) {
	open := b.open
	b.open = open[:max(len(open)-1, 0)]
	b.declare(n, declaration{kind: KindProperty, name: phpLast(b, b.child(n, "name")), body: -1, noChildren: true})
	b.open = open
	bindTyped("name")(b, n)
}
