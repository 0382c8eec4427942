package syntax

import (
	"cmp"
	"strings"
)

// rustUse records the last name of each imported path.
func rustUse(b *builder, n int) {
	for i := n; i < int(b.nodes[n].next); i++ {
		if !b.leaf(i) || !b.isIdentifier(i) {
			continue
		}
		p := b.parent(i)
		field := b.nodes[i].field
		if k := b.kind(p); k == "scoped_identifier" && field == b.fieldIDs["path"] ||
			k == "scoped_use_list" && field == b.fieldIDs["path"] ||
			k == "use_as_clause" && field == b.fieldIDs["alias"] || k == "use_wildcard" {
			continue
		}
		b.refer(i, RefImport)
	}
	rustImports(b, b.child(n, "argument"), "")
	b.consumeAll(n)
}

// maxPath bounds the path of a module in bytes, since braces nest without end in noise.
const maxPath = 1000

// rustImports records the imports of a clause of a use declaration. Modules and items look
// alike: std::io is the member io of std.
func rustImports(b *builder, n int, prefix string) {
	if len(prefix) > maxPath {
		return
	}
	path := strings.TrimPrefix(prefix+"::"+b.name(b.child(n, "path")), "::")
	switch b.kind(n) {
	case "use_list", "scoped_use_list":
		if b.kind(n) == "use_list" {
			path = prefix
		} else {
			n = b.child(n, "list")
		}
		for c := range b.children(n) {
			rustImports(b, c, path)
		}
	case "use_wildcard":
		path = strings.TrimSuffix(b.name(n), "*")
		b.imports(n, "", strings.Trim(prefix+"::"+path, ":"), "*")
	case "use_as_clause":
		path = strings.TrimSuffix(path, "::self")
		b.importMember(n, path, "::", b.name(b.child(n, "alias")))
	case "self":
		b.importMember(n, prefix, "::", "")
	default:
		b.importMember(n, strings.TrimPrefix(prefix+"::"+b.name(n), "::"), "::", "")
	}
}

// rustCrate records an extern crate.
func rustCrate(b *builder, n int) {
	name, alias := b.child(n, "name"), b.child(n, "alias")
	b.imports(n, cmp.Or(b.name(alias), b.name(name)), b.name(name), "")
	b.refer(name, RefImport)
	b.consume(alias)
}
