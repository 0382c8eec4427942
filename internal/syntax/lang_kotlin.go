package syntax

import "bytes"

var kotlinRules = rules{
	on: map[string]rule{
		"class_declaration":     kotlinClass,
		"object_declaration":    kotlinClass,
		"companion_object":      kotlinClass,
		"enum_entry":            kotlinNamed(KindConstant, "simple_identifier", "class_body"),
		"type_alias":            kotlinNamed(KindType, "type_identifier", ""),
		"function_declaration":  kotlinFunction,
		"secondary_constructor": kotlinConstructor,
		"property_declaration":  kotlinProperty,
		"class_parameter":       kotlinComponent,

		"call_expression":         kotlinCall,
		"infix_expression":        kotlinInfix,
		"navigation_suffix":       func(b *builder, n int) { b.refer(b.first(n, "simple_identifier"), RefUse) },
		"import_header":           kotlinImport,
		"delegation_specifier":    kotlinBase,
		"package_header":          ownPackage("identifier"),
		"value_argument":          kotlinArgument,
		"type_identifier":         leaf(RefType),
		"simple_identifier":       leaf(RefUse),
		"interpolated_identifier": leaf(RefUse),

		"anonymous_initializer":        bindingScope,
		"getter":                       kotlinAccessor,
		"setter":                       kotlinAccessor,
		"lambda_literal":               bindingScope,
		"parameter":                    kotlinBind,
		"parameter_with_optional_type": kotlinBind,
		"variable_declaration":         behind(kotlinValue, kotlinBind),
		"catch_block":                  kotlinBind,
		"type_parameter":               func(b *builder, n int) { b.bind(b.first(n, "type_identifier")) },
	},
	valueTypes: map[string]valueTypeRule{
		"simple_identifier": variable,
		"call_expression":   constructor(""), "parenthesized_expression": sameTypeAs(""),
		"postfix_expression": sameTypeAs(""),
		"as_expression":      func(b *builder, n int) string { return b.typeName(b.bytes(kotlinType(b, n))) },
	},
	naming: naming{
		separators: ". ::",
		selfNames:  "this",
		predeclared: `Any Unit Nothing Boolean Byte Short Int Long Float Double Char String Array List Map Set it field
			to println listOf mapOf setOf mutableListOf mutableMapOf arrayOf`,
		predeclaredUnqualified: true,
	},
	reading:   reading{rewrite: kotlinRewrite},
	placement: placement{comments: "line_comment multiline_comment"},
}

// kotlinBind binds a name to the type after it, or to the type of its value.
func kotlinBind(b *builder, n int) {
	name, value := b.first(n, "simple_identifier"), -1
	if p := b.parent(n); b.kind(p) == "property_declaration" {
		if next := int(b.nodes[n].next); next < int(b.nodes[p].next) {
			value = next
		}
	}
	written := kotlinType(b, n)
	if bytes.HasSuffix(bytes.TrimSpace(b.text[:b.start(n)]), []byte("vararg")) {
		written = -1
	}
	b.bindVariable(name, written, value)
}

// kotlinValue returns the value of the variable n, which is behind it, or n.
func kotlinValue(b *builder, n int) int {
	if p := b.parent(n); b.kind(p) == "multi_variable_declaration" {
		n = p
	}
	switch p := b.parent(n); b.kind(p) {
	case "property_declaration", "for_statement", "when_subject":
		if value := int(b.nodes[n].next); value < int(b.nodes[p].next) {
			return value
		}
	}
	return n
}

// kotlinType returns the type that n writes, or -1.
func kotlinType(b *builder, n int) int {
	return max(b.first(n, "user_type"), b.first(n, "nullable_type"))
}

// kotlinBase records the class or interface that a type extends, by the last name of its path.
func kotlinBase(b *builder, n int) {
	base := n + 1
	if b.kind(base) != "user_type" {
		base = b.first(base, "user_type")
	}
	last := -1
	for c := range b.children(base) {
		if b.kind(c) == "type_identifier" {
			last = c
		}
	}
	b.referBase(b.parent(n), last)
}

func kotlinCall(b *builder, n int) {
	called := n + 1
	if b.kind(called) == "navigation_expression" {
		for c := range b.children(called) {
			if b.kind(c) == "navigation_suffix" {
				called = c
			}
		}
		b.refer(b.first(called, "simple_identifier"), RefCall)
		return
	}
	if b.kind(called) != "simple_identifier" {
		return
	}
	if b.local(called) && b.predeclared[b.variableType(b.word(b.bytes(called)))] { // the variable cannot be called
		b.refer(called, RefCall)
		return
	}
	leaf(RefCall)(b, called)
}

// kotlinInfix records a call of the name between two operands.
func kotlinInfix(b *builder, n int) {
	if middle := int(b.nodes[n+1].next); middle < int(b.nodes[n].next) && b.kind(middle) == "simple_identifier" {
		b.refer(middle, RefCall)
	}
}

// kotlinImport records the last name of an import.
func kotlinImport(b *builder, n int) {
	path, last := b.first(n, "identifier"), -1
	for c := range b.children(path) {
		last = c
	}
	b.refer(last, RefImport)
	b.consumeAll(n)
	if b.first(n, "wildcard_import") >= 0 {
		b.imports(path, "", b.name(path), "*")
		return
	}
	alias := b.first(b.first(n, "import_alias"), "type_identifier")
	b.importMember(path, b.name(path), ".", b.name(alias))
}

// kotlinArgument skips the name of an argument.
func kotlinArgument(b *builder, n int) {
	if name := b.first(n, "simple_identifier"); name == n+1 && b.nodes[name].next < b.nodes[n].next {
		b.consume(name)
	}
}
