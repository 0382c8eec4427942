package syntax

import (
	"bytes"
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
