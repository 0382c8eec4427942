package syntax

import (
	"bytes"
	"cmp"
	"strings"
)

// scalaImport records the selected names, or the last name of the path.
func scalaImport(b *builder, n int) {
	last := -1
	for c := range b.fields(n, "path") {
		last = c
	}
	for c := range b.children(b.first(n, "namespace_selectors")) {
		last = -1
		if b.kind(c) == "identifier" {
			b.refer(c, RefImport)
		}
		b.refer(b.child(c, "name"), RefImport)
	}
	b.refer(last, RefImport)
	b.consumeAll(n)
	scalaClauses(b, n)
}

// scalaClauses records the clauses of an import or export, for which the grammar has no nodes:
// a.b.C, a.b.{C => D, _}, a.b as c.
func scalaClauses(b *builder, n int) {
	_, text, _ := bytes.Cut(b.bytes(n), []byte{' '})
	for rest := string(text); rest != ""; {
		comma := strings.IndexByte(rest, ',')
		if open := strings.IndexByte(rest, '{'); open >= 0 && open < comma {
			comma = strings.IndexByte(rest, '}') + 1
		}
		clause := rest
		if comma <= 0 || comma >= len(rest) {
			rest = ""
		} else {
			clause, rest = rest[:comma], rest[comma+1:]
		}
		path, selectors, braces := strings.Cut(clause, "{")
		if !braces {
			path, selectors = cutMember(clause, ".")
		}
		for selector := range strings.SplitSeq(strings.TrimRight(selectors, "} \t\r\n"), ",") {
			scalaSelector(b, n, strings.Trim(path, ". \t\r\n"), selector)
		}
	}
}

// scalaSelector records one name or all names at path. A hidden name is not imported.
func scalaSelector(b *builder, n int, path, selector string) {
	words := strings.Fields(strings.Replace(selector, "=>", " as ", 1))
	switch {
	case len(words) == 0 || len(words) == 3 && words[2] == "_":
	case words[0] == "_" || words[0] == "*" || words[0] == "given":
		b.imports(n, "", b.intern([]byte(path)), "*")
	default:
		member, local := b.intern([]byte(words[0])), ""
		if len(words) == 3 && words[1] == "as" {
			local = b.intern([]byte(words[2]))
		}
		b.imports(n, cmp.Or(local, member), b.intern([]byte(path)), member)
	}
}
