package syntax

var cRules = rules{
	reading: reading{rewrite: cRewrite},
	on: map[string]rule{
		"function_definition":  cFunction,
		"declaration":          cDeclaration,
		"type_definition":      cTypedef,
		"struct_specifier":     cTag(KindStruct),
		"union_specifier":      cTag(KindStruct),
		"enum_specifier":       cTag(KindEnum),
		"enumerator":           define(KindConstant),
		"field_declaration":    cField,
		"preproc_def":          cMacro(KindConstant),
		"preproc_function_def": cMacro(KindMacro),

		"call_expression":       call("function"),
		"preproc_include":       cInclude,
		"type_identifier":       leaf(RefType),
		"identifier":            leaf(RefUse),
		"field_identifier":      member,
		"parameter_declaration": cParameter,
		"preproc_params":        bindAll,
	},
	callee: map[string]string{"field_expression": "field", "parenthesized_expression": "", "pointer_expression": "argument"},
	valueTypes: map[string]valueTypeRule{
		"identifier":      variable,
		"cast_expression": fieldType("type"), "compound_literal_expression": fieldType("type"),
		"parenthesized_expression": sameTypeAs(""),
		"pointer_expression":       sameTypeAs("argument"),
	},
	naming: naming{
		separators:  ". ->",
		predeclared: "NULL size_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t bool true false",
	},
	placement: placement{
		comments: "comment",
		wrappers: "type_definition",
	},
}

// cName follows a declarator to the name in it, which C++ may qualify, and reports whether it
// declares a function.
func cName(b *builder, n int) (name int, function bool) {
	for n >= 0 && !b.leaf(n) {
		switch b.kind(n) {
		case "function_declarator":
			function = true
		case "parenthesized_declarator":
			// A pointer to a function is a variable, unless it is the result of a function.
			return cName(b, n+1)
		case "attributed_declarator", "reference_declarator", "variadic_declarator":
			n++
			continue
		case "operator_cast":
			return n, true
		case "qualified_identifier", "destructor_name", "operator_name", "template_function":
			return n, function
		}
		n = b.child(n, "declarator")
	}
	return n, function
}

func cFunction(b *builder, n int) {
	name, _ := cName(b, b.child(n, "declarator"))
	b.declare(n, declaration{kind: KindFunction, name: name, body: b.child(n, "body")})
}

// cDeclaration declares prototypes and variables of the file, and binds the variables of a
// function.
func cDeclaration(b *builder, n int) {
	if b.localsEnd > n {
		for declarator := range b.fields(n, "declarator") {
			cBind(b, n, declarator)
		}
		return
	}
	tagged := b.child(b.child(n, "type"), "body") >= 0
	b.declareEach(n, b.fields(n, "declarator"), func(declarator int) declaration {
		name, function := cName(b, declarator)
		d := declaration{kind: KindVariable, name: name, body: b.multilineValue(b.child(declarator, "value")),
			noChildren: tagged}
		if function {
			d.kind, d.detail = KindFunction, "declaration"
		}
		return d
	})
}

// cTypedef declares a type. It gives its name to an anonymous struct, union or enum. A named
// one is declared by the whole typedef, too; if both have the same name, they are one symbol.
func cTypedef(b *builder, n int) {
	def, doc := b.child(n, "type"), b.doc
	d := declaration{kind: KindType, body: b.child(def, "body"), noChildren: true}
	if d.body >= 0 && b.child(def, "name") < 0 {
		d.kind, d.noChildren = KindStruct, false
		if b.kind(def) == "enum_specifier" {
			d.kind = KindEnum
		}
	}
	tag := b.child(def, "name")
	b.declareEach(n, b.fields(n, "declarator"), func(declarator int) declaration {
		d.name, _ = cName(b, declarator)
		if d.body >= 0 && tag >= 0 && b.name(d.name) == b.name(tag) {
			b.consume(d.name)
			d.name = -1
		}
		return d
	})
	if d.body >= 0 && tag >= 0 {
		b.doc = doc
	}
}

// cTag declares a struct, union or enum with a name and a body.
func cTag(kind Kind) rule {
	return func(b *builder, n int) {
		if body := b.child(n, "body"); body >= 0 {
			b.declare(n, declaration{kind: kind, name: b.child(n, "name"), body: body})
		}
	}
}

func cField(b *builder, n int) {
	tag := b.child(n, "type")
	tagged := b.child(tag, "body") >= 0 && b.child(tag, "name") >= 0
	b.declareEach(n, b.fields(n, "declarator"), func(declarator int) declaration {
		name, _ := cName(b, declarator)
		return declaration{kind: KindField, name: name, body: -1, noChildren: tagged}
	})
}

func cMacro(kind Kind) rule {
	return func(b *builder, n int) {
		b.declare(n, declaration{kind: kind, name: b.child(n, "name"), body: b.child(n, "value")})
	}
}

func cParameter(b *builder, n int) {
	cBind(b, n, b.child(n, "declarator"))
}

// cBind binds the name in a declarator to the type of its declaration. An array or a pointer to
// a function is bound without a type.
func cBind(b *builder, n, declarator int) {
	name, _ := cName(b, declarator)
	if name < 0 {
		return
	}
	written := b.child(n, "type")
	switch b.kind(b.parent(name)) {
	case "array_declarator", "parenthesized_declarator":
		written = -1
	case "pointer_declarator":
		if b.kind(b.parent(b.parent(name))) == "parenthesized_declarator" {
			written = -1
		}
	}
	b.bindVariable(name, written, max(b.child(declarator, "value"), b.child(n, "value")))
}

// cInclude records an included file, whose names all become visible.
func cInclude(b *builder, n int) {
	path := b.child(n, "path")
	importString(b, path)
	if !b.isIdentifier(path) {
		b.importAll(path)
	}
}
