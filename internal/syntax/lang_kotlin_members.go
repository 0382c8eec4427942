package syntax

import "bytes"

// kotlinClass declares a class, interface, enum or object. A companion without a name is no
// symbol; its members are addressed by the class.
func kotlinClass(b *builder, n int) {
	d := declaration{kind: KindClass, name: b.first(n, "type_identifier"), body: b.first(n, "class_body")}
	if d.name < 0 {
		return
	}
	if enum := b.first(n, "enum_class_body"); enum >= 0 {
		d.kind, d.body = KindEnum, enum
	}
	head := b.text[b.start(n):b.start(d.name)]
	if modifiers := b.first(n, "modifiers"); modifiers >= 0 {
		head = b.text[b.end(modifiers):b.start(d.name)]
	}
	if bytes.Contains(head, []byte("interface")) {
		d.kind = KindInterface
	}
	b.declare(n, d)
}

func kotlinMember(b *builder, n int) bool {
	p := b.kind(b.parent(n))
	return p == "class_body" || p == "enum_class_body" || p == "" && b.enclosing().isType()
}

// kotlinReceiver returns the name of the type that an extension extends, without type
// arguments.
func kotlinReceiver(b *builder, n, name int) (receiver string) {
	for c := range b.children(n) {
		if c >= name {
			break
		}
		if b.kind(c) == "nullable_type" {
			c++
		}
		if b.kind(c) == "user_type" {
			receiver = b.intern(b.bytes(b.first(c, "type_identifier")))
		}
	}
	return receiver
}

func kotlinFunction(b *builder, n int) {
	d := declaration{kind: KindFunction, name: b.first(n, "simple_identifier"), body: b.first(n, "function_body")}
	if kotlinMember(b, n) {
		d.kind = KindMethod
	}
	d.qualifier = kotlinReceiver(b, n, d.name)
	b.declare(n, d)
}

// kotlinConstructor declares a secondary constructor by the name of its class.
func kotlinConstructor(b *builder, n int) {
	parameters := b.first(n, "function_value_parameters")
	if b.from() < 0 || parameters < 0 {
		return
	}
	b.declare(n, declaration{
		kind: KindConstructor, name: -1, symbolName: b.file.Symbols[b.from()].Name, body: -1, bodyAt: b.end(parameters),
	})
}

// kotlinProperty declares the properties of a class or a file. The variables of a function are
// bound at their own nodes.
func kotlinProperty(b *builder, n int) {
	variable := b.first(n, "variable_declaration")
	d := declaration{kind: KindProperty, name: b.first(variable, "simple_identifier"), body: -1}
	switch modifiers := b.bytes(b.first(n, "modifiers")); {
	case b.kind(b.parent(n)) != "source_file" && !kotlinMember(b, n) || variable < 0:
		return
	case bytes.Contains(modifiers, []byte("const")):
		d.kind = KindConstant
	case !kotlinMember(b, n):
		d.kind = KindVariable
	}
	d.qualifier = kotlinReceiver(b, n, variable)
	for c := range b.children(n) {
		switch {
		case d.body >= 0 || c <= variable:
		case b.kind(c) == "getter", b.kind(c) == "setter":
			d.body = c
		default:
			d.body = b.multilineValue(c)
		}
	}
	b.declare(n, d)
}

// kotlinAccessor extends a property by its accessor, which is a sibling in the grammar if it is
// on a line of its own.
func kotlinAccessor(b *builder, n int) {
	bindingScope(b, n)
	if b.kind(b.parent(n)) == "property_declaration" {
		return
	}
	for i := len(b.file.Symbols) - 1; i >= 0; i-- {
		s := &b.file.Symbols[i]
		if s.Parent != b.from() {
			continue
		}
		if s.Kind == KindProperty || s.Kind == KindVariable {
			s.End, s.EndLine = b.end(n), b.endRow(n)+1
			b.open = append(b.open, scope{symbol: i, end: int(b.nodes[n].next)})
		}
		return
	}
}

// kotlinComponent declares the properties among a primary constructor's parameters.
func kotlinComponent(b *builder, n int) {
	name := b.first(n, "simple_identifier")
	if b.first(n, "binding_pattern_kind") < 0 {
		b.bind(name)
		return
	}
	b.declare(n, declaration{kind: KindProperty, name: name, body: -1})
}
