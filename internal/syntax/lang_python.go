package syntax

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

var pythonRules = rules{
	on: map[string]rule{
		"class_definition":    all(pythonDefine, pythonBases),
		"function_definition": pythonDefine,
		"block":               pythonBlock,
		"assignment":          pythonAssignment,

		"type_alias_statement": pythonAlias,

		"call":                  call("function"),
		"import_statement":      pythonImport,
		"import_from_statement": pythonImport,
		"type":                  pythonType,
		"attribute":             refer("attribute", RefUse),
		"keyword_argument":      func(b *builder, n int) { b.consume(b.child(n, "name")) },
		"identifier":            leaf(RefUse),

		"parameters":               pythonParameters,
		"lambda_parameters":        pythonParameters,
		"named_expression":         bindTyped("name"),
		"for_statement":            bind("left"),
		"for_in_clause":            bind("left"),
		"as_pattern_target":        pythonTarget,
		"global_statement":         func(b *builder, n int) { b.consumeAll(n) },
		"nonlocal_statement":       func(b *builder, n int) { b.consumeAll(n) },
		"list_splat_pattern":       bindAll,
		"dictionary_splat_pattern": bindAll,
		"splat_pattern":            bindAll,
		"case_pattern":             pythonCase,
		"keyword_pattern":          pythonCase,
		"list_comprehension":       pythonComprehension,
		"set_comprehension":        pythonComprehension,
		"dictionary_comprehension": pythonComprehension,
		"generator_expression":     pythonComprehension,
	},
	valueTypes: map[string]valueTypeRule{
		"identifier": variable,
		"call":       constructor("function"), "await": sameTypeAs(""), "parenthesized_expression": sameTypeAs(""),
	},
	naming: naming{
		selfNames:   "self cls",
		transparent: "Optional Type type Self",
		predeclared: `self cls print len range str int float bool list dict set tuple bytes object type isinstance
			issubclass super None True False enumerate zip map filter sorted reversed min max sum any all open repr
			getattr setattr hasattr iter next abs id NotImplemented __name__ __file__ _`,
		predeclaredUnqualified: true,
	},
	placement: placement{
		lists:    "expression_list pattern_list tuple_pattern",
		wrappers: "decorated_definition",
		groups:   "expression_statement",
	},
	callee: map[string]string{"attribute": "attribute", "parenthesized_expression": "", "subscript": "value"},
}

// pythonBlock reports a block without a statement, which the grammar accepts.
func pythonBlock(b *builder, n int) {
	if b.leaf(n) {
		b.report(n, "the block has no statement")
	}
}

func pythonDefine(b *builder, n int) {
	d := declaration{kind: pythonKind(b, n), name: b.child(n, "name"), body: -1}
	for _, field := range []string{"name", "parameters", "return_type", "superclasses"} {
		if part := b.child(n, field); part >= 0 {
			d.bodyAt = max(d.bodyAt, b.end(part)) // a comment may follow the colon
		}
	}
	if doc := pythonDocstring(b, b.child(n, "body")); doc >= 0 {
		d.docStart, d.docEnd = b.start(doc), b.end(doc)
	}
	b.declare(n, d)
	for parameter := range b.children(b.child(n, "type_parameters")) {
		b.bind(b.firstLeaf(parameter))
	}
}

// pythonKind returns the kind of what a class or function definition declares.
func pythonKind(b *builder, n int) Kind {
	switch {
	case b.kind(n) == "class_definition":
		return KindClass
	case b.enclosing() != KindClass:
		return KindFunction
	case string(b.bytes(b.child(n, "name"))) == "__init__":
		return KindConstructor
	}
	return KindMethod
}

// pythonAlias declares a type alias.
func pythonAlias(b *builder, n int) {
	b.declare(n, declaration{kind: KindType, name: b.firstLeaf(n), body: -1})
}

// pythonDocstring returns the string at the beginning of a body, or -1.
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
		b.referBase(n, base)
	}
}

// pythonAssignment declares the variables of a module or a class, and binds those of a
// function.
func pythonAssignment(b *builder, n int) {
	left := b.child(n, "left")
	scope := b.enclosing()
	if b.localsEnd > n {
		if b.kind(left) != "attribute" && b.kind(left) != "subscript" {
			bindTyped("left")(b, n)
		}
		return
	}
	if b.kind(b.parent(n)) != "expression_statement" {
		return
	}
	value := b.multilineValue(b.child(n, "right"))
	names := b.children(left)
	if b.leaf(left) {
		names = slices.Values([]int{left})
	}
	b.declareEach(n, names, func(c int) declaration {
		if b.kind(c) != "identifier" || b.kind(left) != "identifier" && b.kind(left) != "pattern_list" {
			return declaration{name: -1}
		}
		name := string(b.bytes(c))
		d := declaration{kind: KindVariable, name: c, body: value}
		switch {
		case scope == KindClass:
			d.kind = KindField
		case name == strings.ToUpper(name) && name != strings.ToLower(name):
			d.kind = KindConstant
		}
		return d
	})
}

// pythonCase binds the names that a pattern captures.
func pythonCase(b *builder, n int) {
	if b.kind(n) == "keyword_pattern" {
		b.consume(n + 1)
	}
	for c := range b.children(n) {
		switch {
		case b.kind(c) == "dotted_name" && b.siblings(c+1) == 1:
			b.bind(c)
		case b.kind(c) == "as_pattern":
			b.bind(b.first(c, "identifier"))
		}
	}
}

// pythonComprehension binds the variables of a comprehension, which uses them before it binds
// them.
func pythonComprehension(b *builder, n int) {
	for c := range b.children(n) {
		if b.kind(c) == "for_in_clause" {
			bind("left")(b, c)
		}
	}
}

// pythonParameters binds the names of parameters. Annotations and defaults are uses.
func pythonParameters(b *builder, n int) {
	for p := range b.children(n) {
		switch b.kind(p) {
		case "identifier":
			b.bind(p)
		case "default_parameter", "typed_default_parameter":
			bindTyped("name")(b, p)
		case "typed_parameter":
			b.bindAs(p+1, b.typeName(b.bytes(b.child(p, "type"))))
		}
	}
}

// pythonTarget binds the name after as: to the type of an exception, or to the type of the
// entered value, since entering most often returns the value itself.
func pythonTarget(b *builder, n int) {
	source := b.parent(n) + 1
	if b.kind(b.parent(b.parent(n))) == "except_clause" {
		b.bindAs(n, b.typeName(b.bytes(source)))
		return
	}
	b.bindAs(n, b.valueType(source))
}

// pythonType records the names in an annotation as types.
func pythonType(b *builder, n int) {
	for i := n; i < int(b.nodes[n].next); i++ {
		if b.leaf(i) && b.kind(i) == "identifier" && b.kind(b.parent(i)) != "attribute" && !b.local(i) {
			b.refer(i, RefType)
		}
	}
}

// pythonImport records the imported modules and names.
func pythonImport(b *builder, n int) {
	from := b.child(n, "module_name")
	for c := range b.children(n) {
		name, alias := c, ""
		if b.kind(c) == "aliased_import" {
			name, alias = b.child(c, "name"), b.name(b.child(c, "alias"))
		}
		member := b.name(name)
		switch {
		case c == from:
		case from >= 0 && b.kind(c) == "wildcard_import":
			b.imports(from, "", b.name(from), "*")
		case from >= 0:
			b.imports(name, cmp.Or(alias, member), b.name(from), member)
		default:
			b.imports(name, cmp.Or(alias, member[strings.LastIndex(member, ".")+1:]), member, "")
		}
		if path := bytes.TrimLeft(b.bytes(name), "."); len(path) > 0 && b.kind(name) != "wildcard_import" {
			b.referTo(b.intern(path), name, RefImport)
		}
	}
	b.consumeAll(n)
}
