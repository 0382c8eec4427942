package syntax

import (
	"bytes"
	"maps"
	"strings"
	"unicode"
)

var cppRules = rules{
	on: extendC(map[string]rule{
		"namespace_definition":       cppNamespace,
		"namespace_alias_definition": cppAlias,
		"class_specifier":            cppTag(KindClass),
		"struct_specifier":           cppTag(KindStruct),
		"union_specifier":            cppTag(KindStruct),
		"concept_definition":         define(KindType),
		"alias_declaration":          define(KindType),
		"function_definition":        cppFunction,
		"declaration":                cppDeclaration,
		"field_declaration":          cppDeclaration,

		"new_expression":       call("type"),
		"using_declaration":    cppUsing,
		"base_class_clause":    inherits,
		"namespace_identifier": leaf(RefUse),
		"attribute":            func(b *builder, n int) { b.consume(b.child(n, "name")) },

		"optional_parameter_declaration":      cParameter,
		"variadic_parameter_declaration":      cParameter,
		"for_range_loop":                      cParameter,
		"structured_binding_declarator":       bindAll,
		"lambda_expression":                   bindingScope,
		"lambda_capture_specifier":            cppCapture,
		"type_parameter_declaration":          bindAll,
		"variadic_type_parameter_declaration": bindAll,
		"optional_type_parameter_declaration": bind("name"),
	}),
	callee: map[string]string{
		"field_expression": "field", "parenthesized_expression": "", "pointer_expression": "argument",
		"qualified_identifier": "name", "template_function": "name", "template_method": "name",
		"template_type": "name", "dependent_name": "",
	},
	valueTypes: map[string]valueTypeRule{
		"identifier":     variable,
		"new_expression": fieldType("type"), "call_expression": cppValueType,
		"cast_expression": fieldType("type"), "compound_literal_expression": fieldType("type"),
		"parenthesized_expression": sameTypeAs(""),
		"pointer_expression":       sameTypeAs("argument"), "co_await_expression": sameTypeAs("argument"),
	},
	naming: naming{
		separators:  ". -> ::",
		selfNames:   "this",
		transparent: "unique_ptr shared_ptr weak_ptr optional reference_wrapper",
		predeclared: cRules.predeclared + ` std string string_view vector unique_ptr shared_ptr make_unique make_shared
			static_cast dynamic_cast const_cast reinterpret_cast void char short int long float double unsigned signed
			nullptr_t ptrdiff_t intptr_t uintptr_t wchar_t char8_t char16_t char32_t`,
	},
	reading: reading{rewrite: cppRewrite},
	placement: placement{
		comments: "comment",
		wrappers: "type_definition template_declaration linkage_specification friend_declaration",
	},
}

func extendC(more map[string]rule) map[string]rule {
	on := maps.Clone(cRules.on)
	maps.Copy(on, more)
	return on
}

// cppNamespace declares a namespace by its parts, inline ones included.
func cppNamespace(b *builder, n int) {
	name := b.child(n, "name")
	called := strings.ReplaceAll(b.name(name), "inline ", "")
	b.declare(n, declaration{kind: KindNamespace, name: name, symbolName: called, body: b.child(n, "body")})
}

// cppTag declares a class, struct or union with a body. A specialization has the name of its
// template.
func cppTag(kind Kind) rule {
	return func(b *builder, n int) {
		if body := b.child(n, "body"); body >= 0 {
			d := cppNamed(b, b.child(n, "name"))
			d.kind, d.body = kind, body
			b.declare(n, d)
		}
	}
}

// cppNamed splits a qualified name: Server<T>::run is run, qualified by Server.
func cppNamed(b *builder, n int) declaration {
	var scopes []string
	for b.kind(n) == "qualified_identifier" {
		if scope := b.callee(b.child(n, "scope")); scope >= 0 {
			scopes = append(scopes, b.intern(b.bytes(scope)))
			b.refer(scope, RefType)
		}
		n = b.child(n, "name")
	}
	d := declaration{name: n, qualifier: strings.Join(scopes, "::")}
	switch b.kind(n) {
	case "template_function", "template_type":
		d.name = b.callee(n)
	case "operator_cast":
		d.name = b.child(n, "type")
		d.symbolName = "operator " + b.intern(b.bytes(d.name))
	case "operator_name":
		d.symbolName = cppOperator(b.bytes(n))
	case "destructor_name":
	default:
		if n >= 0 && !b.leaf(n) {
			d.name = -1 // an unknown macro stands before the name
		}
	}
	return d
}

// cppOperator returns the name of an operator without a space in it.
func cppOperator(name []byte) string {
	symbol := bytes.TrimSpace(bytes.TrimPrefix(name, []byte("operator")))
	if len(symbol) > 0 && unicode.IsLetter(rune(symbol[0])) {
		return "operator " + strings.ToValidUTF8(string(symbol), "")
	}
	return "operator" + strings.ToValidUTF8(string(symbol), "")
}

// cppDescribe describes a declarator: a member by its class or by its qualifier.
func cppDescribe(b *builder, n, declarator int) declaration {
	name, function := cName(b, declarator)
	d := cppNamed(b, name)
	d.body = -1
	class := d.qualifier[strings.LastIndex(d.qualifier, ":")+1:]
	if class == "" && cppInClass(b) && b.kind(b.parent(n)) != "friend_declaration" {
		class = b.file.Symbols[b.from()].Name
	}
	function = function || strings.HasPrefix(d.symbolName, "operator ")
	switch {
	case function && class == "":
		d.kind = KindFunction
	case function && class == string(b.bytes(d.name)):
		d.kind = KindConstructor
	case function:
		d.kind = KindMethod
	case class == "" && b.enclosing() != KindField:
		d.kind = KindVariable
	default:
		d.kind = KindField
	}
	if cppInvoked(b, n, d) {
		d.name = -1
	}
	return d
}

func cppInClass(b *builder) bool {
	kind := b.enclosing()
	return kind == KindClass || kind == KindStruct
}

// cppFunction declares a function with a body, or a test. A body without parameters or a type
// belongs to something else behind a macro. The grammar also has a member that is set to 0 as a
// function with a body.
func cppFunction(b *builder, n int) {
	if test, ok := cppTest(b, n); ok {
		b.declare(n, test)
		return
	}
	d := cppDescribe(b, n, b.child(n, "declarator"))
	d.body = b.first(n, "field_initializer_list")
	if d.body < 0 {
		d.body = b.child(n, "body")
	}
	if d.body >= 0 && (d.kind == KindVariable || d.kind == KindField) {
		d.name, d.symbolName = -1, ""
	}
	if b.declare(n, d); d.name < 0 {
		b.enterFunction(n)
	}
}

// cppInvoked reports whether a macro is called where the grammar has a declaration: a function
// without a type that is not a constructor, or a variable in parentheses.
func cppInvoked(b *builder, n int, d declaration) bool {
	switch b.kind(d.name) {
	case "identifier", "field_identifier":
		function := d.kind == KindFunction || d.kind == KindMethod
		return function && b.child(n, "type") < 0 || b.kind(b.parent(d.name)) == "parenthesized_declarator"
	}
	return false
}

// cppDeclaration declares prototypes, members and variables, and binds the variables of a
// function.
func cppDeclaration(b *builder, n int) {
	if cppLocal(b, n) {
		for declarator := range b.fields(n, "declarator") {
			cBind(b, n, declarator)
		}
		return
	}
	tag := b.child(n, "type")
	tagged := b.child(tag, "body") >= 0 && b.child(tag, "name") >= 0
	value := b.multilineValue(b.child(n, "default_value"))
	b.declareEach(n, b.fields(n, "declarator"), func(declarator int) declaration {
		d := cppDescribe(b, n, declarator)
		d.noChildren = tagged
		switch d.kind {
		case KindVariable, KindField:
			d.body = max(value, b.multilineValue(b.child(declarator, "value")))
		default:
			d.detail = "declaration"
		}
		return d
	})
}

// cppLocal reports whether a declaration is in a function, or in the block after a macro that
// makes one.
func cppLocal(b *builder, n int) bool {
	switch b.kind(b.parent(n)) {
	case "compound_statement", "for_statement", "init_statement", "condition_clause", "case_statement":
		return true
	}
	return b.localsEnd > n && !cppInClass(b)
}

// cppValueType returns the type of a cast, or of what a standard function allocates. A call of
// T may be a call of a function, so it has no type.
func cppValueType(b *builder, n int) string {
	called := b.child(n, "function")
	for b.kind(called) == "qualified_identifier" {
		called = b.child(called, "name")
	}
	switch string(b.bytes(b.child(called, "name"))) {
	case "make_unique", "make_shared", "static_cast", "dynamic_cast", "const_cast", "reinterpret_cast":
		return b.typeName(b.bytes(b.child(called, "arguments") + 1))
	}
	return ""
}

// cppUsing records the name that is brought into scope, or the namespace whose names all are.
func cppUsing(b *builder, n int) {
	whole := bytes.HasPrefix(bytes.TrimSpace(bytes.TrimPrefix(b.bytes(n), []byte("using"))), []byte("namespace"))
	for c := range b.children(n) {
		b.refer(b.callee(c), RefImport)
		if whole {
			b.imports(c, "", b.name(c), "*")
		} else {
			b.importMember(c, b.name(c), "::", "")
		}
	}
}

// cppAlias declares another name for a namespace.
func cppAlias(b *builder, n int) {
	define(KindNamespace)(b, n)
	for of := range b.children(n) {
		if of != b.child(n, "name") {
			b.imports(of, b.name(b.child(n, "name")), b.name(of), "")
		}
	}
}

// cppCapture binds the names that a lambda's capture introduces.
func cppCapture(b *builder, n int) {
	for c := range b.children(n) {
		b.bind(b.child(c, "left"))
	}
}
