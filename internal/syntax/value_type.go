package syntax

import (
	"bytes"
	"cmp"
)

// valueTypeRule returns the type of the value n as far as its text shows it, or "".
type valueTypeRule func(b *builder, n int) string

// valueType returns the type of the value n as far as its text shows it, or "".
func (b *builder) valueType(n int) string {
	if n < 0 || int(b.nodes[n].symbol) >= len(b.valueTypes) {
		return ""
	}
	if v := b.valueTypes[b.nodes[n].symbol]; v != nil {
		return v(b, n)
	}
	return ""
}

// fieldType is for a value whose type stands in a field.
func fieldType(field string) valueTypeRule {
	return func(b *builder, n int) string { return b.typeName(b.bytes(b.fieldOrFirst(n, field))) }
}

// sameTypeAs is for a value with the type of the value in the field: &x, await x, (x).
func sameTypeAs(field string) valueTypeRule {
	return func(b *builder, n int) string { return b.valueType(b.fieldOrFirst(n, field)) }
}

// constructor is for a call of the name in the field: a type, which begins with a capital, or a
// type's new.
func constructor(field string) valueTypeRule {
	return func(b *builder, n int) string {
		outer, name := b.typePath(b.bytes(b.fieldOrFirst(n, field)))
		switch {
		case capital(name):
			return b.resolve(name)
		case capital(outer) && string(name) == "new":
			return b.resolve(outer)
		}
		return ""
	}
}

func capital(name []byte) bool { return len(name) > 0 && 'A' <= name[0] && name[0] <= 'Z' }

// variable is for the name of a variable.
func variable(b *builder, n int) string {
	return b.variableType(b.word(bytes.TrimPrefix(b.bytes(n), b.sigil)))
}

// fieldOrFirst returns the child of n in the field, or its first child if field is "".
func (t *tree) fieldOrFirst(n int, field string) int {
	switch {
	case field != "":
		return t.child(n, field)
	case t.leaf(n):
		return -1
	}
	return n + 1
}

// variableType returns the type of a variable of the enclosing function, "" if the text does
// not show it. Of several variables with that name the newest counts.
func (b *builder) variableType(name *word) string {
	switch of := name.typeAt(b.at); {
	case b.bound(name) && of != "":
		return of
	case name.self:
		return b.enclosingType()
	}
	return ""
}

// typeAt returns the type that a bound name has at a node.
func (w *word) typeAt(n int) string {
	if n < w.from {
		return w.was
	}
	return w.of
}

// bindTyped binds the names in the field, with the type that the declaration writes or that its
// values have. The values are in the fields value and right.
func bindTyped(field string) rule {
	return func(b *builder, n int) {
		if n >= b.localsEnd {
			bind(field)(b, n)
			return
		}
		written := b.typeName(b.bytes(b.child(n, "type")))
		value, values := b.listItems(max(b.child(n, "value"), b.child(n, "right")))
		for names := range b.fields(n, field) {
			for name, end := b.listItems(names); name < end; name = int(b.nodes[name].next) {
				of := written
				if value < values {
					of = cmp.Or(written, b.valueType(value))
					value = int(b.nodes[value].next)
				}
				b.bindAs(name, of)
			}
		}
	}
}

// bindVariable binds a name to the type in the node written, or else to the type of the node
// value.
func (b *builder) bindVariable(name, written, value int) {
	if name >= b.localsEnd {
		b.bind(name)
		return
	}
	b.bindAs(name, cmp.Or(b.typeName(b.bytes(written)), b.valueType(value)))
}

// retype gives a name that is already bound the type in the node written, or else the type of
// the node value.
func (b *builder) retype(name, written, value int) {
	if name >= 0 && name < b.localsEnd && b.leaf(name) && b.local(name) {
		b.bindWord(b.word(b.bytes(name)), cmp.Or(b.typeName(b.bytes(written)), b.valueType(value)))
	}
}

// listItems returns the range of the nodes in a list, or of n alone.
func (t *tree) listItems(n int) (first, end int) {
	switch {
	case n < 0:
		return 0, 0
	case t.roles[t.nodes[n].symbol] == roleList:
		return n + 1, int(t.nodes[n].next)
	}
	return n, int(t.nodes[n].next)
}

// bindAs binds the name n to a type. The names in a pattern are bound without a type.
func (b *builder) bindAs(n int, of string) {
	b.bind(n)
	if n < 0 || n >= b.localsEnd || of == "" {
		return
	}
	if len(b.sigil) > 0 && int(b.nodes[n].next) == n+2 && bytes.HasPrefix(b.bytes(n), b.sigil) {
		n++
	}
	if b.leaf(n) {
		b.bindWord(b.word(b.bytes(n)), of)
	}
}
