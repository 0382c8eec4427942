package syntax

import (
	"bytes"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// Beginnings of C++ lines that the grammar misreads.
var (
	// cppMacro matches a macro with its arguments, and the word after it.
	cppMacro = lazyregexp.New(`^([A-Z][A-Z0-9_]{2,}(?:\([^()\n]*\))?)[ \t\r]*(?:(\w+)|\n|$)`)
	// cppExport matches a macro between the keyword and the name of a class.
	cppExport = lazyregexp.New(`^(?:class|struct|union)[ \t]+((?:[A-Z][A-Z0-9]*_[A-Z0-9_]*|API|EXPORT)(?:\([^()\n]*\))?)` +
		`[ \t]+[\w:]+[ \t]*(?:final[ \t]*)?(?:\r?\n[ \t]*)?[:{]`)
	// cppMetadata matches what Unreal's reflection reads of a value, a parameter or a member.
	cppMetadata = lazyregexp.New(`\b(?:UCLASS|USTRUCT|UENUM|UINTERFACE|UMETA|UPARAM|UPROPERTY|UFUNCTION|UDELEGATE|` +
		`GENERATED_(?:U?STRUCT_|UCLASS_|IINTERFACE_)?BODY)[ \t]*` +
		`\((?:[^()"\n]|"(?:[^"\\\n]|\\.)*"|\((?:[^()"\n]|"(?:[^"\\\n]|\\.)*")*\))*\)`)
	// cppCase matches the arguments of a macro that defines a test.
	cppCase = lazyregexp.New(`^(?:TEST_CASE|SCENARIO|TEMPLATE_TEST_CASE|TEST_CASE_METHOD|TEST_CASE_FIXTURE|` +
		`TEST_CASE_TEMPLATE)` +
		`[ \t]*\(((?:[^()"\n]|"(?:[^"\\\n]|\\.)*")*)\)`)
)

// cppRewrite blanks out macros that the grammar takes for types, and gives the tests of Catch2
// and doctest names that could be names of parameters.
func cppRewrite(text []byte) []byte {
	text = cppBlank(cRewrite(text))
	rewritten, follows := text, ""
	rewrite := func(start, end int, by func([]byte)) {
		if &rewritten[0] == &text[0] {
			rewritten = bytes.Clone(text)
		}
		by(rewritten[start:end])
	}
	for end := len(text); end > 0; {
		start := bytes.LastIndexByte(text[:end], '\n') + 1
		line := bytes.TrimLeft(text[start:end], " \t\r")
		at := end - len(line)
		end = start - 1
		if len(line) == 0 || bytes.HasPrefix(line, []byte("//")) {
			continue
		}
		word := string(line[:nameEnd(line)])
		if m := cppExport.FindSubmatchIndex(text[at:]); m != nil {
			rewrite(at+m[2], at+m[3], blankOut)
		} else if m := cppCase.FindSubmatchIndex(line); m != nil {
			rewrite(at+m[2], at+m[3], cppName)
		} else if m := cppMacro.FindSubmatchIndex(line); m != nil {
			if m[4] >= 0 {
				follows = string(line[m[4]:m[5]])
			}
			if cppHead(follows) {
				rewrite(at+m[2], at+m[3], blankOut)
				word = follows
			}
		}
		follows = word
	}
	return rewritten
}

// cppBlank blanks out the macros of Unreal that are within a declaration.
func cppBlank(text []byte) []byte {
	found := cppMetadata.FindAllIndex(text, -1)
	if found == nil {
		return text
	}
	text = bytes.Clone(text)
	for _, m := range found {
		blankOut(text[m[0]:m[1]])
	}
	return text
}

// cppHead reports whether a word begins a declaration and can't follow a type.
func cppHead(word string) bool {
	switch word {
	case "namespace", "class", "struct", "union", "enum", "template", "using", "typedef", "friend",
		"public", "private", "protected":
		return true
	}
	return false
}

// cppName makes identifiers of the strings among a macro's arguments.
func cppName(arguments []byte) {
	quoted, escaped := false, false
	for i, c := range arguments {
		quote := c == '"' && !escaped
		if quote || quoted && (!nameByte(c) || c == '$' || c >= 0x80) {
			arguments[i] = '_'
		}
		quoted, escaped = quoted != quote, quoted && c == '\\' && !escaped
	}
}

// cppTest finds the test that a macro of GoogleTest, Catch2, doctest or Boost defines, and its
// suite or fixture.
func cppTest(b *builder, n int) (d declaration, ok bool) {
	declarator := b.child(n, "declarator")
	var names []int
	for p := range b.children(b.child(declarator, "parameters")) {
		names = append(names, b.child(p, "type"))
	}
	macro, suite := b.child(declarator, "declarator"), true
	switch string(b.bytes(macro)) {
	case "TEST", "TEST_F", "TEST_P", "TYPED_TEST", "TYPED_TEST_P", "TEST_CASE_METHOD", "TEST_CASE_FIXTURE":
	case "TEST_CASE", "SCENARIO", "TEMPLATE_TEST_CASE", "TEST_CASE_TEMPLATE", "BOOST_AUTO_TEST_CASE",
		"BOOST_FIXTURE_TEST_CASE":
		suite = false
	default:
		return d, false
	}
	b.consume(macro)
	for _, name := range names {
		if bytes.HasPrefix(b.bytes(name), []byte{'"'}) {
			b.consume(name)
		}
	}
	d = declaration{kind: KindTest, name: -1, body: b.child(n, "body")}
	switch {
	case suite && len(names) > 1:
		d.name, d.qualifier = names[1], b.name(names[0])
	case !suite && len(names) > 0:
		d.name = names[0]
	}
	if said, ok := strings.CutPrefix(b.name(d.name), `"`); ok {
		d.symbolName = strings.TrimSuffix(said, `"`)
	}
	return d, true
}
