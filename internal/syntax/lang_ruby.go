package syntax

import "bytes"

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
