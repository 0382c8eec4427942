package syntax

import "strings"

var typescriptRules = rules{
	on: extendJavascript(map[string]rule{
		"abstract_class_declaration": define(KindClass),
		"interface_declaration":      define(KindInterface),
		"enum_declaration":           define(KindEnum),
		"type_alias_declaration":     typescriptAlias,
		"internal_module":            typescriptModule(KindNamespace),
		"module":                     typescriptModule(KindModule),
		"function_signature":         define(KindFunction),
		"method_signature":           define(KindMethod),
		"abstract_method_signature":  define(KindMethod),
		"property_signature":         typescriptProperty,
		"public_field_definition":    javascriptMember("name"),
		"enum_body":                  typescriptEnum,
		"enum_assignment":            define(KindConstant),
		"type_identifier":            leaf(RefType),
		"extends_clause":             javascriptHeritage,
		"implements_clause":          javascriptHeritage,
		"extends_type_clause":        javascriptHeritage,
		"type_parameter":             bind("name"),
		"index_signature":            bind("name"),
	}),
	callee:     typescriptCallee,
	valueTypes: typescriptValues,
	naming: naming{
		selfNames:   "this",
		modules:     javascriptModule,
		transparent: "Readonly Required Partial NonNullable",
		predeclared: javascriptPredeclared,
	},
	placement: placement{
		comments:   "comment",
		attributes: "decorator",
		wrappers:   "export_statement ambient_declaration",
		groups:     "lexical_declaration variable_declaration expression_statement",
	},
}

var typescriptCallee = map[string]string{
	"member_expression": "property", "parenthesized_expression": "", "non_null_expression": "",
	"await_expression": "", "instantiation_expression": "", "generic_type": "name", "nested_type_identifier": "name",
}

var typescriptValues = map[string]valueTypeRule{
	"identifier":     variable,
	"new_expression": fieldType("constructor"), "parenthesized_expression": sameTypeAs(""),
	"await_expression":    sameTypeAs(""),
	"non_null_expression": sameTypeAs(""), "satisfies_expression": sameTypeAs(""),
	"as_expression": func(b *builder, n int) string {
		return b.typeName(b.text[b.end(n+1)+len(" as") : b.end(n)])
	},
}

// typescriptModule declares `namespace A.B` by its parts, and `module "m"` with the name m.
func typescriptModule(kind Kind) rule {
	return func(b *builder, n int) {
		full := b.child(n, "name")
		d := declaration{kind: kind, name: full, body: b.child(n, "body")}
		switch b.kind(full) {
		case "string":
			d.symbolName = b.unquoted(full)
		case "nested_identifier":
			outer, name := cutMember(b.name(full), ".")
			d.symbolName, d.qualifier = name, strings.ReplaceAll(outer, ".", "::")
		}
		b.declare(n, d)
	}
}

func typescriptAlias(b *builder, n int) {
	d := declaration{kind: KindType, name: b.child(n, "name"), body: -1}
	if value := b.child(n, "value"); b.kind(value) == "object_type" {
		d.body = value
	}
	b.declare(n, d)
}

// typescriptProperty declares the properties of interfaces and of named types.
func typescriptProperty(b *builder, n int) {
	switch b.enclosing() {
	case KindInterface, KindType:
		b.declare(n, declaration{kind: KindProperty, name: b.child(n, "name"), body: -1})
	default:
		b.consume(b.child(n, "name"))
	}
}

// typescriptEnum declares the members without a value.
func typescriptEnum(b *builder, n int) {
	depth := len(b.open)
	for name := range b.fields(n, "name") {
		b.declare(name, declaration{kind: KindConstant, name: name, body: -1})
		b.open = b.open[:depth] // the next member is a sibling
	}
}
