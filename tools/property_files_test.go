package tools_test

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"ploke-lsp/internal/workspace"
)

// random generates files, edits and typing. All text that it writes is new, so the same change
// is never made twice by chance, and each place is found by its text.
type random struct {
	*rand.Rand
	n int
}

func newRandom(seed uint64) *random { return &random{Rand: rand.New(rand.NewPCG(seed, 5))} }

// pick returns one of the choices.
func pick[T any](r *random, choices ...T) T { return choices[r.IntN(len(choices))] }

// word returns a unique word.
func (r *random) word() string {
	r.n++
	return fmt.Sprintf("%s%dq", pick(r, "w", "é", "日本", "😀 ", "a b\t"), r.n)
}

// dialect is how a language writes what the test needs: a function with a name and a string in
// it, its doc comment, and a class for such functions.
type dialect struct {
	extension, head string
	function, doc   string // with %[1]s for the name, and %[2]s for the string
	method          string // in a class
	class, end      string // around methods; "" for none
	indent          string // of methods
}

var dialects = []dialect{
	{extension: "go", head: "package p\n\n", function: "func %[1]s() string {\n\treturn \"%[2]s\"\n}", doc: "// %[1]s returns %[2]s."},
	{extension: "py", function: "def %[1]s():\n    return \"%[2]s\"", method: "def %[1]s(self):\n    return \"%[2]s\"",
		class: "class %[1]s:\n", indent: "    "},
	{extension: "js", function: "function %[1]s() {\n  return '%[2]s';\n}", method: "%[1]s() {\n  return '%[2]s';\n}",
		doc: "/** %[1]s returns %[2]s. */", class: "class %[1]s {\n", end: "}\n", indent: "  "},
	{extension: "ts", function: "export function %[1]s(): string {\n\treturn '%[2]s';\n}", method: "%[1]s(): string {\n\treturn '%[2]s';\n}",
		doc: "/**\n * %[1]s returns\n * %[2]s.\n */", class: "export class %[1]s {\n", end: "}\n", indent: "\t"},
	{extension: "rs", function: "fn %[1]s() -> &'static str {\n    \"%[2]s\"\n}", doc: "/// %[1]s returns\n/// %[2]s."},
	{extension: "c", head: "#include <stdio.h>\n\n", function: "const char *%[1]s(void)\n{\n\treturn \"%[2]s\";\n}", doc: "/* %[1]s returns %[2]s. */"},
	{extension: "rb", function: "def %[1]s\n  '%[2]s'\nend", doc: "# %[1]s returns %[2]s."},
	{extension: "lua", function: "function %[1]s()\n  return '%[2]s'\nend", doc: "-- %[1]s returns %[2]s."},
	{extension: "txt", function: "%[1]s\n\tand %[2]s"},
	{extension: "md", function: "* %[1]s\n  %[2]s café"},
}

// symbols reports whether the tools find symbols in such a file.
func (d dialect) symbols() bool { return d.extension != "txt" && d.extension != "md" }

// item is one function of a file, with its text there.
type item struct {
	name, class, indent string
	full                string // with its doc comment; it occurs once
	text                string // the end of full, without the comment
	word                string // in text
}

// newItem makes a function or a method as a model writes it: with line feeds and without
// indentation.
func (d dialect) newItem(r *random, class string) *item {
	r.n++
	it := &item{name: fmt.Sprintf("f%d", r.n), class: class}
	if class != "" {
		it.indent = d.indent
	}
	return d.rewritten(r, it, r.IntN(2) == 0)
}

// rewritten returns a function of the same name with other text.
func (d dialect) rewritten(r *random, old *item, documented bool) *item {
	it := &item{name: old.name, class: old.class, indent: old.indent, word: r.word()}
	form := d.function
	if it.class != "" {
		form = d.method
	}
	it.text = fmt.Sprintf(form, it.name, it.word)
	it.full = it.text
	if d.doc != "" && documented {
		it.full = fmt.Sprintf(d.doc, it.name, r.word()) + "\n" + it.text
	}
	return it
}

// documented reports whether the item has a doc comment.
func (it *item) documented() bool { return it.full != it.text }

// placed returns an item with its texts as they are in a file.
func (it *item) placed(newline func() string) *item {
	p := *it
	p.full = lay(it.full, it.indent, newline)
	p.text = p.full[strings.LastIndex(p.full, firstLine(it.text)):]
	return &p
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// lay gives text the line ends, and all its lines but the first the indentation.
func lay(text, indent string, newline func() string) string {
	first, rest, many := strings.Cut(text, "\n")
	if !many {
		return first
	}
	return first + newline() + indent + lay(rest, indent, newline)
}

// file is the test's model of a file.
type file struct {
	dialect dialect
	items   []*item // in their order
	broken  bool    // it may have syntax errors
}

// file makes a file in one of several languages, with any line ends, with or without a byte
// order mark and a final newline.
func (r *random) file() (f *file, data string) {
	f = &file{dialect: dialects[r.IntN(len(dialects))]}
	ends := pick(r, []string{"\n"}, []string{"\n"}, []string{"\r\n"}, []string{"\n", "\r\n"})
	newline := func() string { return pick(r, ends...) }
	data = lay(f.dialect.head, "", newline)
	for range 2 + r.IntN(6) {
		if f.dialect.class == "" || r.IntN(3) > 0 {
			data += f.add(r, "", newline) + newline()
			continue
		}
		r.n++
		class := fmt.Sprintf("C%d", r.n)
		data += lay(fmt.Sprintf(f.dialect.class, class), "", newline)
		for range 2 + r.IntN(2) {
			data += f.add(r, class, newline)
		}
		data += lay(f.dialect.end+"\n", "", newline)
	}
	if r.IntN(3) == 0 {
		data = strings.TrimRight(data, "\r\n")
	}
	if r.IntN(4) == 0 {
		data = workspace.ByteOrderMark + data
	}
	return f, data
}

// add adds another item, and returns its lines.
func (f *file) add(r *random, class string, newline func() string) string {
	it := f.dialect.newItem(r, class).placed(newline)
	f.items = append(f.items, it)
	return it.indent + it.full + newline() + pick(r, "", newline())
}
