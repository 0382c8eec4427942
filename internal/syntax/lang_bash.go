package syntax

import (
	"bytes"

	"ploke-lsp/internal/lazyregexp"
)

var bashRules = rules{
	on: map[string]rule{
		"function_definition": bashFunction,
		"declaration_command": bashLocal,
		"variable_assignment": bashAssignment,

		"command":       bashCommand,
		"variable_name": leaf(RefUse),
		"for_statement": bind("variable"),
	},
	naming: naming{
		identifiers: "variable_name word",
		predeclared: `0 1 2 3 4 5 6 7 8 9 ? @ * # : [ set unset echo printf cd pwd exit return shift test true false eval exec
			trap wait kill read source . export local declare readonly typeset getopts let pushd popd shopt umask alias
			unalias break continue type command builtin hash ulimit times mapfile readarray IFS PATH HOME PWD`,
	},
	placement: placement{
		comments: "comment",
		groups:   "declaration_command",
	},
	reading: reading{rewrite: bashRewrite},
}

// bashTest matches the head of a Bats test, up to its brace.
var bashTest = lazyregexp.New(`(?m)^[ \t]*(@test[ \t]+["'][^\n]*["'][ \t]+)\{`)

// bashRewrite makes functions of Bats tests, which the grammar does not know; Bats does the
// same.
func bashRewrite(text []byte) []byte {
	heads := bashTest.FindAllSubmatchIndex(text, -1)
	if heads == nil {
		return text
	}
	text = bytes.Clone(text)
	for _, head := range heads {
		name := text[head[2] : head[3]-2]
		copy(name, bytes.Repeat([]byte{'_'}, len(name)))
		copy(text[head[3]-2:], "()")
	}
	return text
}

// bashFunction declares a function, or a test by its description.
func bashFunction(b *builder, n int) {
	d := declaration{kind: KindFunction, name: b.child(n, "name"), body: b.child(n, "body")}
	if subject, ok := bytes.CutPrefix(b.bytes(d.name), []byte("@test")); ok {
		d.kind, d.symbolName = KindTest, b.intern(bytes.Trim(subject, " \t\"'"))
	}
	b.declare(n, d)
}

// bashLocal binds the local variables of a function.
func bashLocal(b *builder, n int) {
	for c := range b.children(n) {
		switch b.kind(c) {
		case "variable_name":
			b.bind(c)
		case "variable_assignment":
			if n < b.localsEnd {
				b.bind(b.child(c, "name"))
			}
		}
	}
}

// bashAssignment declares the variables of a script where they are first assigned outside of
// functions. An assignment before a command belongs to the command only.
func bashAssignment(b *builder, n int) {
	name, p := b.child(n, "name"), b.parent(n)
	switch {
	case b.kind(name) != "variable_name":
	case b.kind(p) == "command":
		b.consume(name)
	case n >= b.localsEnd && !b.declares(KindVariable, b.bytes(name)) && !b.declares(KindConstant, b.bytes(name)):
		d := declaration{kind: KindVariable, name: name, body: b.multilineValue(b.child(n, "value"))}
		if b.kind(p) == "declaration_command" && bytes.HasPrefix(b.bytes(p), []byte("readonly")) {
			d.kind = KindConstant
		}
		b.declare(n, d)
	}
}

// bashImport records the literal part of a script's path.
func bashImport(b *builder, argument int) {
	path := bytes.Trim(b.bytes(argument), `"'`)
	if !b.leaf(argument) {
		path = nil
		for c := range b.children(argument) {
			if k := b.kind(c); k == "string_content" || k == "word" {
				path = bytes.Trim(b.bytes(c), "/")
			}
		}
	}
	if len(path) > 0 {
		b.referTo(b.intern(path), argument, RefImport)
		b.imports(argument, "", b.intern(path), "*")
	}
}

// bashCommand records a command, the script that it loads, or the function that it sets as a
// trap.
func bashCommand(b *builder, n int) {
	name, argument := b.child(n, "name"), b.child(n, "argument")
	switch string(b.bytes(name)) {
	case "source", ".":
		if argument >= 0 {
			bashImport(b, argument)
		}
	case "trap":
		if b.kind(argument) == "word" {
			b.refer(argument, RefCall)
		}
	case "read":
		for c := range b.fields(n, "argument") {
			if b.kind(c) == "word" && !bytes.HasPrefix(b.bytes(c), []byte("-")) {
				b.bind(c)
			}
		}
	}
	if word := name + 1; name >= 0 && b.kind(word) == "word" {
		b.refer(word, RefCall)
	}
}
