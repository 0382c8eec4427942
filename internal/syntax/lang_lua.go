package syntax

import (
	"bytes"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

var luaRules = rules{
	on: map[string]rule{
		"function_statement":   luaFunction,
		"variable_declaration": luaVariable,
		"field":                luaField,

		"function_call":  luaCall,
		"identifier":     luaIdentifier,
		"parameter_list": bindAll,
		"for_generic":    bind("identifier_list"),
		"for_numeric":    bind("var"),
	},
	valueTypes: map[string]valueTypeRule{"function_call": luaValueType},
	naming: naming{
		separators: ". :",
		selfNames:  "self",
		predeclared: `self ipairs pairs print require type tostring tonumber setmetatable getmetatable error assert pcall xpcall
			select next rawget rawset rawequal unpack string table math io os coroutine debug _G _ENV _`,
		predeclaredUnqualified: true,
	},
	placement: placement{comments: "comment"},
	reading: reading{
		leadingBlanks: true,
		rewrite:       luaRewrite,
	},
}

// luaNewer matches what the grammar does not know or only partly supports: annotated comments
// (---@param), and attributes of local variables.
var luaNewer = lazyregexp.New(`(?m)^[ \t]*---|<(?:const|close)>`)

// luaRewrite turns annotated comments into plain ones, and blanks out attributes.
func luaRewrite(text []byte) []byte {
	return luaNewer.ReplaceAllFunc(text, func(found []byte) []byte {
		if found[0] == '<' {
			return bytes.Repeat([]byte{' '}, len(found))
		}
		return append(found[:len(found)-1:len(found)-1], ' ')
	})
}

// luaPath returns the last name of a path of identifiers, and the names before it as a
// qualifier.
func luaPath(b *builder, n int) (name int, qualifier string) {
	name = n
	for c := range b.children(n) {
		if b.kind(c) != "identifier" {
			continue
		}
		if name != n {
			qualifier += "::" + b.intern(b.bytes(name))
		}
		name = c
	}
	return name, strings.TrimPrefix(qualifier, "::")
}

// luaFunction declares a function by its own name, qualified by its table.
func luaFunction(b *builder, n int) {
	path := b.child(n, "name")
	d := declaration{kind: KindFunction, body: luaBody(b, n)}
	d.name, d.qualifier = luaPath(b, path)
	if b.first(path, "table_colon") >= 0 {
		d.kind = KindMethod
	}
	b.consumeAll(path)
	b.declare(n, d)
}

// luaBody returns the offset where a function's signature ends.
func luaBody(b *builder, n int) int {
	if body := b.first(n, "function_body"); body >= 0 {
		return body
	}
	return b.first(n, "function_end")
}

// luaVariable declares functions by the variable or field that they are assigned to, a file's
// variables where they are first assigned, and its tables. It binds the variables of functions.
func luaVariable(b *builder, n int) {
	names, values := slices.Collect(b.fields(n, "name")), slices.Collect(b.fields(n, "value"))
	for i, declarator := range names {
		value := -1
		if len(names) == len(values) {
			value = values[i]
		}
		d := declaration{kind: KindVariable, body: b.multilineValue(value)}
		d.name, d.qualifier = luaPath(b, declarator)
		outside := n >= b.localsEnd
		switch {
		case b.kind(value) == "function" && len(names) == 1:
			d.kind, d.body = KindFunction, luaBody(b, value)
		case d.qualifier == "" && !outside:
			behind(itself, func(b *builder, _ int) { b.bindVariable(d.name, -1, value) })(b, n)
			continue
		case d.qualifier == "" && b.declares(KindVariable, b.bytes(d.name)),
			d.qualifier != "" && (!outside || b.kind(value) != "tableconstructor"):
			continue
		}
		if bytes.HasPrefix(bytes.TrimLeft(b.text[b.end(declarator):], " \t"), []byte("<const>")) {
			d.kind = KindConstant
		}
		b.consumeAll(declarator)
		d.noChildren = len(names) > 1
		b.declare(n, d)
	}
}

// luaField declares a function in a table.
func luaField(b *builder, n int) {
	name, value := b.child(n, "name"), b.child(n, "value")
	b.consume(name)
	if name >= 0 && b.kind(value) == "function" {
		b.declare(n, declaration{kind: KindFunction, name: name, body: luaBody(b, value)})
	}
}

// luaCall records a call, or the required module.
func luaCall(b *builder, n int) {
	called, qualifier := luaPath(b, n)
	if called == n {
		return
	}
	if string(b.bytes(called)) == "require" && qualifier == "" {
		arguments := b.child(n, "args")
		if text := b.bytes(arguments); len(text) > 0 {
			path := bytes.Trim(text, "()\"'[] \t\n")
			if b.kind(arguments) == "string_argument" || b.first(arguments, "string") == arguments+1 {
				b.referTo(b.intern(path), arguments, RefImport)
				luaImport(b, n, arguments, b.intern(path))
			}
		}
	}
	if luaMember(b, called) || !b.local(called) {
		b.refer(called, RefCall)
	}
}

// luaValueType returns the type of T.new() and T:new().
func luaValueType(b *builder, n int) string {
	called, qualifier := luaPath(b, n)
	of := []byte(qualifier[strings.LastIndex(qualifier, ":")+1:])
	if string(b.bytes(called)) == "new" && capital(of) {
		return b.resolve(of)
	}
	return ""
}

// luaImport records the module that a call requires, by the variable that it is assigned to, or
// by its selected field: require("m").f.
func luaImport(b *builder, n, at int, path string) {
	local, member, p := "", "", b.parent(n)
	if b.kind(p) == "variable_declaration" {
		names, values := slices.Collect(b.fields(p, "name")), slices.Collect(b.fields(p, "value"))
		if i := slices.Index(values, n); len(names) == 1 && i == 0 && len(values) == 2 {
			local, member = b.name(names[0]), b.name(values[1])
		} else if i >= 0 && i < len(names) {
			local = b.name(names[i])
		}
	}
	b.imports(at, local, path, member)
}

// luaIdentifier refers to a name. After a dot it is never local.
func luaIdentifier(b *builder, n int) {
	if luaMember(b, n) || !b.local(n) {
		b.refer(n, RefUse)
	}
}

// luaMember reports whether a name follows a dot or colon. The grammar has no node for it.
func luaMember(b *builder, n int) bool {
	before := bytes.TrimRight(b.text[:b.start(n)], " \t\r\n")
	return bytes.HasSuffix(before, []byte(":")) && !bytes.HasSuffix(before, []byte("::")) ||
		bytes.HasSuffix(before, []byte(".")) && !bytes.HasSuffix(before, []byte(".."))
}
