package syntax

import (
	"bytes"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// phpAssignment declares a file's variables where they are first assigned.
func phpAssignment(b *builder, n int) {
	name := phpLast(b, b.child(n, "left"))
	statement := b.parent(n)
	outside := b.kind(statement) == "expression_statement" && b.kind(b.parent(statement)) == "program"
	if name >= 0 && outside && !b.declares(KindVariable, b.bytes(name)) {
		b.declare(n, declaration{kind: KindVariable, name: name, body: b.multilineValue(b.child(n, "right"))})
	}
}

// phpCall records a call by the last name of its path. A call of a variable gives no reference.
func phpCall(field string) rule {
	return func(b *builder, n int) {
		if called := b.child(n, field); b.kind(called) != "variable_name" {
			b.refer(phpLast(b, called), RefCall)
		}
	}
}

// phpScope records the name before :: as a type, unless it is a variable.
func phpScope(b *builder, n int) {
	if b.kind(n+1) != "variable_name" {
		b.refer(phpLast(b, n+1), RefType)
	}
}

// phpClassName skips the class of T::class, which is a keyword.
func phpClassName(b *builder, n int) {
	for c := range b.children(n) {
		if string(b.bytes(c)) == "class" {
			b.consume(c)
		}
	}
}

// phpBases records the types that a type extends and implements, and the traits that it uses.
func phpBases(b *builder, n int) {
	for c := range b.children(n) {
		b.referBase(b.parent(n), phpLast(b, c))
	}
}

// phpAssigned binds a function's variable to the type of its value.
func phpAssigned(b *builder, n int) {
	if left := b.child(n, "left"); n < b.localsEnd && b.kind(left) == "variable_name" {
		bindTyped("left")(b, n)
	}
}

// phpUse records the last name of each imported path.
func phpUse(b *builder, n int) {
	prefix := ""
	if b.first(n, "namespace_use_group") >= 0 {
		prefix = b.name(n+1) + `\`
	}
	for i := n; i < int(b.nodes[n].next); i++ {
		switch b.kind(i) {
		case "namespace_use_clause", "namespace_use_group_clause":
			b.refer(phpLast(b, i+1), RefImport)
			alias := b.first(i, "namespace_aliasing_clause")
			path := strings.TrimPrefix(prefix+b.name(i+1), `\`)
			b.importMember(i, path, `\`, b.name(b.first(alias, "name")))
		}
	}
	b.consumeAll(n)
}

// phpRequire records a loaded file whose path is a literal.
func phpRequire(b *builder, n int) {
	for i := n; i < int(b.nodes[n].next); i++ {
		if b.kind(i) == "string_content" || b.kind(i) == "string_value" {
			b.refer(i, RefImport)
			b.imports(i, "", b.name(i), "*")
		}
	}
}

func phpGlobal(b *builder, n int) {
	for c := range b.children(n) {
		b.refer(phpLast(b, c), RefUse)
	}
}

// phpNamed matches a string that may be the full name of a function or class, or of a class's member.
var phpNamed = lazyregexp.New(`^(\\{0,2}(?:[A-Za-z_]\w*\\{1,2})*)([A-Za-z_]\w*)(?:::([A-Za-z_]\w*))?$`)

// phpNaming are the functions to which a string names a function, a class or a constant.
var phpNaming = set(`function_exists class_exists interface_exists trait_exists enum_exists is_callable defined constant
	call_user_func call_user_func_array method_exists property_exists is_a is_subclass_of class_alias array_map`)

// phpString records what a string names: with a namespace or a member in it, as the argument of a function that takes
// names, or as the method of a callable.
func phpString(b *builder, n int) {
	text := b.bytes(n)
	if len(text) < 3 {
		return
	}
	text = text[1 : len(text)-1]
	m := phpNamed.FindSubmatchIndex(text)
	if m == nil {
		return
	}
	add := func(start, end int, kind RefKind, qualifier, receiver string) {
		b.refs = append(b.refs, Ref{Name: b.intern(text[start:end]), Kind: kind, Qualifier: qualifier, Receiver: receiver,
			Start: b.start(n) + 1 + start, End: b.start(n) + 1 + end, Line: b.row(n) + 1, From: b.from()})
	}
	namespace, name, member := text[m[2]:m[3]], text[m[4]:m[5]], m[6] >= 0
	if len(namespace) == 0 && !member && !phpNames(b, n) {
		if of := phpCallableType(b, n); of != "" {
			add(m[4], m[5], RefCall, of, of)
		}
		return
	}
	kind := RefCall
	if member || capital(name) {
		kind = RefType
	}
	full := bytes.TrimLeft(bytes.ReplaceAll(namespace, []byte(`\\`), []byte(`\`)), `\`)
	add(m[4], m[5], kind, `\`+b.intern(full), "")
	if member {
		add(m[6], m[7], RefUse, b.intern(name), `\`+b.intern(full)+b.intern(name))
	}
}

// phpNames reports whether the string n is the first argument of a function that takes names.
func phpNames(b *builder, n int) bool {
	argument := b.parent(n)
	arguments := b.parent(argument)
	return b.kind(argument) == "argument" && argument == arguments+1 &&
		phpNaming[string(bytes.TrimPrefix(b.bytes(b.child(b.parent(arguments), "function")), []byte(`\`)))]
}

// phpCallableType returns the type in front of the string n if both are a callable: [T::class, 'method'], or
// [$this, 'method'].
func phpCallableType(b *builder, n int) string {
	array := b.parent(b.parent(n))
	if b.kind(array) != "array_creation_expression" || int(b.nodes[n].next) != int(b.nodes[array].next) {
		return ""
	}
	first := array + 1
	if int(b.nodes[first].next) != b.parent(n) || b.leaf(first) {
		return ""
	}
	switch object := first + 1; b.kind(object) {
	case "variable_name":
		return b.valueType(object)
	case "class_constant_access_expression":
		switch of := b.word(b.bytes(object + 1)); {
		case !bytes.HasSuffix(b.bytes(object), []byte("::class")):
		case of.self:
			return b.enclosingType()
		default:
			return b.typeName(b.bytes(object + 1))
		}
	}
	return ""
}

// phpVariable skips the variables of functions. The variables of the file are global.
func phpVariable(b *builder, n int) {
	if n < b.localsEnd {
		b.consumeAll(n)
	}
}
