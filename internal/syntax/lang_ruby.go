package syntax

import (
	"bytes"
	"iter"
)

var rubyRules = rules{
	on: map[string]rule{
		"module":           rubyDefine(KindModule),
		"class":            rubyDefine(KindClass),
		"method":           rubyMethod,
		"singleton_method": rubyMethod,
		"alias":            func(b *builder, n int) { rubyMember(b, n, KindMethod, b.child(n, "name")) },
		"assignment":       rubyAssignment,

		"call":              all(rubyDeclaringCall, rubyCall),
		"superclass":        inherits,
		"exceptions":        rubyTypes,
		"block_argument":    rubyBlockArgument,
		"constant":          leaf(RefUse),
		"global_variable":   leaf(RefUse),
		"identifier":        leaf(RefCall), // anything but a variable calls a method
		"method_parameters": rubyParameters,
		"block_parameters":  rubyParameters,
		"lambda_parameters": rubyParameters,

		"operator_assignment":  rubyAssigned,
		"left_assignment_list": rubyBindEach,
		"for":                  bind("pattern"),
		"exception_variable":   rubyRescued,
		"as_pattern":           bind("name"),
		"array_pattern":        rubyBindEach,
		"keyword_pattern":      func(b *builder, n int) { rubyBind(b, b.child(n, "value")) },
		"in_clause":            func(b *builder, n int) { rubyBind(b, b.child(n, "pattern")) },
	},
	callee: map[string]string{"scope_resolution": "name"},
	valueTypes: map[string]valueTypeRule{"identifier": variable, "call": rubyValueType,
		"parenthesized_statements": sameTypeAs("")},
	naming: naming{
		separators:  ". ::",
		selfNames:   "self",
		identifiers: "constant global_variable instance_variable class_variable",
		predeclared: `private protected public private_class_method private_constant module_function attr_reader attr_writer
			attr_accessor alias_method define_method puts print p raise lambda proc loop block_given? binding __method__
			__FILE__ __LINE__ __dir__ _1 _2
			is_a? nil? respond_to? to_s to_i to_a to_h to_sym freeze dup nil lambda? ARGV ENV
			String Integer Float Symbol Array Hash Struct Class Module Object Kernel Proc`,
	},
	placement: placement{
		lists:    "left_assignment_list right_assignment_list",
		comments: "comment",
		wrappers: "argument_list call",
	},
}

func rubyDefine(kind Kind) rule {
	return func(b *builder, n int) {
		name := b.child(n, "name")
		bodyAt := max(b.end(name), rubyEnd(b, b.child(n, "superclass")))
		b.declare(n, declaration{kind: kind, name: name, body: -1, bodyAt: bodyAt})
	}
}

// rubyEnd returns the offset where n ends, 0 for -1.
func rubyEnd(b *builder, n int) int {
	if n < 0 {
		return 0
	}
	return b.end(n)
}

// rubyMethod declares a method, or a function outside of classes. The detail of a class method
// is self.
func rubyMethod(b *builder, n int) {
	name := b.child(n, "name")
	d := declaration{kind: rubyMethodKind(b), name: name, body: -1}
	d.bodyAt = max(b.end(name), rubyEnd(b, b.child(n, "parameters")))
	d.detail = rubySelf(b, n)
	if d.detail == "" && d.kind == KindMethod && string(b.bytes(name)) == "initialize" {
		d.kind = KindConstructor
	}
	b.consume(b.child(n, "object"))
	b.declare(n, d)
}

func rubyMethodKind(b *builder) Kind {
	if k := b.enclosing(); k == KindClass || k == KindModule {
		return KindMethod
	}
	return KindFunction
}

// rubyMember declares a member that a call adds to a class.
func rubyMember(b *builder, n int, kind Kind, name int) {
	if k := b.enclosing(); k == KindClass || k == KindModule {
		d := rubySymbol(b, kind, name)
		d.detail = rubySelf(b, n)
		b.declare(n, d)
	}
}

// rubySelf returns the detail of a member of the class itself.
func rubySelf(b *builder, n int) string {
	if b.kind(n) == "singleton_method" || b.kind(b.parent(b.parent(n))) == "singleton_class" {
		return "self"
	}
	return ""
}

// rubySymbol describes a symbol with the name :name or "name".
func rubySymbol(b *builder, kind Kind, name int) declaration {
	d := declaration{kind: kind, name: name, body: -1}
	switch b.kind(name) {
	case "simple_symbol":
		d.symbolName = b.intern(bytes.TrimPrefix(b.bytes(name), []byte(":")))
	case "string":
		d.name = b.first(name, "string_content")
	}
	return d
}

// rubyAssignment declares constants, and global variables outside of methods. A constant whose
// value is a new class is a class.
func rubyAssignment(b *builder, n int) {
	left, right := b.child(n, "left"), b.child(n, "right")
	d := declaration{kind: KindConstant, name: left, body: b.multilineValue(right)}
	switch k := b.kind(left); {
	case k == "global_variable" && b.localsEnd <= n && !b.declares(KindVariable, b.bytes(left)):
		d.kind = KindVariable
	case k != "constant":
		rubyAssigned(b, n)
		return
	}
	switch made := b.bytes(b.child(right, "receiver")); string(made) {
	case "Class", "Struct", "Data":
		d.kind, d.body = KindClass, b.child(right, "block")
	case "Module":
		d.kind, d.body = KindModule, b.child(right, "block")
	}
	b.declare(n, d)
	if string(b.bytes(b.child(right, "receiver"))) == "Class" {
		b.referBase(n, b.child(right, "arguments")+1)
	}
}

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

// rubyValueType returns the type of T.new.
func rubyValueType(b *builder, n int) string {
	if receiver := b.child(n, "receiver"); b.kind(b.callee(receiver)) == "constant" &&
		string(b.bytes(b.child(n, "method"))) == "new" {
		return b.typeName(b.bytes(receiver))
	}
	return ""
}

// rubyBlockArgument records &:name as a call of name.
func rubyBlockArgument(b *builder, n int) {
	if name, ok := bytes.CutPrefix(b.bytes(b.first(n, "simple_symbol")), []byte(":")); ok {
		b.referTo(b.intern(name), n+1, RefCall)
	}
}

// rubyParameters binds the names of parameters. Their defaults are uses.
func rubyParameters(b *builder, n int) {
	for p := range b.children(n) {
		if name := b.child(p, "name"); name >= 0 {
			b.bindVariable(name, -1, b.child(p, "value"))
		} else {
			b.bind(p)
		}
	}
}

// rubyAssigned binds the assigned variables to the types of their values.
func rubyAssigned(b *builder, n int) {
	value, values := b.listItems(b.child(n, "right"))
	for name, end := b.listItems(b.child(n, "left")); name < end; name = int(b.nodes[name].next) {
		of := -1
		if value < values {
			of, value = value, int(b.nodes[value].next)
		}
		if b.kind(name) == "identifier" {
			b.bindVariable(name, -1, of)
		}
	}
}

// rubyRescued binds a rescued error to its type, if there is only one.
func rubyRescued(b *builder, n int) {
	of, types := "", b.child(b.parent(n), "exceptions")
	if types >= 0 && b.nodes[types+1].next == b.nodes[types].next {
		of = b.typeName(b.bytes(types))
	}
	b.bindAs(n+1, of)
}

// rubyBind binds a variable. Other targets of an assignment are not variables.
func rubyBind(b *builder, n int) {
	if b.kind(n) == "identifier" {
		b.bind(n)
	}
}

func rubyBindEach(b *builder, n int) {
	for c := range b.children(n) {
		rubyBind(b, c)
	}
}
