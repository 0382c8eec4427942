package syntax

import (
	"bytes"

	"ploke-lsp/internal/lazyregexp"
)

var kotlinRules = rules{
	on: map[string]rule{
		"class_declaration":     kotlinClass,
		"object_declaration":    kotlinClass,
		"companion_object":      kotlinClass,
		"enum_entry":            kotlinNamed(KindConstant, "simple_identifier", "class_body"),
		"type_alias":            kotlinNamed(KindType, "type_identifier", ""),
		"function_declaration":  kotlinFunction,
		"secondary_constructor": kotlinConstructor,
		"property_declaration":  kotlinProperty,
		"class_parameter":       kotlinComponent,

		"call_expression":         kotlinCall,
		"infix_expression":        kotlinInfix,
		"navigation_suffix":       func(b *builder, n int) { b.refer(b.first(n, "simple_identifier"), RefUse) },
		"import_header":           kotlinImport,
		"delegation_specifier":    kotlinBase,
		"package_header":          ownPackage("identifier"),
		"value_argument":          kotlinArgument,
		"type_identifier":         leaf(RefType),
		"simple_identifier":       leaf(RefUse),
		"interpolated_identifier": leaf(RefUse),

		"anonymous_initializer":        bindingScope,
		"getter":                       kotlinAccessor,
		"setter":                       kotlinAccessor,
		"lambda_literal":               bindingScope,
		"parameter":                    kotlinBind,
		"parameter_with_optional_type": kotlinBind,
		"variable_declaration":         behind(kotlinValue, kotlinBind),
		"catch_block":                  kotlinBind,
		"type_parameter":               func(b *builder, n int) { b.bind(b.first(n, "type_identifier")) },
	},
	valueTypes: map[string]valueTypeRule{
		"simple_identifier": variable,
		"call_expression":   constructor(""), "parenthesized_expression": sameTypeAs(""),
		"postfix_expression": sameTypeAs(""),
		"as_expression":      func(b *builder, n int) string { return b.typeName(b.bytes(kotlinType(b, n))) },
	},
	naming: naming{
		separators: ". ::",
		selfNames:  "this",
		predeclared: `Any Unit Nothing Boolean Byte Short Int Long Float Double Char String Array List Map Set it field
			to println listOf mapOf setOf mutableListOf mutableMapOf arrayOf`,
		predeclaredUnqualified: true,
	},
	reading:   reading{rewrite: kotlinRewrite},
	placement: placement{comments: "line_comment multiline_comment"},
}

// Texts that the grammar misreads.
var (
	// kotlinFun matches the beginning of a functional interface.
	kotlinFun = lazyregexp.New(`(fun[ \t]+)interface[ \t]+\w`)
	// kotlinAnnotated matches the last of several annotations before a type that has only a body.
	kotlinAnnotated = lazyregexp.New(`@[\w.]+(?:\([^()\n]*\))?\s+(@[\w.]{3,}(?:\([^()\n]*\))?)\s+(?:\w+\s+)?(?:class|` +
		`interface)\s+\w+\s*\{`)
	// kotlinContext matches the context that a declaration needs.
	kotlinContext = lazyregexp.New(`(?m)^[ \t]*(context[ \t]*\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\))` +
		`\s+(?:@?\w+\s+)*(?:fun|val|var|class)\b`)
	// kotlinOneLine matches a line with a whole type.
	kotlinOneLine = lazyregexp.New(`(?m)^[^"\n]*\b(?:class|interface|object)\b[^\n]*\{[^\n]*\}`)
	// kotlinNextMember matches the beginning of a member behind the body of another one.
	kotlinNextMember = lazyregexp.New(`^[ \t]+(?:(?:private|public|internal|protected|override|abstract|open|final|data|` +
		`sealed|inner|` +
		`lateinit|const|suspend|inline|operator|infix|tailrec)\s+)*(?:val|var|fun|class|object|interface|enum|companion|` +
		`init|constructor)\b`)
)

// kotlinRewrite turns functional interfaces, which the grammar does not know, into open
// classes, and an annotation that would make the grammar take the type for a call into a
// modifier. Members of a type in one line get the semicolons that the grammar needs, and contexts go.
func kotlinRewrite(text []byte) []byte {
	funs, annotated := kotlinFun.FindAllSubmatchIndex(text, -1), kotlinAnnotated.FindAllSubmatchIndex(text, -1)
	contexts, lines := kotlinContext.FindAllSubmatchIndex(text, -1), kotlinOneLine.FindAllIndex(text, -1)
	if funs == nil && annotated == nil && contexts == nil && lines == nil {
		return text
	}
	text = bytes.Clone(text)
	for _, m := range contexts {
		blankOut(text[m[2]:m[3]])
	}
	for _, m := range lines {
		kotlinSeparate(text[m[0]:m[1]])
	}
	for _, m := range annotated {
		blankOut(text[m[2]:m[3]])
		copy(text[m[2]:], "open")
	}
	for _, m := range funs {
		copy(text[m[2]:], "open")
		copy(text[m[3]:], "    class")
	}
	return text
}

// kotlinSeparate writes semicolons over blanks around the closing braces of a line: behind a body,
// and behind a value that ends with a name or a number.
func kotlinSeparate(line []byte) {
	for at := 0; at < len(line); at++ {
		switch {
		case line[at] == '"':
			at += cQuoteEnd(line[at:]) - 1
		case bytes.HasPrefix(line[at:], []byte("//")):
			return
		case line[at] != '}':
		case kotlinNextMember.Match(line[at+1:]):
			line[at+1] = ';'
			fallthrough
		default:
			before := bytes.TrimRight(line[:at], " \t")
			if len(before) > 0 && len(before) < at && nameByte(before[len(before)-1]) {
				line[at-1] = ';'
			}
		}
	}
}

// kotlinNamed declares a symbol by the first child of the kind name, since the grammar has no
// fields.
func kotlinNamed(kind Kind, name, body string) rule {
	return func(b *builder, n int) {
		b.declare(n, declaration{kind: kind, name: b.first(n, name), body: b.first(n, body)})
	}
}

// kotlinBind binds a name to the type after it, or to the type of its value.
func kotlinBind(b *builder, n int) {
	name, value := b.first(n, "simple_identifier"), -1
	if p := b.parent(n); b.kind(p) == "property_declaration" {
		if next := int(b.nodes[n].next); next < int(b.nodes[p].next) {
			value = next
		}
	}
	written := kotlinType(b, n)
	if bytes.HasSuffix(bytes.TrimSpace(b.text[:b.start(n)]), []byte("vararg")) {
		written = -1
	}
	b.bindVariable(name, written, value)
}

// kotlinValue returns the value of the variable n, which is behind it, or n.
func kotlinValue(b *builder, n int) int {
	if p := b.parent(n); b.kind(p) == "multi_variable_declaration" {
		n = p
	}
	switch p := b.parent(n); b.kind(p) {
	case "property_declaration", "for_statement", "when_subject":
		if value := int(b.nodes[n].next); value < int(b.nodes[p].next) {
			return value
		}
	}
	return n
}

// kotlinType returns the type that n writes, or -1.
func kotlinType(b *builder, n int) int {
	return max(b.first(n, "user_type"), b.first(n, "nullable_type"))
}

// kotlinBase records the class or interface that a type extends, by the last name of its path.
func kotlinBase(b *builder, n int) {
	base := n + 1
	if b.kind(base) != "user_type" {
		base = b.first(base, "user_type")
	}
	last := -1
	for c := range b.children(base) {
		if b.kind(c) == "type_identifier" {
			last = c
		}
	}
	b.referBase(b.parent(n), last)
}

// kotlinClass declares a class, interface, enum or object. A companion without a name is no
// symbol; its members are addressed by the class.
func kotlinClass(b *builder, n int) {
	d := declaration{kind: KindClass, name: b.first(n, "type_identifier"), body: b.first(n, "class_body")}
	if d.name < 0 {
		return
	}
	if enum := b.first(n, "enum_class_body"); enum >= 0 {
		d.kind, d.body = KindEnum, enum
	}
	head := b.text[b.start(n):b.start(d.name)]
	if modifiers := b.first(n, "modifiers"); modifiers >= 0 {
		head = b.text[b.end(modifiers):b.start(d.name)]
	}
	if bytes.Contains(head, []byte("interface")) {
		d.kind = KindInterface
	}
	b.declare(n, d)
}

func kotlinMember(b *builder, n int) bool {
	p := b.kind(b.parent(n))
	return p == "class_body" || p == "enum_class_body" || p == "" && b.enclosing().isType()
}

// kotlinReceiver returns the name of the type that an extension extends, without type
// arguments.
func kotlinReceiver(b *builder, n, name int) (receiver string) {
	for c := range b.children(n) {
		if c >= name {
			break
		}
		if b.kind(c) == "nullable_type" {
			c++
		}
		if b.kind(c) == "user_type" {
			receiver = b.intern(b.bytes(b.first(c, "type_identifier")))
		}
	}
	return receiver
}

func kotlinFunction(b *builder, n int) {
	d := declaration{kind: KindFunction, name: b.first(n, "simple_identifier"), body: b.first(n, "function_body")}
	if kotlinMember(b, n) {
		d.kind = KindMethod
	}
	d.qualifier = kotlinReceiver(b, n, d.name)
	b.declare(n, d)
}

// kotlinConstructor declares a secondary constructor by the name of its class.
func kotlinConstructor(b *builder, n int) {
	parameters := b.first(n, "function_value_parameters")
	if b.from() < 0 || parameters < 0 {
		return
	}
	b.declare(n, declaration{
		kind: KindConstructor, name: -1, symbolName: b.file.Symbols[b.from()].Name, body: -1, bodyAt: b.end(parameters),
	})
}

// kotlinProperty declares the properties of a class or a file. The variables of a function are
// bound at their own nodes.
func kotlinProperty(b *builder, n int) {
	variable := b.first(n, "variable_declaration")
	d := declaration{kind: KindProperty, name: b.first(variable, "simple_identifier"), body: -1}
	switch modifiers := b.bytes(b.first(n, "modifiers")); {
	case b.kind(b.parent(n)) != "source_file" && !kotlinMember(b, n) || variable < 0:
		return
	case bytes.Contains(modifiers, []byte("const")):
		d.kind = KindConstant
	case !kotlinMember(b, n):
		d.kind = KindVariable
	}
	d.qualifier = kotlinReceiver(b, n, variable)
	for c := range b.children(n) {
		switch {
		case d.body >= 0 || c <= variable:
		case b.kind(c) == "getter", b.kind(c) == "setter":
			d.body = c
		default:
			d.body = b.multilineValue(c)
		}
	}
	b.declare(n, d)
}

// kotlinAccessor extends a property by its accessor, which is a sibling in the grammar if it is
// on a line of its own.
func kotlinAccessor(b *builder, n int) {
	bindingScope(b, n)
	if b.kind(b.parent(n)) == "property_declaration" {
		return
	}
	for i := len(b.file.Symbols) - 1; i >= 0; i-- {
		s := &b.file.Symbols[i]
		if s.Parent != b.from() {
			continue
		}
		if s.Kind == KindProperty || s.Kind == KindVariable {
			s.End, s.EndLine = b.end(n), b.endRow(n)+1
			b.open = append(b.open, scope{symbol: i, end: int(b.nodes[n].next)})
		}
		return
	}
}

// kotlinComponent declares the properties among a primary constructor's parameters.
func kotlinComponent(b *builder, n int) {
	name := b.first(n, "simple_identifier")
	if b.first(n, "binding_pattern_kind") < 0 {
		b.bind(name)
		return
	}
	b.declare(n, declaration{kind: KindProperty, name: name, body: -1})
}

func kotlinCall(b *builder, n int) {
	called := n + 1
	if b.kind(called) == "navigation_expression" {
		for c := range b.children(called) {
			if b.kind(c) == "navigation_suffix" {
				called = c
			}
		}
		b.refer(b.first(called, "simple_identifier"), RefCall)
		return
	}
	if b.kind(called) != "simple_identifier" {
		return
	}
	if b.local(called) && b.predeclared[b.variableType(b.word(b.bytes(called)))] { // the variable cannot be called
		b.refer(called, RefCall)
		return
	}
	leaf(RefCall)(b, called)
}

// kotlinInfix records a call of the name between two operands.
func kotlinInfix(b *builder, n int) {
	if middle := int(b.nodes[n+1].next); middle < int(b.nodes[n].next) && b.kind(middle) == "simple_identifier" {
		b.refer(middle, RefCall)
	}
}

// kotlinImport records the last name of an import.
func kotlinImport(b *builder, n int) {
	path, last := b.first(n, "identifier"), -1
	for c := range b.children(path) {
		last = c
	}
	b.refer(last, RefImport)
	b.consumeAll(n)
	if b.first(n, "wildcard_import") >= 0 {
		b.imports(path, "", b.name(path), "*")
		return
	}
	alias := b.first(b.first(n, "import_alias"), "type_identifier")
	b.importMember(path, b.name(path), ".", b.name(alias))
}

// kotlinArgument skips the name of an argument.
func kotlinArgument(b *builder, n int) {
	if name := b.first(n, "simple_identifier"); name == n+1 && b.nodes[name].next < b.nodes[n].next {
		b.consume(name)
	}
}
