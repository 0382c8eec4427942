package syntax

// elixirLeading are the module attributes that belong to the next function or test.
var elixirLeading = set("spec impl tag describetag deprecated dialyzer since")

// elixirSettings are attributes about the module. Any other attribute is a constant.
var elixirSettings = set(`moduletag optional_callbacks derive enforce_keys compile before_compile after_compile on_load
	on_definition external_resource vsn primary_key foreign_key_type schema_prefix timestamps_opts fallback_to_any`)

// elixirBasicTypes are the built-in types. Functions and attributes may have the same names.
var elixirBasicTypes = set(`any arity as_boolean atom binary bitstring boolean byte char charlist float fun function
	identifier integer iodata iolist keyword list map mfa module neg_integer no_return non_neg_integer none nonempty_list
	number pid port pos_integer reference string struct term timeout tuple`)

// elixirUnary handles an @ attribute: documentation, types, callbacks, constants.
func elixirUnary(b *builder, n int) {
	operand := b.child(n, "operand")
	if operand < 0 || b.text[b.start(n)] != '@' {
		return
	}
	target := b.child(operand, "target")
	value := elixirArgument(b, operand)
	if value < 0 {
		if b.kind(operand) == "identifier" {
			b.refer(operand, RefUse)
		}
		return
	}
	b.consume(target)
	switch name := string(b.bytes(target)); name {
	case "doc", "typedoc":
		elixirDoc(b, n, value)
	case "moduledoc":
	case "behaviour":
		elixirName(b, value, RefInherit)
	case "type", "typep", "opaque":
		elixirDeclareType(b, n, value, declaration{kind: KindType})
	case "callback", "macrocallback":
		elixirDeclareType(b, n, value, declaration{kind: KindMethod, detail: "callback"})
	case "spec":
		b.attribute(n)
		b.consume(b.child(elixirSubject(b, value), "target"))
		elixirTypes(b, value)
	default:
		elixirSet(b, n, target, value)
	}
}

// elixirDoc makes a string the documentation of the next definition. false and options are
// ordinary attributes.
func elixirDoc(b *builder, n, value int) {
	start, end := elixirText(b, value)
	if start == end {
		b.attribute(n)
		return
	}
	b.doc = comments{start: start, end: end, endRow: b.endRow(n), attributes: -1}
}

// elixirText returns the range of a string with its quotes, and of a sigil without its letter.
func elixirText(b *builder, n int) (start, end int) {
	switch b.kind(n) {
	case "string":
		return b.start(n), b.end(n)
	case "sigil":
		return b.end(n + 1), b.end(n)
	}
	return 0, 0
}

// elixirModuleDoc returns the range of the @moduledoc string in a module's body.
func elixirModuleDoc(b *builder, body int) (start, end int) {
	for c := range b.children(body) {
		if call := b.child(c, "operand"); string(b.bytes(b.child(call, "target"))) == "moduledoc" {
			return elixirText(b, elixirArgument(b, call))
		}
	}
	return 0, 0
}

// elixirComment adds a comment to the documentation, unless that is a string.
func elixirComment(b *builder, n int) {
	if d := b.doc; d.start < d.end && b.text[d.start] != '#' && d.endRow+1 == b.row(n) {
		b.doc.endRow = b.endRow(n)
		return
	}
	b.comment(n)
}

// elixirSubject returns the part of a type definition before "::" and "when".
func elixirSubject(b *builder, n int) int {
	for op := elixirOperator(b, n); op == "when" || op == "::"; op = elixirOperator(b, n) {
		n = b.child(n, "left")
	}
	return n
}

// elixirDeclareType declares a type definition's subject, and records all types in the
// definition.
func elixirDeclareType(b *builder, n, value int, d declaration) {
	d.name, d.body = elixirSubject(b, value), -1
	elixirHead(b, &d)
	b.declare(n, d)
	elixirTypes(b, value)
}

// elixirTypes records the names in a type as types. For a remote type called t the module is
// the name; other names of one letter are variables.
func elixirTypes(b *builder, n int) {
	for i := n; i < int(b.nodes[n].next); i++ {
		switch name, p := b.bytes(i), b.parent(i); b.kind(i) {
		case "alias":
			elixirName(b, i, RefType)
		case "identifier":
			parameter := elixirOperator(b, p) == "::" && b.child(p, "left") == i
			if len(name) > 1 && !parameter && !elixirBasicTypes[string(name)] {
				b.refer(i, RefType)
			}
		}
	}
	b.consumeAll(n)
}

// elixirSet declares a constant where it is first set.
func elixirSet(b *builder, n, target, value int) {
	name := b.bytes(target)
	switch k := b.enclosing(); {
	case elixirLeading[string(name)]:
		b.attribute(n)
	case elixirSettings[string(name)] || b.declares(KindConstant, name):
	case k == KindModule || k == KindTest || k == KindImpl:
		b.declare(n, declaration{kind: KindConstant, name: target, body: b.multilineValue(value)})
	}
}
