package syntax

import (
	"bytes"
	"iter"
	"slices"
)

var elixirRules = rules{
	on: map[string]rule{
		"call":            elixirCall,
		"unary_operator":  elixirUnary,
		"comment":         elixirComment,
		"struct":          func(b *builder, n int) { elixirName(b, n+1, RefType) },
		"alias":           func(b *builder, n int) { elixirName(b, n, RefUse) },
		"binary_operator": elixirCapture,
	},
	naming: naming{
		identifiers: "alias",
		predeclared: `case cond if unless with for quote unquote unquote_splicing raise reraise throw try receive super send
			spawn spawn_link self exit length hd tl elem put_elem map_size tuple_size byte_size bit_size abs round trunc div
			rem max min not inspect to_string to_charlist apply get_in put_in update_in pop_in struct struct! then tap dbg
			binding function_exported? make_ref node is_atom is_binary is_bitstring is_boolean is_exception is_float
			is_function is_integer is_list is_map is_map_key is_nil is_number is_pid is_reference is_struct is_tuple
			defoverridable assert refute assert_raise assert_receive assert_received refute_receive refute_received on_exit
			__MODULE__ _`,
	},
}

// elixirForms are the calls that define something, by the called name.
var elixirForms = map[string]rule{
	"defmodule": elixirModule(KindModule), "defprotocol": elixirModule(KindInterface), "defimpl": elixirImpl,
	"def": elixirFunction(KindFunction), "defp": elixirFunction(KindFunction),
	"defdelegate": elixirFunction(KindFunction), "defn": elixirFunction(KindFunction),
	"defmacro": elixirFunction(KindMacro), "defmacrop": elixirFunction(KindMacro),
	"defguard": elixirFunction(KindMacro), "defguardp": elixirFunction(KindMacro),
	"defstruct": elixirFields, "defexception": elixirFields, "schema": elixirSchema, "embedded_schema": elixirSchema,
	"test": elixirTest, "describe": elixirTest, "property": elixirTest,
	"alias": elixirImport, "import": elixirImport, "require": elixirImport, "use": elixirImport,
}

// elixirCall applies the rule of a known form. Any other call is a reference, and the
// expression before its dot is one too. A call without arguments is a field.
func elixirCall(b *builder, n int) {
	target := b.child(n, "target")
	if target < 0 || b.nodes[target].flags&flagConsumed != 0 {
		return
	}
	if form, ok := elixirForms[string(b.bytes(target))]; ok {
		b.consume(target)
		form(b, n)
		return
	}
	kind := RefCall
	if b.kind(target) == "dot" {
		target = b.child(target, "right")
		if b.first(n, "arguments") < 0 {
			kind = RefUse
		}
	}
	if b.kind(target) == "identifier" {
		b.refer(target, kind)
	}
}

// elixirCapture records the function in &name/1.
func elixirCapture(b *builder, n int) {
	left := b.child(n, "left")
	if p := b.parent(n); b.kind(p) != "unary_operator" || b.text[b.start(p)] != '&' {
		return
	}
	switch b.kind(left) {
	case "call":
		left = b.child(b.child(left, "target"), "right")
		fallthrough
	case "identifier":
		b.refer(left, RefCall)
	}
}

// elixirArguments returns the arguments of the call n.
func elixirArguments(b *builder, n int) iter.Seq[int] { return b.children(b.first(n, "arguments")) }

// elixirArgument returns the first argument of the call n, or -1.
func elixirArgument(b *builder, n int) int {
	for c := range elixirArguments(b, n) {
		return c
	}
	return -1
}

// elixirOption returns the value of an option of the call n, or -1.
func elixirOption(b *builder, n int, key string) int {
	for pair := range b.children(b.first(b.first(n, "arguments"), "keywords")) {
		if string(bytes.TrimSpace(b.bytes(b.child(pair, "key")))) == key+":" {
			return b.child(pair, "value")
		}
	}
	return -1
}

// elixirName records the last name of a module.
func elixirName(b *builder, n int, kind RefKind) {
	if b.kind(n) == "alias" && b.consume(n) {
		_, name := elixirSplit(b, n)
		b.referTo(name, n, kind)
	}
}

// elixirSplit splits off a module's last name; "::" joins the names before it.
func elixirSplit(b *builder, n int) (before, last string) {
	parts := bytes.Split(b.bytes(n), []byte{'.'})
	most := len(parts) - 1
	return b.intern(bytes.Join(parts[:most], []byte("::"))), b.intern(parts[most])
}

func elixirModule(kind Kind) rule {
	return func(b *builder, n int) {
		name, body := elixirArgument(b, n), b.first(n, "do_block")
		d := declaration{kind: kind, name: name, body: body}
		if b.kind(name) != "alias" {
			return
		}
		d.qualifier, d.symbolName = elixirSplit(b, name)
		d.docStart, d.docEnd = elixirModuleDoc(b, body)
		b.declare(n, d)
	}
}

// elixirImpl declares an implementation by its type, with the protocol as its detail. Inside of
// the module of that type it has the protocol's name.
func elixirImpl(b *builder, n int) {
	protocol := elixirArgument(b, n)
	if b.kind(protocol) != "alias" {
		return
	}
	names := slices.Values([]int{protocol})
	switch of := elixirOption(b, n, "for"); b.kind(of) {
	case "list":
		names = b.children(of)
	case "alias":
		names = slices.Values([]int{of})
	}
	b.declareEach(n, names, func(name int) declaration {
		d := declaration{kind: KindImpl, name: name, body: b.first(n, "do_block")}
		d.qualifier, d.symbolName = elixirSplit(b, name)
		if name != protocol {
			elixirName(b, name, RefType)
			_, d.detail = elixirSplit(b, protocol)
		}
		return d
	})
	_, name := elixirSplit(b, protocol)
	b.referTo(name, protocol, RefInherit)
	b.consume(protocol)
}

// elixirFunction declares one clause of a function or macro, by its head before "when".
func elixirFunction(kind Kind) rule {
	return func(b *builder, n int) {
		head := elixirArgument(b, n)
		if head < 0 {
			return
		}
		d := declaration{kind: kind, name: head, body: -1, bodyAt: b.end(head)}
		if outer := b.enclosing(); kind == KindFunction && (outer == KindInterface || outer == KindImpl) {
			d.kind = KindMethod
		}
		if elixirOption(b, n, "to") >= 0 {
			d.bodyAt = 0
		}
		if elixirOperator(b, head) == "when" {
			d.name = b.child(head, "left")
		}
		elixirHead(b, &d)
		b.declare(n, d)
		b.enterFunction(n)
	}
}

// elixirHead finds the name in a clause's head: that of a call, or an operator.
func elixirHead(b *builder, d *declaration) {
	switch b.kind(d.name) {
	case "call":
		target := b.child(d.name, "target")
		if d.name = target; b.kind(target) != "identifier" {
			d.name = -1
		}
	case "binary_operator":
		d.symbolName, d.name = elixirOperator(b, d.name), -1
	case "identifier":
	default:
		d.name = -1
	}
}

// elixirOperator returns a binary operator, "" for any other node.
func elixirOperator(b *builder, n int) string {
	left, right := b.child(n, "left"), b.child(n, "right")
	if b.kind(n) != "binary_operator" || left < 0 || right < 0 {
		return ""
	}
	return string(bytes.TrimSpace(b.text[b.end(left):b.start(right)]))
}

// elixirFields declares the fields of a struct or an exception.
func elixirFields(b *builder, n int) {
	of := b.first(n, "arguments")
	if list := b.first(of, "list"); list >= 0 {
		of = list
	}
	for c := range b.children(of) {
		if b.kind(c) == "atom" {
			elixirField(b, c, c)
		}
		for pair := range b.children(c) {
			if b.kind(c) == "keywords" {
				elixirField(b, pair, b.child(pair, "key"))
			}
		}
	}
}

// elixirField declares a field by an atom or a key: :name, name:.
func elixirField(b *builder, n, name int) {
	called := b.intern(bytes.Trim(b.bytes(name), ": "))
	b.declare(n, declaration{kind: KindField, name: name, symbolName: called, body: -1, noChildren: true})
}

// elixirSchema declares the fields in a schema.
func elixirSchema(b *builder, n int) {
	for c := range b.children(b.first(n, "do_block")) {
		switch string(b.bytes(b.child(c, "target"))) {
		case "field", "belongs_to", "has_one", "has_many", "many_to_many", "embeds_one", "embeds_many":
			if name := elixirArgument(b, c); b.kind(name) == "atom" {
				b.consume(b.child(c, "target"))
				elixirField(b, c, name)
			}
		}
	}
}

// elixirTest declares a test, or a group of tests, by its description.
func elixirTest(b *builder, n int) {
	name := b.first(elixirArgument(b, n), "quoted_content")
	if body := b.first(n, "do_block"); body >= 0 && name >= 0 {
		b.declare(n, declaration{kind: KindTest, name: name, body: body})
	}
}
