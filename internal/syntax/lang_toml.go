package syntax

import "bytes"

var tomlRules = rules{
	on: map[string]rule{
		"table":               tomlTable,
		"table_array_element": tomlTable,
		"pair":                tomlPair,
	},
	placement: placement{comments: "comment"},
	reading:   reading{maxSymbols: maxDataSymbols},
}

// tomlPath returns the last name of a key, and the names before it as a qualifier.
func tomlPath(b *builder, key int) (name string, qualifier string) {
	for i := key; i < int(b.nodes[key].next); i++ {
		if !b.leaf(i) {
			continue
		}
		if name != "" {
			qualifier = joinPath(qualifier, name)
		}
		name = title(bytes.Trim(b.bytes(i), `"'`))
	}
	return name, qualifier
}

func joinPath(path, name string) string {
	if path == "" {
		return name
	}
	return path + "::" + name
}

// tomlTable declares a table by its path, and an element of an array of tables by its name key
// in place of a number.
func tomlTable(b *builder, n int) {
	key := n + 1
	if b.leaf(n) {
		return
	}
	d := declaration{kind: KindSection, name: key, body: -1, bodyAt: tomlHead(b, key)}
	d.symbolName, d.qualifier = tomlPath(b, key)
	last := key
	for c := range b.children(n) {
		if b.kind(c) != "pair" {
			continue
		}
		last = c
		if value := c + 2; b.kind(n) == "table_array_element" && string(b.bytes(c+1)) == "name" && b.kind(value) == "string" {
			d.qualifier = joinPath(d.qualifier, d.symbolName)
			d.name, d.symbolName = value, title(bytes.Trim(b.bytes(value), `"'`))
		}
	}
	b.nodes[n].end, b.nodes[n].endRow = uint32(max(tomlHead(b, key), b.end(last))), b.nodes[last].endRow
	b.declare(n, d)
}

// tomlHead returns the offset after the brackets at the beginning of a table.
func tomlHead(b *builder, key int) int {
	rest := b.text[b.end(key):]
	return b.end(key) + len(bytes.TrimRight(rest[:len(rest)-len(bytes.TrimLeft(rest, " \t]"))], " \t"))
}

// tomlPair declares a key outside of inline tables.
func tomlPair(b *builder, n int) {
	if b.kind(b.parent(n)) == "inline_table" {
		return
	}
	last := n + 1
	for c := range b.children(n) {
		if b.kind(c) != "comment" {
			last = c
		}
	}
	b.nodes[n].end, b.nodes[n].endRow = b.nodes[last].end, b.nodes[last].endRow
	d := declaration{kind: KindProperty, name: n + 1, body: -1, noChildren: true}
	d.symbolName, d.qualifier = tomlPath(b, n+1)
	if b.row(n) < b.endRow(n) {
		d.bodyAt = b.end(n + 1)
	}
	b.declare(n, d)
}
