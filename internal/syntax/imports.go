package syntax

import (
	"bytes"
	"cmp"
	"strings"
)

// imports records an import at n: member is a name in the module at path, "*" for all names, or
// "" for the module itself. The file calls it local.
func (b *builder) imports(n int, local, path, member string) {
	if n < 0 || path == "" {
		return
	}
	b.file.Imports = append(b.file.Imports, Import{
		Local: local, Path: path, Member: member, Start: b.start(n), End: b.end(n), Line: b.row(n) + 1,
	})
}

// ownPackage records the package that a file declares to be a part of. Its name is the first child
// of one of the kinds.
func ownPackage(kinds string) rule {
	return func(b *builder, n int) {
		b.consumeAll(n)
		for kind := range strings.FieldsSeq(kinds) {
			if name := b.first(n, kind); name >= 0 {
				b.imports(name, "", b.name(name), OwnPackage)
				return
			}
		}
	}
}

// name returns the text of n, "" for -1.
func (t *tree) name(n int) string {
	if n < 0 {
		return ""
	}
	return t.intern(t.bytes(n))
}

// unquoted returns the text of a string literal without its quotes.
func (t *tree) unquoted(n int) string { return t.intern(bytes.Trim(t.bytes(n), "\"'`<>")) }

// importAll records that all names of the module in the string literal n become visible.
func (b *builder) importAll(n int) { b.imports(n, "", b.unquoted(n), "*") }

// cutMember splits path at the last separator.
func cutMember(path, separator string) (module, member string) {
	at := strings.LastIndex(path, separator)
	if at < 0 {
		return path, ""
	}
	return path[:at], path[at+len(separator):]
}

// importMember records the import of the last part of path, by its own name unless local gives
// another.
func (b *builder) importMember(n int, path, separator, local string) {
	module, member := cutMember(path, separator)
	b.imports(n, cmp.Or(local, member, module), module, member)
}
