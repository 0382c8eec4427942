package syntax

import "bytes"

// What a file of CommonJS loads, as people write it.
// A loaded module without a name of its own, as in require("m").f or module.exports = require("m"), is imported under
// its path, which is also the qualifier of f, or the name of the reference to the whole module.

// javascriptLoad returns the call of require or import that a value is, in the parentheses of what bundlers wrap
// around it, and the member that is selected from what it loads. Both are -1 for another value.
func javascriptLoad(b *builder, value int) (call, member int) {
	member = -1
	for n := value; ; {
		switch b.kind(n) {
		case "await_expression", "parenthesized_expression":
			n = javascriptFirst(b, n)
		case "member_expression":
			if member >= 0 {
				return -1, -1
			}
			member, n = b.child(n, "property"), b.child(n, "object")
		case "call_expression":
			called, first := b.child(n, "function"), javascriptSource(b, n)
			switch name := string(b.bytes(called)); {
			case (name == "require" || name == "import") && b.kind(first) == "string":
				return n, member
			case !javascriptInterop[name[bytes.LastIndexByte([]byte(name), '.')+1:]]:
				return -1, -1
			}
			n = first
		default:
			return -1, -1
		}
	}
}

// javascriptInterop has the functions that compilers and bundlers wrap around a loaded module.
var javascriptInterop = map[string]bool{"__importDefault": true, "__importStar": true, "__toESM": true,
	"_interopRequireDefault": true, "_interopRequireWildcard": true}

// javascriptSource returns the first argument of a call, -1 for none: the string that require or import loads.
func javascriptSource(b *builder, call int) int {
	return javascriptFirst(b, b.child(call, "arguments"))
}

// javascriptFirst returns the first node in a node, -1 for none.
func javascriptFirst(b *builder, n int) int {
	if n < 0 || b.leaf(n) {
		return -1
	}
	return n + 1
}

// javascriptNames records the names that a declaration gives to a loaded module, to a member of it, or to its parts.
func javascriptNames(b *builder, name, call, member int) {
	b.consume(call)
	source := javascriptSource(b, call)
	switch b.kind(name) {
	case "identifier":
		of := b.name(member)
		b.imports(name, b.name(name), b.unquoted(source), of)
		if last := &b.file.Imports[len(b.file.Imports)-1]; member >= 0 {
			last.End = b.end(member)
		}
		if of == "" || of == b.name(name) {
			b.refer(name, RefImport)
		}
		b.consume(name)
		b.refer(member, RefImport)
	case "object_pattern":
		if member >= 0 {
			b.refer(member, RefImport)
			b.imports(member, "", b.unquoted(source), b.name(member))
		}
		for c := range b.children(name) {
			javascriptPart(b, c, source)
		}
	}
}

// javascriptPart records one of the parts in const {a, b: c} = require("m"). Those of a member, as in require("m").all,
// mostly have their names in the module, too.
func javascriptPart(b *builder, n, source int) {
	key, value := n, n
	switch b.kind(n) {
	case "object_assignment_pattern":
		key = b.child(n, "left")
		value = key
	case "pair_pattern":
		key, value = b.child(n, "key"), b.child(n, "value")
		if b.kind(value) == "assignment_pattern" {
			value = b.child(value, "left")
		}
	case "rest_pattern":
		b.imports(n, b.name(javascriptFirst(b, n)), b.unquoted(source), "")
		b.consumeAll(n)
		return
	case "shorthand_property_identifier_pattern":
	default:
		return
	}
	local := b.name(value)
	if !b.isIdentifier(value) {
		local = ""
		b.bind(value)
	}
	b.refer(key, RefImport)
	b.imports(n, local, b.unquoted(source), b.name(key))
	b.consume(key)
	b.consume(value)
}

// javascriptRequire records a module that a call of require or import loads, unless a declaration has named it.
func javascriptRequire(b *builder, n int) {
	if call, member := javascriptLoad(b, n); call != n || member >= 0 || b.consumed(n) {
		return
	}
	source := javascriptSource(b, n)
	path := b.unquoted(source)
	whole, member := javascriptAround(b, n)
	if as := javascriptExportedAs(b, whole); as != "" && member >= 0 {
		b.imports(source, as, path, b.name(member))
	} else if as != "" {
		exportName(b, source, path, as)
		if as == ModuleExports {
			b.importAll(source)
		}
	}
	of := b.parent(whole)
	if b.kind(of) == "expression_statement" && member < 0 {
		b.imports(source, "", path, "") // for its effects
		return
	}
	b.imports(source, path, path, "")
	if member >= 0 {
		return
	}
	switch {
	case javascriptSpread(b, whole):
		b.importAll(source)
	case b.kind(of) == "call_expression" && b.child(of, "function") == whole,
		b.kind(of) == "new_expression":
		b.referTo(path, source, RefCall)
	case b.kind(of) == "class_heritage" || b.kind(of) == "extends_clause":
		b.referTo(path, source, RefInherit)
	default:
		b.referTo(path, source, RefUse)
	}
}

// javascriptAround returns the expression around a call that loads a module, and the selected member, -1 for none.
func javascriptAround(b *builder, n int) (whole, member int) {
	for {
		switch p := b.parent(n); b.kind(p) {
		case "await_expression", "parenthesized_expression":
			n = p
		case "member_expression":
			return p, b.child(p, "property")
		default:
			return n, -1
		}
	}
}
