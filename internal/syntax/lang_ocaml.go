package syntax

import (
	"bytes"
	"iter"
	"slices"

	"ploke-lsp/internal/lazyregexp"
)

var ocamlRules = rules{
	on: map[string]rule{
		"module_binding":                  ocamlModule(KindModule),
		"module_type_definition":          ocamlModule(KindInterface),
		"type_binding":                    ocamlType,
		"constructor_declaration":         ocamlConstructor,
		"tag_specification":               ocamlMember(KindConstant, "tag"),
		"field_declaration":               ocamlMember(KindField, "field_name"),
		"external":                        ocamlMember(KindFunction, "value_name"),
		"value_specification":             ocamlSpecification,
		"let_binding":                     ocamlLet,
		"class_binding":                   all(ocamlClass(KindClass), bindingScope),
		"class_type_binding":              ocamlClass(KindInterface),
		"method_definition":               define(KindMethod),
		"method_specification":            ocamlMember(KindMethod, "method_name"),
		"instance_variable_definition":    ocamlMember(KindField, "instance_variable_name"),
		"instance_variable_specification": ocamlMember(KindField, "instance_variable_name"),

		"application_expression": ocamlApplication,
		"infix_expression":       ocamlInfix,
		"prefix_expression":      refer("operator", RefCall),
		"let_operator":           leaf(RefCall),
		"let_and_operator":       leaf(RefCall),
		"method_invocation":      func(b *builder, n int) { b.refer(b.first(n, "method_name"), RefCall) },
		"new_expression":         func(b *builder, n int) { ocamlRefer(b, b.first(n, "class_path"), RefCall) },
		"module_application":     func(b *builder, n int) { ocamlRefer(b, b.child(n, "functor"), RefCall) },
		"open_module":            ocamlOpen(RefImport),
		"include_module":         ocamlOpen(RefInherit),
		"include_module_type":    ocamlConstraint,
		"module_type_constraint": ocamlConstraint,
		"inheritance_definition": ocamlInherit, "inheritance_specification": ocamlInherit,
		"value_name":             leaf(RefUse),
		"constructor_name":       leaf(RefUse),
		"field_name":             leaf(RefUse),
		"instance_variable_name": leaf(RefUse),
		"module_name":            leaf(RefUse),
		"module_type_name":       leaf(RefType),
		"class_name":             leaf(RefType),
		"class_type_name":        leaf(RefType),
		"type_constructor":       leaf(RefType),

		"comment":            ocamlComment,
		"value_pattern":      bindAll,
		"field_pattern":      ocamlField,
		"for_expression":     bind("name"),
		"abstract_type":      bindAll,
		"module_parameter":   bind("name"),
		"label_name":         func(b *builder, n int) { b.consume(n) },
		"class_initializer":  bindingScope,
		"item_attribute":     ocamlIgnore,
		"attribute":          ocamlIgnore,
		"floating_attribute": ocamlIgnore,
		"toplevel_directive": ocamlIgnore,
	},
	placement: placement{
		groups: "value_definition type_definition module_definition class_definition class_type_definition " +
			"exception_definition",
		conjunction: "and",
	},
	naming: naming{
		separators: ". #",
		identifiers: `value_name value_pattern module_name module_type_name constructor_name type_constructor field_name
			method_name class_name class_type_name instance_variable_name`,
		predeclared: `self this super int float bool char string bytes unit list array option result ref exn lazy_t int32 _
			int64 nativeint format seq Some None Ok Error true false raise failwith invalid_arg ignore not fst snd succ pred
			incr decr min max compare abs mod land lor lxor lsl lsr asr print_string print_endline print_int print_newline
			string_of_int int_of_string float_of_int int_of_float
			+ - * / +. -. *. /. ** = == <> != < > <= >= && || & or ^ @ @@ |> := ! :: ~- ~-.`,
	},
}

// ocamlInterfaceRules are the rules of a .mli file, which the grammar reads as a module type.
var ocamlInterfaceRules = func() rules {
	const before, after = "module type M = sig ", " end"
	r := ocamlRules
	r.rewritePrefix = len(before)
	r.rewrite = func(text []byte) []byte { return slices.Concat([]byte(before), text, []byte(after)) }
	return r
}()

func ocamlIgnore(b *builder, n int) { b.consumeAll(n) }

// ocamlAlone matches the text after a comment that no code directly follows.
var ocamlAlone = lazyregexp.New(`\A(?:[ \t]*\r?\n[ \t]*\r?\n|\s*(?:\z|end\b))`)

// ocamlComment attaches a comment to the next declaration, or to the previous one: on the same
// line, on the next line in a type, or if no code directly follows the comment.
func ocamlComment(b *builder, n int) {
	s := ocamlBefore(b)
	if s != nil {
		if last := &b.file.Symbols[len(b.file.Symbols)-1]; last.Kind == KindConstant && last.End == s.End &&
			last.EndLine == b.row(n)+1 {
			s = last // the last constructor of a type
		}
	}
	if s != nil && s.DocStart == s.DocEnd && bytes.HasPrefix(b.bytes(n), []byte("(**")) {
		gap, k := b.row(n)+1-s.EndLine, b.enclosing()
		if gap == 0 || gap == 1 && (k == KindStruct || k == KindEnum || ocamlAlone.Match(b.text[b.end(n):])) {
			s.DocStart, s.DocEnd = b.start(n), b.end(n)
			return
		}
	}
	b.comment(n)
}

// ocamlBefore returns the last symbol next to the current node, nil for none.
func ocamlBefore(b *builder) *Symbol {
	for i := len(b.file.Symbols) - 1; i >= 0; i = b.file.Symbols[i].Parent {
		if s := &b.file.Symbols[i]; s.Parent == b.from() {
			return s
		}
	}
	return nil
}

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

// ocamlField binds the variable that a field without a pattern introduces.
func ocamlField(b *builder, n int) {
	if path := n + 1; b.nodes[path].next == b.nodes[n].next {
		b.bind(b.first(path, "field_name"))
	}
}

// ocamlRefer records the last name of a path, unless it is a bound variable.
func ocamlRefer(b *builder, path int, kind RefKind) {
	last := path
	for c := range b.children(path) {
		last = c
	}
	if last >= 0 && b.leaf(last) && b.isIdentifier(last) && (last != path+1 || !b.local(last)) {
		b.refer(last, kind)
	}
}

// ocamlOpen records a module whose names become visible.
func ocamlOpen(kind RefKind) rule {
	return func(b *builder, n int) {
		path := n + 1
		if b.kind(path) == "module_path" {
			b.imports(path, "", b.name(path), "*")
		}
		ocamlRefer(b, path, kind)
	}
}

// ocamlApplication records a call of a function or a constructor.
func ocamlApplication(b *builder, n int) {
	if f := b.child(n, "function"); b.kind(f) == "value_path" || b.kind(f) == "constructor_path" {
		ocamlRefer(b, f, RefCall)
	}
}

// ocamlInfix records an operator, and the function that a value is piped to.
func ocamlInfix(b *builder, n int) {
	operator := b.child(n, "operator")
	switch string(b.bytes(operator)) {
	case "|>":
		ocamlRefer(b, b.child(n, "right"), RefCall)
	case "@@":
		ocamlRefer(b, b.child(n, "left"), RefCall)
	}
	b.refer(operator, RefCall)
}

// ocamlConstraint records an included module type, or the type of a module.
func ocamlConstraint(b *builder, n int) {
	if path := b.first(n, "module_type_path"); path >= 0 {
		ocamlRefer(b, path, RefInherit)
	}
}

// ocamlInherit records an inherited class.
func ocamlInherit(b *builder, n int) {
	for i := n; i < int(b.nodes[n].next); i++ {
		if k := b.kind(i); k == "class_path" || k == "class_type_path" {
			ocamlRefer(b, i, RefInherit)
			return
		}
	}
}
