package syntax

import "bytes"

// elixirImport records the imported modules, each module of Shop.{Item, Repo} included.
func elixirImport(b *builder, n int) {
	of := elixirArgument(b, n)
	if group := b.child(of, "right"); b.kind(group) == "tuple" {
		for c := range b.children(group) {
			elixirImported(b, n, c, b.name(b.child(of, "left"))+"."+b.name(c))
		}
	} else {
		elixirImported(b, n, of, b.name(of))
	}
	for c := range elixirArguments(b, n) {
		b.consumeAll(c)
	}
}

// elixirImported records what the call n imports from the module at path: alias and require its
// name, import and use all its members, or those in "only".
func elixirImported(b *builder, n, name int, path string) {
	if b.kind(name) != "alias" {
		return
	}
	switch string(b.bytes(b.child(n, "target"))) {
	case "alias", "require":
		_, local := elixirSplit(b, name)
		if as := elixirOption(b, n, "as"); b.kind(as) == "alias" {
			local = b.name(as)
		}
		b.imports(name, local, path, "")
	default:
		elixirMembers(b, n, name, path)
	}
	elixirName(b, name, RefImport)
}

func elixirMembers(b *builder, n, name int, path string) {
	only := b.first(elixirOption(b, n, "only"), "keywords")
	if only < 0 {
		b.imports(name, "", path, "*")
		return
	}
	for pair := range b.children(only) {
		if key := b.child(pair, "key"); key >= 0 {
			member := b.intern(bytes.TrimRight(b.bytes(key), ": "))
			b.imports(key, member, path, member)
		}
	}
}
