package syntax

import "bytes"

var swiftRules = rules{
	on: map[string]rule{
		"protocol_declaration":          define(KindInterface),
		"class_declaration":             swiftType,
		"function_declaration":          swiftFunction,
		"protocol_function_declaration": swiftFunction,
		"init_declaration":              swiftUnnamed(KindConstructor, "init"),
		"deinit_declaration":            swiftUnnamed(KindMethod, "deinit"),
		"subscript_declaration":         swiftUnnamed(KindMethod, "subscript"),
		"property_declaration":          swiftProperty,
		"protocol_property_declaration": swiftProperty,
		"enum_entry":                    swiftCases,
		"typealias_declaration":         swiftAlias,
		"associatedtype_declaration":    swiftAlias,

		"call_expression":              swiftCall,
		"import_declaration":           swiftImport,
		"inheritance_specifier":        swiftBase,
		"type_identifier":              leaf(RefType),
		"simple_identifier":            leaf(RefUse),
		"navigation_suffix":            swiftSuffix,
		"value_argument_label":         func(b *builder, n int) { b.consumeAll(n) },
		"enum_type_parameters":         swiftLabels,
		"precedence_group_declaration": func(b *builder, n int) { b.consumeAll(n) },
		"operator_declaration":         func(b *builder, n int) { b.consumeAll(n) },

		"parameter":         swiftParameter,
		"lambda_parameter":  swiftParameter,
		"capture_list_item": bind("name"),
		"type_parameter":    func(b *builder, n int) { b.bind(b.first(n, "type_identifier")) },
		"pattern":           swiftPattern,
		"guard_statement":   swiftConditions,
		"if_statement":      swiftConditions,
		"while_statement":   swiftConditions,
	},
	callee: map[string]string{
		"navigation_expression": "suffix", "navigation_suffix": "suffix", "user_type": "",
		"postfix_expression": "target", "prefix_expression": "target",
	},
	valueTypes: map[string]valueTypeRule{
		"call_expression": constructor(""), "as_expression": fieldType("name"), "tuple_expression": sameTypeAs("value"),
		"try_expression": sameTypeAs("expr"), "await_expression": sameTypeAs("expr"),
		"postfix_expression": sameTypeAs("target"),
		"simple_identifier":  variable,
	},
	naming: naming{
		selfNames: "self Self",
		predeclared: `self Self super init String Int Double Bool Float Void Any AnyObject Optional Array Dictionary Set
			Character UInt true false nil print _ $0 $1 $2 newValue oldValue error available discardableResult MainActor`,
		predeclaredUnqualified: true,
	},
	placement: placement{comments: "comment multiline_comment"},
}

// swiftType declares what the grammar calls a class: a class, a struct, an enum, an actor, or
// an extension, which is addressed by the type that it extends.
func swiftType(b *builder, n int) {
	name := b.child(n, "name")
	d := declaration{kind: KindClass, name: name, body: b.child(n, "body")}
	from := b.start(n)
	if modifiers := b.first(n, "modifiers"); modifiers >= 0 {
		from = b.end(modifiers)
	}
	keyword, _, _ := bytes.Cut(bytes.TrimSpace(b.text[from:b.start(name)]), []byte{' '})
	switch string(keyword) {
	case "struct":
		d.kind = KindStruct
	case "enum", "indirect":
		d.kind = KindEnum
	case "extension":
		d.kind = KindImpl
		if extended := b.callee(name); extended >= 0 {
			d.symbolName = b.intern(b.bytes(extended))
			b.refer(extended, RefType)
		}
		if protocol := swiftNamed(b, b.first(n, "inheritance_specifier")+1); protocol >= 0 {
			d.detail = b.intern(b.bytes(protocol))
		}
	}
	b.declare(n, d)
}

// swiftMember reports whether the declaration is a member of a type.
func swiftMember(b *builder) bool {
	switch b.enclosing() {
	case KindClass, KindStruct, KindEnum, KindImpl, KindInterface:
		return true
	}
	return false
}

// swiftFunction declares a function or method. An operator has no node for its name.
func swiftFunction(b *builder, n int) {
	d := declaration{kind: KindFunction, name: b.child(n, "name"), body: b.child(n, "body")}
	if swiftMember(b) {
		d.kind = KindMethod
	}
	if b.kind(d.name) != "simple_identifier" {
		d.name = -1
		if _, after, ok := bytes.Cut(b.bytes(n), []byte("func ")); ok {
			name, _, _ := bytes.Cut(after, []byte{'('})
			d.symbolName = b.intern(bytes.TrimSpace(name))
		}
	}
	b.declare(n, d)
}

// swiftUnnamed declares a member whose name is its keyword.
func swiftUnnamed(kind Kind, keyword string) rule {
	return func(b *builder, n int) {
		body := b.child(n, "body")
		if body < 0 {
			body = b.first(n, "computed_property")
		}
		b.declare(n, declaration{kind: kind, name: -1, symbolName: keyword, body: body})
	}
}

// swiftProperty declares the properties of types and the variables of a file.
func swiftProperty(b *builder, n int) {
	if !swiftMember(b) && n < b.localsEnd {
		return // its pattern binds it
	}
	d := declaration{kind: KindProperty, body: b.child(n, "computed_value")}
	if d.body < 0 {
		d.body = b.multilineValue(b.child(n, "value"))
	}
	if !swiftMember(b) {
		d.kind = KindVariable
		if string(b.bytes(b.first(n, "value_binding_pattern"))) == "let" {
			d.kind = KindConstant
		}
	}
	b.declareEach(n, b.fields(n, "name"), func(pattern int) declaration {
		d.name = b.child(pattern, "bound_identifier")
		return d
	})
}

func swiftCases(b *builder, n int) {
	b.declareEach(n, b.fields(n, "name"), func(name int) declaration {
		return declaration{kind: KindConstant, name: name, body: -1}
	})
}

// swiftAlias declares a type alias.
func swiftAlias(b *builder, n int) {
	b.declare(n, declaration{kind: KindType, name: b.child(n, "name"), body: -1})
}

func swiftCall(b *builder, n int) {
	called := n + 1
	if name := b.callee(called); name >= 0 && b.isIdentifier(name) && (name != called || !b.local(name)) {
		b.refer(name, RefCall)
	}
}

// swiftSuffix records a member. The self of T.self is a keyword.
func swiftSuffix(b *builder, n int) {
	suffix := b.child(n, "suffix")
	if string(b.bytes(suffix)) == "self" {
		b.consume(suffix)
	}
	b.refer(suffix, RefUse)
}

// swiftNamed returns the last name of a type, without type arguments, or -1.
func swiftNamed(b *builder, n int) int {
	last := -1
	if b.kind(n) == "user_type" {
		for c := range b.children(n) {
			if b.kind(c) == "type_identifier" {
				last = c
			}
		}
	}
	return last
}

// swiftBase records the type that a type inherits from or conforms to.
func swiftBase(b *builder, n int) { b.referBase(b.parent(n), swiftNamed(b, n+1)) }

// swiftImport records the last name of the imported module or declaration. All names of a
// module become visible; import struct M.T imports one declaration.
func swiftImport(b *builder, n int) {
	path, last := b.first(n, "identifier"), -1
	if path < 0 {
		return
	}
	for c := range b.children(path) {
		last = c
	}
	b.refer(last, RefImport)
	b.consumeAll(n)
	if bytes.HasSuffix(bytes.TrimSpace(b.text[b.start(n):b.start(path)]), []byte("import")) {
		b.imports(path, "", b.name(path), "*")
		return
	}
	b.importMember(path, b.name(path), ".", "")
}

// swiftLabels skips the labels of an enum case's values.
func swiftLabels(b *builder, n int) {
	for c := range b.children(n) {
		if b.kind(c) == "simple_identifier" {
			b.consume(c)
		}
	}
}

// swiftParameter binds a parameter's name to its type, which the grammar has as a second name.
// The label is not bound.
func swiftParameter(b *builder, n int) {
	b.consume(b.child(n, "external_name"))
	name, written := -1, -1
	for c := range b.fields(n, "name") {
		if name < 0 {
			name = c
		} else {
			written = c
		}
	}
	if written >= 0 && bytes.HasPrefix(b.text[b.end(written):], []byte("...")) {
		written = -1
	}
	b.bindVariable(name, written, -1)
}

// swiftPattern binds the name in a pattern to the type of a cast, or to the type or value after
// it in a declaration.
func swiftPattern(b *builder, n int) {
	name, p := b.child(n, "bound_identifier"), b.parent(n)
	switch {
	case name < 0:
	case b.kind(p) == "property_declaration":
		swiftBind(b, name, n)
	case b.kind(p) == "pattern":
		b.bindVariable(name, b.child(p, "name"), -1)
	default:
		b.bind(name)
	}
}

// swiftConditions binds the names that conditions unwrap.
func swiftConditions(b *builder, n int) {
	for c := range b.fields(n, "bound_identifier") {
		swiftBind(b, c, c)
	}
}

// swiftBind binds a name to the type or value behind the node after. Without one (if let x) the
// name keeps its type.
func swiftBind(b *builder, name, after int) {
	end, written := int(b.nodes[b.parent(after)].next), -1
	value := int(b.nodes[after].next)
	if value < end && b.kind(value) == "type_annotation" {
		written, value = b.child(value, "name"), int(b.nodes[value].next)
	}
	if value >= end || b.kind(value) == "statements" || b.kind(value) == "else" {
		value = -1
		if b.kind(b.parent(after)) != "property_declaration" {
			value = name
		}
	}
	behind(func(*builder, int) int { return max(value, after) }, func(b *builder, _ int) {
		b.bindVariable(name, written, value)
	})(b, after)
}
