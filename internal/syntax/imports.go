package syntax

import (
	"bytes"
	"cmp"
	"strings"
)

// imports records that the file takes a member of the module at path, or with "*" all
// of them, or with "" the module itself, and calls it local. It stands at n.
func (b *builder) imports(n int, local, path, member string) {
	if n < 0 || path == "" {
		return
	}
	b.file.Imports = append(b.file.Imports, Import{
		Local: local, Path: path, Member: member, Start: b.start(n), End: b.end(n), Line: b.row(n) + 1,
	})
}

// name is the text of n, "" for none.
func (b *builder) name(n int) string {
	if n < 0 {
		return ""
	}
	return b.intern(b.bytes(n))
}

// unquoted is the text of a string literal without its quotes, if nothing in it is
// computed.
func (b *builder) unquoted(n int) string { return b.intern(bytes.Trim(b.bytes(n), "\"'`<>")) }

// importAll records that all names of what a string literal names become visible.
func (b *builder) importAll(n int) { b.imports(n, "", b.unquoted(n), "*") }

// cutMember is what a path ends with after the separator, and the path before that.
func cutMember(path, separator string) (module, member string) {
	at := strings.LastIndex(path, separator)
	if at < 0 {
		return path, ""
	}
	return path[:at], path[at+len(separator):]
}

// importMember records that the file takes what a path ends with, by its own name
// unless it is given another.
func (b *builder) importMember(n int, path, separator, local string) {
	module, member := cutMember(path, separator)
	b.imports(n, cmp.Or(local, member, module), module, member)
}
