package syntax

import (
	"bytes"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

var scalaRules = rules{
	on: map[string]rule{
		"package_clause":       scalaPackage,
		"package_object":       define(KindNamespace),
		"object_definition":    scalaObject,
		"class_definition":     define(KindClass),
		"trait_definition":     define(KindTrait),
		"enum_definition":      define(KindEnum),
		"simple_enum_case":     define(KindConstant),
		"full_enum_case":       define(KindConstant),
		"given_definition":     scalaGiven,
		"type_definition":      define(KindType),
		"function_definition":  scalaFunction,
		"function_declaration": scalaFunction,
		"val_definition":       scalaValue(KindConstant),
		"val_declaration":      scalaValue(KindConstant),
		"var_definition":       scalaValue(KindVariable),
		"var_declaration":      scalaValue(KindVariable),
		"class_parameter":      scalaComponent,

		"call_expression":                call("function"),
		"infix_expression":               scalaInfix,
		"instance_expression":            scalaNew,
		"field_expression":               refer("field", RefUse),
		"extends_clause":                 scalaBases,
		"import_declaration":             scalaImport,
		"export_declaration":             scalaImport,
		"interpolated_string_expression": func(b *builder, n int) { b.consume(b.child(n, "interpolator")) },
		"assignment_expression":          scalaAssignment,
		"type_identifier":                leaf(RefType),
		"identifier":                     leaf(RefUse),

		"extension_definition":         bindingScope,
		"block":                        bindingScope,
		"indented_block":               bindingScope,
		"case_block":                   bindingScope,
		"lambda_expression":            all(bindingScope, scalaLambda),
		"binding":                      scalaParameter,
		"parameter":                    scalaParameter,
		"typed_pattern":                bindTyped("pattern"),
		"type_parameters":              bind("name"),
		"covariant_type_parameter":     bind("name"),
		"contravariant_type_parameter": bind("name"),
		"enumerator":                   scalaEnumerator,
		"case_clause":                  func(b *builder, n int) { scalaPattern(b, b.child(n, "pattern")) },
		"self_type":                    func(b *builder, n int) { b.bind(b.first(n, "identifier")) },
	},
	callee: map[string]string{
		"field_expression": "field", "generic_function": "function", "parenthesized_expression": "", "generic_type": "type",
	},
	valueTypes: map[string]valueTypeRule{
		"identifier":          variable,
		"instance_expression": fieldType(""), "call_expression": constructor("function"),
		"parenthesized_expression": sameTypeAs(""), "generic_function": scalaCast,
	},
	naming: naming{
		selfNames: "this",
		predeclared: `this super classOf Any AnyRef AnyVal Nothing Null Unit Boolean Byte Short Int Long Float Double Char
			String Option Some None Either Left Right List Nil Seq Vector Map Set Array println`,
	},
	reading: reading{rewrite: scalaRewrite},
	placement: placement{
		comments: "comment block_comment",
		groups:   "enum_case_definitions",
	},
}

// scalaBraced matches the head of a package with braces.
var scalaBraced = lazyregexp.New(`package[ \t]+\w+[ \t]*\{`)

// scalaRewrite turns indented packages within another package, which the grammar does not know,
// into objects.
func scalaRewrite(text []byte) []byte {
	rewritten := text
	for _, at := range scalaBraced.FindAllIndex(text, -1) {
		if start := at[0]; start == 0 || text[start-1] != ' ' && text[start-1] != '\t' {
			continue
		}
		if &rewritten[0] == &text[0] {
			rewritten = bytes.Clone(text)
		}
		copy(rewritten[at[0]:], "object ")
	}
	return rewritten
}

// scalaObject declares an object, or a package that scalaRewrite has turned into an object.
func scalaObject(b *builder, n int) {
	if bytes.HasPrefix(b.bytes(n), []byte("package")) {
		define(KindNamespace)(b, n)
		return
	}
	define(KindModule)(b, n)
}

// scalaPackage declares a package with braces. A package for the whole file encloses nothing.
func scalaPackage(b *builder, n int) {
	full := b.child(n, "name")
	b.consumeAll(full)
	body := b.child(n, "body")
	if body < 0 {
		b.imports(full, "", b.name(full), OwnPackage)
	} else {
		outer, name := cutMember(b.name(full), ".")
		if name == "" {
			outer, name = "", outer
		}
		b.declare(n, declaration{
			kind: KindNamespace, name: full, symbolName: name, qualifier: strings.ReplaceAll(outer, ".", "::"), body: body,
		})
	}
}

// scalaGiven declares an instance. Without a name it has the name of its type.
func scalaGiven(b *builder, n int) {
	of := b.callee(b.child(n, "return_type"))
	d := declaration{kind: KindImpl, name: b.child(n, "name"), body: b.child(n, "body")}
	if d.name < 0 {
		d.name = of
	}
	b.refer(of, RefType)
	b.declare(n, d)
}

// scalaFunction declares a method, a secondary constructor (this), or a function. An extension
// is addressed by the type that it extends.
func scalaFunction(b *builder, n int) {
	d := declaration{kind: KindFunction, name: b.child(n, "name"), body: b.child(n, "body")}
	switch b.enclosing() {
	case KindClass, KindTrait, KindModule, KindEnum, KindConstant, KindImpl:
		d.kind = KindMethod
		if string(b.bytes(d.name)) == "this" {
			d.kind, d.symbolName = KindConstructor, b.file.Symbols[b.from()].Name
		}
	}
	if extension := b.parent(n); b.kind(extension) == "extension_definition" {
		parameter := b.first(b.child(extension, "parameters"), "parameter")
		d.qualifier = b.intern(b.bytes(b.callee(b.child(parameter, "type"))))
	}
	b.declare(n, d)
}

// scalaValue declares the values of a file, object or class, and binds those of a function.
func scalaValue(kind Kind) rule {
	return func(b *builder, n int) {
		pattern := b.child(n, "pattern")
		if pattern < 0 {
			pattern = b.child(n, "name")
		}
		switch b.kind(b.parent(n)) {
		case "compilation_unit", "template_body", "with_template_body", "enum_body":
		default:
			scalaPattern(b, pattern)
			b.retype(pattern, b.child(n, "type"), b.child(n, "value"))
			return
		}
		of := kind
		switch b.enclosing() {
		case KindClass, KindTrait, KindEnum, KindImpl, KindMethod:
			of = KindField
		}
		value := b.multilineValue(b.child(n, "value"))
		if b.leaf(pattern) {
			b.declare(n, declaration{kind: of, name: pattern, body: value})
			return
		}
		b.declareEach(n, b.children(pattern), func(c int) declaration {
			if b.kind(c) != "identifier" {
				return declaration{name: -1}
			}
			return declaration{kind: of, name: c, body: value}
		})
	}
}

// scalaComponent declares the fields among a class's parameters: those with val or var, and all
// of a case class.
func scalaComponent(b *builder, n int) {
	name, class := b.child(n, "name"), b.parent(b.parent(n))
	if name < 0 {
		return
	}
	word := bytes.TrimSpace(b.text[b.start(n):b.start(name)])
	if bytes.HasSuffix(word, []byte("val")) || bytes.HasSuffix(word, []byte("var")) || scalaCase(b, class) {
		b.declare(n, declaration{kind: KindField, name: name, body: -1})
		return
	}
	b.bind(name)
}

func scalaCase(b *builder, class int) bool {
	if name := b.child(class, "name"); name >= 0 && b.kind(class) == "class_definition" {
		return bytes.Contains(b.text[b.start(class):b.start(name)], []byte("case class"))
	}
	return b.kind(class) == "full_enum_case"
}

func scalaInfix(b *builder, n int) {
	if operator := b.child(n, "operator"); b.kind(operator) == "identifier" {
		b.refer(operator, RefCall)
	}
}

// scalaNew records a call of the type's last name, without type arguments.
func scalaNew(b *builder, n int) {
	if name := scalaType(b, n+1); name >= 0 {
		b.refer(name, RefCall)
	}
}

// scalaType returns the last name of a type, without type arguments, or -1.
func scalaType(b *builder, n int) int {
	if b.kind(n) == "generic_type" {
		n = b.child(n, "type")
	}
	if b.kind(n) == "stable_type_identifier" {
		n = b.first(n, "type_identifier")
	}
	if b.kind(n) == "type_identifier" {
		return n
	}
	return -1
}

// scalaBases records the types that a type extends.
func scalaBases(b *builder, n int) {
	for base := range b.fields(n, "type") {
		b.referBase(b.parent(n), scalaType(b, base))
	}
}

// scalaCast returns the type of x.asInstanceOf[T].
func scalaCast(b *builder, n int) string {
	if string(b.bytes(b.child(b.child(n, "function"), "field"))) == "asInstanceOf" {
		return b.typeName(b.bytes(b.child(n, "type_arguments") + 1))
	}
	return ""
}

// scalaParameter binds a parameter. A repeated parameter is a list.
func scalaParameter(b *builder, n int) {
	written := b.child(n, "type")
	if b.kind(written) == "repeated_parameter_type" {
		written = -1
	}
	b.bindVariable(b.child(n, "name"), written, -1)
}

// scalaAssignment skips the name of an argument.
func scalaAssignment(b *builder, n int) {
	if b.kind(b.parent(n)) == "arguments" {
		b.consume(b.child(n, "left"))
	}
}

func scalaLambda(b *builder, n int) {
	if p := b.child(n, "parameters"); b.kind(p) == "identifier" {
		b.bind(p)
	}
}

// scalaEnumerator binds the name in a generator or a definition of a for.
func scalaEnumerator(b *builder, n int) {
	if first := n + 1; first < int(b.nodes[n].next) && b.nodes[first].next < b.nodes[n].next {
		scalaPattern(b, first)
	}
}

// scalaPattern binds the names in a pattern. Names with a capital are constants.
func scalaPattern(b *builder, n int) {
	for i := n; n >= 0 && i < int(b.nodes[n].next); i++ {
		if name := b.bytes(i); b.kind(i) == "identifier" && len(name) > 0 && name[0] > 'Z' && name[0] != '`' &&
			b.kind(b.parent(i)) != "stable_identifier" {
			b.bind(i)
		}
	}
}
