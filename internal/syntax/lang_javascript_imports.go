package syntax

import (
	"bytes"
	"cmp"
	"slices"
)

// javascriptExport records the names that `export … from` imports, by their exported names, and the other names under
// which the file's own are exported.
func javascriptExport(b *builder, n int) {
	source := b.child(n, "source")
	if source < 0 {
		for c := range b.children(b.first(n, "export_clause")) {
			exportUnder(b, b.child(c, "name"), b.child(c, "alias"))
		}
		switch text := b.bytes(n); {
		case bytes.HasPrefix(text, []byte("export default")):
			javascriptExportAs(b, n, Default)
		case bytes.HasPrefix(text, []byte("export =")):
			javascriptExportAs(b, n, ModuleExports)
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

// javascriptExportAs records under which name a file exports the name of one of its own.
func javascriptExportAs(b *builder, n int, as string) {
	for c := range b.children(n) {
		name := c
		if b.kind(c) != "identifier" {
			name = b.child(c, "name")
		}
		if name >= 0 && b.isIdentifier(name) {
			exportAs(b, name, as)
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
		b.refer(c+1, RefImport)
		b.imports(c, b.name(c+1), b.unquoted(b.child(c, "source")), "")
		return
	}
	source := b.child(n, "source")
	b.imports(source, "", b.unquoted(source), "")
}

// exportUnder records that the file exports the name n under the name at the node alias. The same name there is a use
// of it.
func exportUnder(b *builder, n, alias int) {
	if n < 0 || alias < 0 {
		return
	}
	if same := bytes.Equal(b.bytes(n), b.bytes(alias)); !same || importedAs(b, b.name(n)) {
		exportAs(b, n, b.name(alias))
	}
	if b.consume(alias) && bytes.Equal(b.bytes(n), b.bytes(alias)) {
		b.referTo(b.name(n), alias, RefUse)
	}
}

// exportAs records that the file exports the name n under another name, see [OwnFile].
func exportAs(b *builder, n int, alias string) { exportName(b, n, b.name(n), alias) }

// exportName records at n that the file exports what it calls name.
func exportName(b *builder, n int, name, alias string) {
	b.file.Imports = append(b.file.Imports, Import{
		Local: alias, Path: OwnFile, Member: name, Start: b.start(n), End: b.end(n), Line: b.row(n) + 1,
	})
}

// importedAs reports whether the file has imported something under a name.
func importedAs(b *builder, name string) bool {
	return slices.ContainsFunc(b.file.Imports, func(i Import) bool { return i.Local == name && i.Path != OwnFile })
}
