package syntax

import (
	"bytes"
	"strings"
)

var pythonRules = rules{
	on: map[string]rule{
		"class_definition":    all(pythonBases, pythonDefine),
		"function_definition": pythonDefine,
		"assignment":          pythonAssignment,

		"call":                  call("function"),
		"import_statement":      pythonImport,
		"import_from_statement": pythonImport,
		"type":                  pythonType,
		"attribute":             refer("attribute", RefUse),
		"keyword_argument":      func(b *builder, n int) { b.take(b.child(n, "name")) },
		"identifier":            leaf(RefUse),

		"parameters":               pythonParameters,
		"lambda_parameters":        pythonParameters,
		"named_expression":         bind("name"),
		"for_statement":            bind("left"),
		"for_in_clause":            bind("left"),
		"as_pattern_target":        bindAll,
		"global_statement":         func(b *builder, n int) { b.takeAll(n) },
		"nonlocal_statement":       func(b *builder, n int) { b.takeAll(n) },
		"list_splat_pattern":       bindAll,
		"dictionary_splat_pattern": bindAll,
	},
	callee:   map[string]string{"attribute": "attribute", "parenthesized_expression": "", "subscript": "value"},
	wrappers: "decorated_definition",
	groups:   "expression_statement",
	predeclared: `self cls print len range str int float bool list dict set tuple bytes object type isinstance
		issubclass super None True False enumerate zip map filter sorted reversed min max sum any all open repr
		getattr setattr hasattr iter next abs id _`,
}

func pythonDefine(b *builder, n int) {
	kind := KindFunction
	switch {
	case b.kind(n) == "class_definition":
		kind = KindClass
	case b.enclosing() == KindClass && string(b.bytes(b.child(n, "name"))) == "__init__":
		kind = KindConstructor
	case b.enclosing() == KindClass:
		kind = KindMethod
	}
	d := declaration{kind: kind, name: b.child(n, "name"), body: -1}
	for _, field := range []string{"name", "parameters", "return_type", "superclasses"} {
		if part := b.child(n, field); part >= 0 {
			d.bodyAt = max(d.bodyAt, b.end(part)) // a comment may follow the colon
		}
	}
	if doc := pythonDocstring(b, b.child(n, "body")); doc >= 0 {
		d.docStart, d.docEnd = b.start(doc), b.end(doc)
	}
	b.declare(n, d)
}

// pythonDocstring is the string that a body begins with, or -1.
func pythonDocstring(b *builder, body int) int {
	for statement := range b.children(body) {
		switch b.kind(statement) {
		case "comment":
			continue
		case "expression_statement":
			return b.first(statement, "string")
		}
		return -1
	}
	return -1
}

func pythonBases(b *builder, n int) {
	for base := range b.children(b.child(n, "superclasses")) {
		b.refer(b.callee(base), RefType)
	}
}

// pythonAssignment declares what a module or a class assigns, and binds what a function does.
func pythonAssignment(b *builder, n int) {
	left := b.child(n, "left")
	scope := b.enclosing()
	if b.localsEnd > n {
		if b.kind(left) != "attribute" && b.kind(left) != "subscript" {
			b.bind(left)
		}
		return
	}
	if b.kind(left) != "identifier" || b.kind(b.parent(n)) != "expression_statement" {
		return
	}
	name := string(b.bytes(left))
	kind := KindVariable
	switch {
	case scope == KindClass:
		kind = KindField
	case name == strings.ToUpper(name) && name != strings.ToLower(name):
		kind = KindConstant
	}
	b.declare(n, declaration{kind: kind, name: left, body: b.longValue(b.child(n, "right"))})
}

// pythonParameters binds the names of parameters; annotations and defaults are uses.
func pythonParameters(b *builder, n int) {
	for p := range b.children(n) {
		switch b.kind(p) {
		case "identifier":
			b.bind(p)
		case "default_parameter", "typed_default_parameter":
			b.bind(b.child(p, "name"))
		case "typed_parameter":
			b.bind(p + 1)
		}
	}
}

// pythonType takes the names in an annotation as types.
func pythonType(b *builder, n int) {
	for i := n; i < int(b.nodes[n].next); i++ {
		if b.leaf(i) && b.kind(i) == "identifier" && b.kind(b.parent(i)) != "attribute" {
			b.refer(i, RefType)
		}
	}
}

// pythonImport records the modules and names that are imported.
func pythonImport(b *builder, n int) {
	for c := range b.children(n) {
		name := c
		if b.kind(c) == "aliased_import" {
			name = b.child(c, "name")
		}
		if path := bytes.TrimLeft(b.bytes(name), "."); len(path) > 0 && b.kind(name) != "wildcard_import" {
			b.referTo(b.intern(path), name, RefImport)
		}
	}
	b.takeAll(n)
}
