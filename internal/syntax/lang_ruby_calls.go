package syntax

import "iter"

// rubyDeclaringCall declares what calls of some well-known methods define.
func rubyDeclaringCall(b *builder, n int) {
	arguments := b.child(n, "arguments")
	first, block := arguments+1, b.child(n, "block")
	if arguments < 0 || b.leaf(arguments) {
		return
	}
	switch string(b.bytes(b.child(n, "method"))) {
	case "attr_reader", "attr_writer", "attr_accessor", "mattr_reader", "mattr_accessor", "cattr_reader", "cattr_accessor",
		"class_attribute":
		if k := b.enclosing(); k == KindClass || k == KindModule {
			b.declareEach(n, rubySymbols(b, arguments), func(name int) declaration {
				d := rubySymbol(b, KindProperty, name)
				d.detail = rubySelf(b, n)
				return d
			})
		}
	case "new", "define":
		rubyStruct(b, n, arguments)
	case "define_method", "alias_method":
		if b.kind(first) == "simple_symbol" {
			rubyMember(b, n, KindMethod, first)
		}
	case "describe", "context", "it", "specify", "test", "feature", "scenario", "shared_examples", "shared_context",
		"xdescribe", "xcontext", "xit", "fdescribe", "fcontext", "fit":
		if block >= 0 {
			rubyTest(b, n, first, block)
		}
	case "let", "let!", "subject", "subject!":
		if block >= 0 && b.enclosing() == KindTest {
			rubyBlock(b, n, KindProperty, first, block)
		}
	case "namespace", "task":
		if block >= 0 {
			rubyTask(b, n, first, block)
		}
	case "desc":
		if b.kind(first) == "string" {
			b.doc = comments{start: b.start(first), end: b.end(first), endRow: b.endRow(n), attributes: -1}
		}
	}
}

// rubyStruct declares the members of a class made by Struct.new or Data.define.
func rubyStruct(b *builder, n, arguments int) {
	receiver := string(b.bytes(b.child(n, "receiver")))
	of := b.kind(b.parent(n))
	if receiver != "Struct" && receiver != "Data" || of != "assignment" && of != "superclass" ||
		b.enclosing() != KindClass {
		return
	}
	for name := range rubySymbols(b, arguments) {
		d := rubySymbol(b, KindProperty, name)
		d.noChildren = true
		count := len(b.file.Symbols)
		if b.declare(name, d); len(b.file.Symbols) == count {
			continue
		}
		member := &b.file.Symbols[count]
		member.Start, member.End, member.BodyStart = b.start(name), b.end(name), b.end(name)
		member.StartLine, member.EndLine = b.row(name)+1, b.endRow(name)+1
	}
}

// rubyTask declares a Rake task or a namespace of tasks. The name may include the
// prerequisites.
func rubyTask(b *builder, n, name, block int) {
	kind := KindFunction
	if string(b.bytes(b.child(n, "method"))) == "namespace" {
		kind = KindNamespace
	}
	if b.kind(name) == "pair" {
		name = b.child(name, "key")
	}
	if b.kind(name) == "call" || b.kind(name) == "identifier" {
		return // a computed name
	}
	rubyBlock(b, n, kind, name, block)
}

// rubyBlock declares the first argument of a call, whose block is the definition.
func rubyBlock(b *builder, n int, kind Kind, name, block int) {
	d := rubySymbol(b, kind, name)
	d.body = block
	b.consume(b.child(n, "method"))
	b.declare(n, d)
}

func rubySymbols(b *builder, n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for c := range b.children(n) {
			if b.kind(c) == "simple_symbol" && !yield(c) {
				return
			}
		}
	}
}

// rubyTest declares a test, or a group of tests, by its description.
func rubyTest(b *builder, n, subject, block int) {
	if b.kind(subject) == "scope_resolution" || b.kind(subject) == "constant" {
		b.refer(b.callee(subject), RefUse)
	}
	rubyBlock(b, n, KindTest, subject, block)
}

// rubyCall records a call. Loading a file, mixing in a module and new are recorded as such.
func rubyCall(b *builder, n int) {
	method, receiver := b.child(n, "method"), b.child(n, "receiver")
	arguments := b.child(n, "arguments")
	switch string(b.bytes(method)) {
	case "require", "require_relative", "load", "autoload":
		for c := range b.children(arguments) {
			if content := b.first(c, "string_content"); content >= 0 && receiver < 0 {
				b.refer(content, RefImport)
				b.imports(content, "", b.name(content), "*")
				b.consume(method)
			}
		}
	case "include", "extend", "prepend":
		if receiver < 0 {
			rubyMixins(b, n, arguments)
			b.consume(method)
		}
	case "new":
		if name := b.callee(receiver); b.kind(name) == "constant" {
			b.refer(name, RefCall)
			b.consume(method)
		}
	}
	if method >= 0 && b.isIdentifier(method) {
		b.refer(method, RefCall)
	}
}

func rubyTypes(b *builder, n int) {
	for c := range b.children(n) {
		if name := b.callee(c); b.kind(name) == "constant" {
			b.refer(name, RefType)
		}
	}
}

// rubyMixins records the modules that a class or a module mixes in.
func rubyMixins(b *builder, n, arguments int) {
	kind := RefType
	if b.enclosing().isType() && n >= b.localsEnd {
		kind = RefInherit
	}
	for c := range b.children(arguments) {
		if name := b.callee(c); b.kind(name) == "constant" {
			b.refer(name, kind)
		}
	}
}
