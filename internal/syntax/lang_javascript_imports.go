package syntax

import (
	"bytes"
	"cmp"
)

// javascriptExport records the names that `export … from` imports, by their exported names, and the other names under
// which the file's own are exported.
func javascriptExport(b *builder, n int) {
	source := b.child(n, "source")
	if source < 0 {
		for c := range b.children(b.first(n, "export_clause")) {
			exportUnder(b, b.child(c, "name"), b.child(c, "alias"))
		}
		if text := b.bytes(n); bytes.HasPrefix(text, []byte("export default")) || bytes.HasPrefix(text, []byte("export =")) {
			javascriptExportDefault(b, n)
		}
		return
	}
	importString(b, source)
	if c := b.first(n, "namespace_export"); c >= 0 {
		b.imports(source, b.name(c+1), b.unquoted(source), "")
		b.consume(c + 1)
		return
	}
	clause := b.first(n, "export_clause")
	if clause < 0 {
		b.importAll(source)
	}
	javascriptSpecifiers(b, clause, source)
	b.consumeAll(clause)
}

// javascriptExportDefault records the name of what a file exports as its default.
func javascriptExportDefault(b *builder, n int) {
	for c := range b.children(n) {
		name := c
		if b.kind(c) != "identifier" {
			name = b.child(c, "name")
		}
		if name >= 0 && b.isIdentifier(name) {
			exportAs(b, name, Default)
		}
	}
}

// javascriptCommonJS records the other names under which a file exports its own names in the way of CommonJS:
// module.exports = a, module.exports = { b: a }, and exports.b = a.
func javascriptCommonJS(b *builder, left, value int) {
	switch to := string(b.bytes(left)); {
	case to == "module.exports" && b.kind(value) == "identifier":
		exportAs(b, value, Default)
	case to == "module.exports" || to == "exports":
		for c := range b.children(value) {
			if of := b.child(c, "value"); b.kind(c) == "pair" && b.kind(of) == "identifier" {
				exportUnder(b, of, b.child(c, "key"))
			}
		}
	case b.kind(left) == "member_expression" && b.kind(value) == "identifier":
		switch string(b.bytes(b.child(left, "object"))) {
		case "module.exports", "exports":
			exportUnder(b, value, b.child(left, "property"))
		}
	}
}

// javascriptSpecifiers records the names in the braces of an import or export.
func javascriptSpecifiers(b *builder, braces, source int) {
	for c := range b.children(braces) {
		name, alias := b.child(c, "name"), b.child(c, "alias")
		b.refer(name, RefImport)
		b.imports(name, cmp.Or(b.name(alias), b.name(name)), b.unquoted(source), b.name(name))
	}
}

// javascriptImport records a module and the names imported from it.
func javascriptImport(b *builder, n int) {
	source := b.child(n, "source")
	importString(b, source)
	clause := b.first(n, "import_clause")
	if clause < 0 {
		typescriptRequire(b, n)
	}
	for c := range b.children(clause) {
		switch b.kind(c) {
		case "identifier":
			b.refer(c, RefImport)
			b.imports(c, b.name(c), b.unquoted(source), Default)
		case "namespace_import":
			b.imports(c, b.name(c+1), b.unquoted(source), "")
		case "named_imports":
			javascriptSpecifiers(b, c, source)
		}
	}
	b.consumeAll(n)
}

// typescriptRequire records an import without names: for side effects only, or TypeScript's
// import x = require("m").
func typescriptRequire(b *builder, n int) {
	if c := b.first(n, "import_require_clause"); c >= 0 {
		b.imports(c, b.name(c+1), b.unquoted(b.child(c, "source")), "")
		return
	}
	source := b.child(n, "source")
	b.imports(source, "", b.unquoted(source), "")
}

// javascriptRequire records a module that a call of require or import loads. The module may get
// a name, be destructured, or have a member selected.
func javascriptRequire(b *builder, n int) {
	if called := string(b.bytes(b.child(n, "function"))); called != "require" && called != "import" {
		return
	}
	source := b.child(n, "arguments") + 1
	if b.kind(source) != "string" {
		return
	}
	value, member := javascriptLoaded(b, n)
	name := -1
	if to := b.parent(value); b.kind(to) == "variable_declarator" {
		name = b.child(to, "name")
	}
	switch b.kind(name) {
	case "object_pattern":
		javascriptTakenApart(b, name, source)
	case "identifier":
		b.imports(source, b.name(name), b.unquoted(source), member)
	default:
		b.imports(source, "", b.unquoted(source), member)
	}
}

// javascriptLoaded returns the whole expression around a call that loads a module, and the
// selected member.
func javascriptLoaded(b *builder, n int) (value int, member string) {
	for {
		switch p := b.parent(n); b.kind(p) {
		case "await_expression", "parenthesized_expression":
			n = p
		case "member_expression":
			return p, b.name(b.child(p, "property"))
		default:
			return n, ""
		}
	}
}

// javascriptTakenApart records the members in const {a, b: c} = require("m").
func javascriptTakenApart(b *builder, pattern, source int) {
	for c := range b.children(pattern) {
		switch b.kind(c) {
		case "shorthand_property_identifier_pattern":
			b.imports(c, b.name(c), b.unquoted(source), b.name(c))
		case "pair_pattern":
			b.imports(c, b.name(b.child(c, "value")), b.unquoted(source), b.name(b.child(c, "key")))
		}
	}
}

// exportUnder records that the file exports the name n under the name at the node alias, if that is another one.
func exportUnder(b *builder, n, alias int) {
	if n >= 0 && alias >= 0 && !bytes.Equal(b.bytes(n), b.bytes(alias)) {
		exportAs(b, n, b.name(alias))
		b.consume(alias)
	}
}

// exportAs records that the file exports the name n under another name, see [OwnFile].
func exportAs(b *builder, n int, alias string) {
	b.file.Imports = append(b.file.Imports, Import{
		Local: alias, Path: OwnFile, Member: b.name(n), Start: b.start(n), End: b.end(n), Line: b.row(n) + 1,
	})
}
