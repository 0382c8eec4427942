package syntax

import "strings"

var sqlRules = rules{
	on: map[string]rule{
		"create":    sqlCreate,
		"column":    sqlMember(KindField),
		"label":     sqlMember(KindConstant),
		"reference": leaf(RefUse),
		"call":      leaf(RefCall),
	},
	placement: placement{comments: "comment"},
	naming:    naming{identifiers: "reference call"},
	reading: reading{
		nodeTypes: "comment create object schema column label name_identifier body reference call",
		scan:      scanSQL,
	},
}

// sqlKinds are the objects that CREATE can make. The word is the symbol's detail unless the
// kind says the same.
var sqlKinds = map[string]Kind{
	"table": KindStruct, "view": KindType, "index": KindProperty, "function": KindFunction, "procedure": KindFunction,
	"proc": KindFunction, "aggregate": KindFunction, "macro": KindMacro, "trigger": KindFunction, "event": KindFunction,
	"rule": KindFunction, "policy": KindProperty, "type": KindType, "domain": KindType, "sequence": KindVariable,
	"schema": KindNamespace, "database": KindNamespace, "package": KindModule,
}

func sqlCreate(b *builder, n int) {
	object := strings.ToLower(string(b.bytes(n + 1)))
	d := declaration{kind: sqlKinds[object], name: b.first(n, "name_identifier"), body: b.first(n, "body")}
	if object != "table" && object != "function" && object != "type" && d.kind != KindNamespace {
		d.detail = object
	}
	if object == "type" {
		d.kind = sqlTypeKind(b, n)
	}
	if schema := b.first(n, "schema"); schema >= 0 {
		d.qualifier = b.intern(b.bytes(schema))
	}
	b.declare(n, d)
}

// sqlTypeKind returns the kind of a type: with fields, with labels, or without both.
func sqlTypeKind(b *builder, n int) Kind {
	switch {
	case b.first(n, "column") >= 0:
		return KindStruct
	case b.first(n, "label") >= 0:
		return KindEnum
	}
	return KindType
}

func sqlMember(kind Kind) rule {
	return func(b *builder, n int) {
		b.declare(n, declaration{kind: kind, name: b.first(n, "name_identifier"), body: -1, noChildren: true})
	}
}
