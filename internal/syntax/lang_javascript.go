package syntax

import (
	"bytes"
	"maps"
	"slices"
	"strings"
)

var javascriptRules = rules{
	on:         extendJavascript(map[string]rule{"field_definition": javascriptMember("property")}),
	callee:     javascriptCallee,
	valueTypes: javascriptValues,
	naming: naming{
		selfNames: "this",
		modules:   javascriptModule,

		predeclared: javascriptPredeclared,
	},
	placement: placement{
		comments:   "comment",
		attributes: "decorator",
		wrappers:   "export_statement",
		groups:     "lexical_declaration variable_declaration expression_statement",
	},
}

const javascriptPredeclared = `undefined NaN Infinity console arguments import super require module exports Object Array String Number
	Boolean Promise Map Set Symbol JSON Math Error Date RegExp`

var javascriptCallee = map[string]string{
	"member_expression": "property", "parenthesized_expression": "", "await_expression": "",
}

var javascriptValues = map[string]valueTypeRule{
	"identifier":     variable,
	"new_expression": fieldType("constructor"), "parenthesized_expression": sameTypeAs(""),
	"await_expression": sameTypeAs(""),
}

// javascriptOn has the rules that JavaScript and TypeScript share.
var javascriptOn = map[string]rule{
	"function_declaration":           javascriptDefine(KindFunction),
	"generator_function_declaration": javascriptDefine(KindFunction),
	"class_declaration":              javascriptDefine(KindClass),
	"method_definition":              javascriptMethod,
	"variable_declarator":            javascriptVariable,
	"pair":                           javascriptMember("key"),
	"assignment_expression":          javascriptAssignment,
	"export_statement":               javascriptDefault,

	"call_expression":               all(javascriptTest, call("function"), javascriptRequire),
	"new_expression":                call("constructor"),
	"import_statement":              javascriptImport,
	"class_heritage":                javascriptHeritage,
	"identifier":                    javascriptIdentifier,
	"property_identifier":           member,
	"private_property_identifier":   member,
	"shorthand_property_identifier": leaf(RefUse),

	"formal_parameters": javascriptParameters,
	"arrow_function":    bind("parameter"),
	"catch_clause":      bind("parameter"),
	"for_in_statement":  bind("left"),
}

func extendJavascript(more map[string]rule) map[string]rule {
	on := maps.Clone(javascriptOn)
	maps.Copy(on, more)
	return on
}

func javascriptDefine(kind Kind) rule {
	return func(b *builder, n int) {
		b.declare(n, declaration{kind: kind, name: b.child(n, "name"), body: b.child(n, "body")})
	}
}

func javascriptMethod(b *builder, n int) {
	name := b.child(n, "name")
	kind := KindMethod
	if string(b.bytes(name)) == "constructor" {
		kind = KindConstructor
	}
	switch {
	case len(b.open) > 0:
	case javascriptGetter(b, n):
		b.consume(name)
		return
	case javascriptExported(b, n):
		kind = KindFunction
	default:
		return
	}
	b.declare(n, declaration{kind: kind, name: name, body: b.child(n, "body")})
}

// javascriptMember declares a class's field, or a function in an object with a name.
func javascriptMember(field string) rule {
	return func(b *builder, n int) {
		value, body := b.child(n, "value"), -1
		kind := KindField
		if javascriptFunction(b, value) {
			kind, body = KindMethod, b.child(value, "body")
		}
		name := b.child(n, field)
		exported := len(b.open) == 0 && javascriptExported(b, n)
		if exported && kind == KindMethod {
			kind = KindFunction
		}
		if len(b.open) == 0 && !exported ||
			b.kind(n) == "pair" && (kind == KindField || b.kind(name) != "property_identifier") {
			b.consume(name)
			return
		}
		b.declare(n, declaration{kind: kind, name: name, body: body})
	}
}

// javascriptFunction reports whether a value is a function.
func javascriptFunction(b *builder, value int) bool {
	switch b.kind(value) {
	case "arrow_function", "function", "function_expression", "generator_function":
		return true
	}
	return false
}

// javascriptVariable declares functions and classes by the name of their variable, wherever
// they are, and the other variables of a module or namespace.
func javascriptVariable(b *builder, n int) {
	name, value := b.child(n, "name"), b.child(n, "value")
	if call, member := javascriptLoad(b, value); call >= 0 {
		javascriptNames(b, name, call, member)
		return
	}
	for b.kind(value) == "assignment_expression" { // var f = module.exports = function () {}
		value = b.child(value, "right")
	}
	d := declaration{kind: KindVariable, name: name, body: b.multilineValue(value)}
	switch {
	case javascriptFunction(b, value):
		d.kind, d.body = KindFunction, b.child(value, "body")
		b.consume(b.child(value, "name"))
	case b.kind(value) == "class":
		d.kind, d.body = KindClass, b.child(value, "body")
		b.consume(b.child(value, "name"))
	case b.localsEnd > n || !javascriptModuleLevel(b, b.parent(n)):
		bindTyped("name")(b, n)
		return
	case bytes.HasPrefix(b.bytes(b.parent(n)), []byte("const")):
		d.kind = KindConstant
	}
	b.declareEach(n, slices.Values(javascriptNamed(b, name)), func(name int) declaration {
		d.name = name
		return d
	})
}

// javascriptNamed returns the names that a pattern gives to the parts of a value.
func javascriptNamed(b *builder, n int) (names []int) {
	switch b.kind(n) {
	case "identifier", "shorthand_property_identifier_pattern":
		return []int{n}
	case "pair_pattern":
		b.consume(b.child(n, "key"))
		return javascriptNamed(b, b.child(n, "value"))
	case "assignment_pattern", "object_assignment_pattern":
		return javascriptNamed(b, b.child(n, "left"))
	}
	for c := range b.children(n) {
		names = append(names, javascriptNamed(b, c)...)
	}
	return names
}

// javascriptTest declares a test, or a group of tests, by its description.
func javascriptTest(b *builder, n int) {
	called, subject, function := b.child(n, "function"), -1, -1
	first := b.firstLeaf(called)
	switch string(b.bytes(first)) {
	case "describe", "it", "test", "suite", "context", "specify", "xdescribe", "fdescribe", "xit", "fit":
	default:
		return
	}
	for c := range b.children(b.child(n, "arguments")) {
		if subject < 0 {
			subject = c
		}
		function = c
	}
	if kind := b.kind(subject); kind != "string" && kind != "template_string" || !javascriptFunction(b, function) {
		return
	}
	b.consume(first)
	b.consume(b.callee(called))
	b.declare(n, declaration{kind: KindTest, name: subject, symbolName: b.unquoted(subject),
		body: b.child(function, "body")})
}

// javascriptIdentifier refers to a name, except for HTML elements, which begin with a small
// letter.
func javascriptIdentifier(b *builder, n int) {
	of := b.kind(b.parent(n))
	if strings.HasPrefix(of, "jsx_") && strings.HasSuffix(of, "_element") && 'a' <= b.text[b.start(n)] &&
		b.text[b.start(n)] <= 'z' {
		return
	}
	switch of {
	case "spread_element", "arguments":
		javascriptSpreadName(b, n)
	}
	leaf(RefUse)(b, n)
}

// javascriptModuleLevel reports whether a statement is directly in a module or namespace.
func javascriptModuleLevel(b *builder, n int) bool {
	p := b.parent(n)
	for b.kind(p) == "export_statement" || b.kind(p) == "ambient_declaration" {
		p = b.parent(p)
	}
	return b.kind(p) == "program" || b.kind(p) == "statement_block" && b.enclosing() == KindNamespace
}

// javascriptDefault declares a default export without a name.
func javascriptDefault(b *builder, n int) {
	value := b.child(n, "value")
	if value < 0 {
		value = b.child(n, "declaration")
		if b.child(value, "name") >= 0 || !bytes.HasPrefix(b.bytes(n), []byte("export default")) {
			value = -1
		}
	}
	d := declaration{kind: KindVariable, name: -1, symbolName: Default, body: b.child(value, "body")}
	switch kind := b.kind(value); {
	case kind == "class" || kind == "class_declaration":
		d.kind = KindClass
	case javascriptFunction(b, value) || kind == "function_declaration":
		d.kind = KindFunction
	case kind == "object":
		d.body = value
	default:
		javascriptExport(b, n)
		return
	}
	b.declare(n, d)
}

// javascriptHeritage records the types that a class or an interface extends and implements.
func javascriptHeritage(b *builder, n int) {
	of := b.parent(n)
	if b.kind(of) == "class_heritage" {
		of = b.parent(of)
	}
	for c := range b.children(n) {
		b.referBase(of, c)
	}
}

// javascriptParameters binds the names of parameters, in patterns too.
func javascriptParameters(b *builder, n int) {
	for p := range b.children(n) {
		switch b.kind(p) {
		case "required_parameter", "optional_parameter":
			bindTyped("pattern")(b, p)
		case "assignment_pattern":
			b.bind(b.child(p, "left"))
		default:
			b.bind(p)
		}
	}
}
