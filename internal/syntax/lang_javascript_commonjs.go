package syntax

import "bytes"

// What a file of CommonJS exports, as people write it.

// javascriptExportedAs returns the name under which a module exports a value, "" for none.
func javascriptExportedAs(b *builder, value int) string {
	p := b.parent(value)
	if b.kind(p) == "return_statement" && javascriptGetter(b, b.parent(b.parent(p))) {
		p = b.parent(b.parent(p))
	}
	switch b.kind(p) {
	case "pair":
		if javascriptExported(b, p) {
			return b.name(b.child(p, "key"))
		}
	case "method_definition":
		if javascriptExported(b, p) {
			return b.name(b.child(p, "name"))
		}
	case "assignment_expression":
		left := b.child(p, "left")
		switch {
		case p < b.localsEnd:
		case javascriptModuleExports(b, left):
			return ModuleExports
		case javascriptModuleExports(b, b.child(left, "object")):
			return b.name(b.child(left, "property"))
		}
	}
	return ""
}

// javascriptGetter reports whether a method stands for a module that it loads when it is first asked for.
func javascriptGetter(b *builder, n int) bool {
	if b.kind(n) != "method_definition" || !bytes.HasPrefix(b.bytes(n), []byte("get ")) {
		return false
	}
	returned := b.first(b.child(n, "body"), "return_statement")
	call, _ := javascriptLoad(b, javascriptFirst(b, returned))
	return call >= 0
}

// javascriptModuleExports reports whether an expression is the object that a file exports.
func javascriptModuleExports(b *builder, n int) bool {
	text := string(b.bytes(n))
	return text == "module.exports" || text == "exports"
}

// javascriptObject returns the object whose members a value has: itself, or that in Object.freeze({…}).
func javascriptObject(b *builder, value int) int {
	if b.kind(value) == "call_expression" && string(b.bytes(b.child(value, "function"))) == "Object.freeze" {
		return javascriptSource(b, value)
	}
	return value
}

// javascriptExported reports whether a member is of the object that a module exports in the way of CommonJS.
func javascriptExported(b *builder, n int) bool {
	object := b.parent(n)
	p := b.parent(object)
	if b.kind(p) == "arguments" { // of Object.freeze or Object.assign
		call := b.parent(p)
		switch string(b.bytes(b.child(call, "function"))) {
		case "Object.freeze":
			p = b.parent(call)
		case "Object.assign":
			return javascriptModuleExports(b, p+1)
		}
	}
	switch b.kind(p) {
	case "assignment_expression":
		return javascriptModuleExports(b, b.child(p, "left"))
	case "export_statement":
		return true
	}
	return false
}

// javascriptSpread reports whether a file exports all that a value has: module.exports = {...value},
// Object.assign(exports, value), or __exportStar(value, exports).
func javascriptSpread(b *builder, value int) bool {
	p := b.parent(value)
	switch b.kind(p) {
	case "spread_element":
		return javascriptExported(b, p)
	case "arguments":
		switch called := b.bytes(b.child(b.parent(p), "function")); {
		case string(called) == "Object.assign":
			return javascriptModuleExports(b, p+1)
		case bytes.HasSuffix(called, []byte("__exportStar")) || bytes.HasSuffix(called, []byte("__export")):
			return true
		}
	}
	return false
}

// javascriptSpreadName records that a file exports all that a loaded module has by its name in the file.
func javascriptSpreadName(b *builder, n int) {
	if !javascriptSpread(b, n) {
		return
	}
	for _, i := range b.file.Imports {
		if i.Local == b.name(n) && i.Path != OwnFile && i.Member == "" {
			b.imports(n, "", i.Path, "*")
			return
		}
	}
}

// javascriptCommonJS records the other names under which a file exports its own names in the way of CommonJS:
// module.exports = a, module.exports = { b: a }, and exports.b = a.
func javascriptCommonJS(b *builder, left, value int) {
	for b.kind(value) == "assignment_expression" {
		value = b.child(value, "right")
	}
	switch whole := javascriptModuleExports(b, left); {
	case whole && b.kind(value) == "identifier":
		exportAs(b, value, ModuleExports)
	case whole:
		for c := range b.children(javascriptObject(b, value)) {
			if of := b.child(c, "value"); b.kind(c) == "pair" && b.kind(of) == "identifier" {
				exportUnder(b, of, b.child(c, "key"))
			} else if name := b.name(c); b.kind(c) == "shorthand_property_identifier" && importedAs(b, name) {
				exportAs(b, c, name)
			}
		}
	case b.kind(left) == "member_expression" && b.kind(value) == "identifier" &&
		javascriptModuleExports(b, b.child(left, "object")):
		exportUnder(b, value, b.child(left, "property"))
	}
}

// javascriptAssignment declares a function or class that is assigned to a property outside of functions: exports.f,
// Type.f, and Type.prototype.f, an object that is exported so, and what module.exports is.
func javascriptAssignment(b *builder, n int) {
	if b.localsEnd > n {
		return
	}
	left, value := b.child(n, "left"), b.child(n, "right")
	javascriptCommonJS(b, left, value)
	object := bytes.TrimSuffix(b.bytes(b.child(left, "object")), []byte(".prototype"))
	d := declaration{kind: KindFunction, name: b.child(left, "property"), body: b.child(value, "body")}
	switch {
	case b.kind(value) == "class":
		d.kind = KindClass
	case b.kind(value) == "object" && bytes.HasSuffix(object, []byte("exports")):
		d.kind, d.body = KindVariable, value
	case !javascriptFunction(b, value):
		return
	}
	if name := b.child(value, "name"); name >= 0 && !javascriptWhole(b, n) {
		b.consume(name) // only the function itself sees it
	}
	switch {
	case javascriptWhole(b, n):
		javascriptDeclareWhole(b, n, value, d)
		return
	case b.kind(left) != "member_expression":
		return
	}
	switch string(object) {
	case "exports", "module.exports", "module", "this", "window", "globalThis":
		javascriptChain(b, n, d.name)
	default:
		d.qualifier = string(bytes.ReplaceAll(object, []byte("."), []byte("::")))
		if d.kind == KindFunction {
			d.kind = KindMethod
		}
	}
	b.declare(n, d)
}

// javascriptWhole reports whether one of the assignments of a value is to module.exports.
func javascriptWhole(b *builder, n int) bool {
	for ; b.kind(n) == "assignment_expression"; n = b.parent(n) {
		if string(b.bytes(b.child(n, "left"))) == "module.exports" {
			return true
		}
	}
	return false
}

// javascriptDeclareWhole declares what module.exports is, by its own name or that of its variable, if it has one.
func javascriptDeclareWhole(b *builder, n, value int, d declaration) {
	of := b.parent(n)
	for b.kind(of) == "assignment_expression" {
		of = b.parent(of)
	}
	if b.kind(of) == "variable_declarator" {
		exportAs(b, b.child(of, "name"), ModuleExports) // the variable is declared
		return
	}
	if d.name = b.child(value, "name"); d.name < 0 {
		d.symbolName = Default
	}
	name := d.symbolName
	if d.name >= 0 {
		name = b.name(d.name)
	}
	exportName(b, n, name, ModuleExports)
	b.declare(n, d)
}

// javascriptChain records the other names of a function in exports.a = exports.b = function () {}.
func javascriptChain(b *builder, n, name int) {
	for p := b.parent(n); b.kind(p) == "assignment_expression"; p = b.parent(p) {
		if left := b.child(p, "left"); javascriptModuleExports(b, b.child(left, "object")) {
			exportUnder(b, name, b.child(left, "property"))
		}
	}
}

// javascriptModule returns the path of the module that an expression loads, "" for none.
func javascriptModule(b *builder, n int) string {
	if call, member := javascriptLoad(b, n); call >= 0 && member < 0 {
		return b.unquoted(javascriptSource(b, call))
	}
	return ""
}
