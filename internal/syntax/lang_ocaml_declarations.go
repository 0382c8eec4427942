package syntax

import (
	"bytes"
	"iter"
)

// ocamlModule declares a module, a functor, or a module type. In a function it binds the name
// instead.
func ocamlModule(kind Kind) rule {
	return func(b *builder, n int) {
		name, body := b.child(n, "name"), b.child(n, "body")
		if signature := b.first(n, "signature"); signature >= 0 {
			body = signature
		}
		switch b.kind(body) {
		case "structure", "signature":
		case "module_path":
			b.imports(body, b.name(name), b.name(body), "")
			fallthrough
		default:
			body = b.multilineValue(body)
		}
		if n < b.localsEnd {
			b.bind(name)
			return
		}
		b.declare(n, declaration{kind: kind, name: name, body: body})
	}
}

// ocamlClass declares a class or its type, whose body may follow an arrow or a "let".
func ocamlClass(kind Kind) rule {
	return func(b *builder, n int) {
		d := declaration{kind: kind, name: b.child(n, "name"), body: b.child(n, "body")}
		for i := n; d.body < 0 && i < int(b.nodes[n].next); i++ {
			if b.kind(i) == "class_body_type" {
				d.body = i
			}
		}
		b.declare(n, d)
	}
}

// ocamlType declares a type. An extension of an open type refers to it instead.
func ocamlType(b *builder, n int) {
	d := declaration{kind: KindType, name: b.child(n, "name"), body: b.child(n, "body")}
	switch b.kind(d.body) {
	case "record_declaration":
		d.kind = KindStruct
	case "variant_declaration":
		d.kind = KindEnum
	}
	if b.kind(d.name) == "type_constructor" {
		b.declare(n, d)
	}
}

// ocamlMember declares the name in a child of a type.
func ocamlMember(kind Kind, name string) rule {
	return func(b *builder, n int) {
		b.declare(n, declaration{kind: kind, name: b.first(n, name), body: -1})
	}
}

// ocamlConstructor declares a type's constructor. A single constructor that extends an open
// type covers the whole extension.
func ocamlConstructor(b *builder, n int) {
	whole := n
	binding := b.parent(b.parent(n))
	if b.kind(binding) == "type_binding" && b.kind(b.child(binding, "name")) != "type_constructor" &&
		b.siblings(n) == 1 && b.siblings(binding) == 1 {
		whole = b.parent(binding)
	}
	b.declare(whole, declaration{kind: KindConstant, name: b.first(n, "constructor_name"), body: -1})
}

// ocamlSpecification declares the value of a signature.
func ocamlSpecification(b *builder, n int) {
	d := declaration{kind: KindConstant, body: -1, detail: "declaration"}
	if b.first(n, "function_type") >= 0 {
		d.kind = KindFunction
	}
	d.name = ocamlOperator(b, n+1)
	b.declare(n, d)
}

// ocamlOperator returns the operator inside of parentheses, or n itself.
func ocamlOperator(b *builder, n int) int {
	if b.kind(n) == "parenthesized_operator" && !b.leaf(n) {
		return n + 1
	}
	return n
}

// ocamlLet declares a function, a module's values, or a test. It binds other definitions in a
// function.
func ocamlLet(b *builder, n int) {
	pattern := ocamlOperator(b, b.child(n, "pattern"))
	d := ocamlValue(b, n, pattern)
	switch {
	case b.kind(pattern) == "string":
		ocamlTest(b, n, pattern)
	case n < b.localsEnd && d.kind != KindFunction:
		recursive := b.parent(n) >= 0 && bytes.HasPrefix(b.text[b.start(b.parent(n)):], []byte("let rec"))
		if recursive {
			ocamlBindNames(b, pattern)
		} else {
			behind(itself, func(b *builder, _ int) { ocamlBindNames(b, pattern) })(b, n)
		}
	case b.leaf(pattern) && b.kind(pattern) != "unit":
		b.declare(n, d)
	default:
		b.declareEach(n, ocamlNames(b, pattern), func(name int) declaration {
			return declaration{kind: KindConstant, name: name, body: d.body}
		})
	}
	b.enterFunction(n)
}

// ocamlValue describes a value: a function has parameters, or is a function expression.
func ocamlValue(b *builder, n, pattern int) declaration {
	body := b.child(n, "body")
	d := declaration{kind: KindConstant, name: pattern, body: b.multilineValue(body)}
	switch {
	case b.first(n, "parameter") >= 0 || b.kind(body) == "function_expression":
		d.kind, d.body = KindFunction, body
	case b.kind(body) == "fun_expression":
		d.kind, d.body = KindFunction, -1
		for c := range b.children(body) {
			if b.kind(c) == "parameter" {
				d.bodyAt = b.end(c)
			}
		}
	}
	return d
}

// ocamlTest declares a test of let%test and the like by its string.
func ocamlTest(b *builder, n, name int) {
	if b.kind(b.first(b.parent(n), "attribute_id")) != "" {
		b.declare(n, declaration{kind: KindTest, name: b.first(name, "string_content"), body: b.child(n, "body")})
	}
}

// ocamlNames returns the names in a pattern that destructures a value.
func ocamlNames(b *builder, pattern int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := pattern; pattern >= 0 && i < int(b.nodes[pattern].next); i++ {
			k := b.kind(i)
			if (k == "value_name" || k == "value_pattern") && !yield(i) {
				return
			}
		}
	}
}

func ocamlBindNames(b *builder, pattern int) {
	for name := range ocamlNames(b, pattern) {
		b.bind(name)
	}
}
