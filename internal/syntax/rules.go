package syntax

// rule handles one node of the node type that it is registered for.
type rule func(b *builder, n int)

// rules give a meaning to the node types of one grammar. Lists of node types are words
// separated by spaces.
type rules struct {
	// on has a rule for each node type. Nodes are visited in the order of the text.
	on map[string]rule
	// callee has the field that leads from a called expression towards the name in it,
	// by node type. An empty field means the first child.
	callee map[string]string
	// valueTypes derive the type of a value from its text, by node type.
	valueTypes map[string]valueTypeRule
	placement
	naming
	reading
}

// placement says which node types stand next to declarations and around them.
type placement struct {
	// lists hold names or values that are assigned side by side.
	lists string
	// comments may be documentation; attributes may stand between it and its symbol.
	comments, attributes string
	// wrappers belong to the declaration in them ("export"). groups do so if they have
	// only one declaration and it begins on the first line of the group.
	wrappers, groups string
	// conjunction is the word between the declarations of a group ("and"). It belongs to
	// the declaration after it; the beginning of the group belongs to the first.
	conjunction string
}

// naming says what a name is.
type naming struct {
	// separators join a qualifier and a name. The default is the dot.
	separators string
	// sigil precedes variables and is not part of their names.
	sigil string
	// selfNames are the words for the object or the type of a method.
	selfNames string
	// modules returns the name of the module that an expression without a name loads, "" for none.
	modules func(b *builder, n int) string
	// pathNodes is the node type of names with the namespaces in front of them, which are their qualifier as a whole.
	pathNodes string
	// transparent types count as their type argument: Box<T> as T.
	transparent string
	// identifiers are node types of identifiers without "identifier" in their name, such
	// as "constant".
	identifiers string
	// predeclared are names of the language itself, which give no references.
	predeclared string
	// predeclaredUnqualified: they do so only without a qualifier, so x.close gives one.
	predeclaredUnqualified bool
}

// reading says how a text becomes a tree.
type reading struct {
	// leadingBlanks: nodes of the grammar include the white space before them.
	leadingBlanks bool
	// rewrite returns the text that the grammar parses in place of the file's; nil for the
	// same text. Offsets and lines stay the same, except that rewritePrefix bytes come
	// first and more may follow at the end.
	rewrite       func(text []byte) []byte
	rewritePrefix int
	// scan makes the tree of a language without a parser; nodeTypes are its node types.
	scan      func(*scan)
	nodeTypes string
	// maxSymbols bounds the symbols of a file, whose deepest levels are dropped beyond it.
	// 0 means no bound.
	maxSymbols int
}

// all applies several rules to one node.
func all(rules ...rule) rule {
	return func(b *builder, n int) {
		for _, r := range rules {
			r(b, n)
		}
	}
}

// define declares a symbol of a fixed kind, with the fields name and body.
func define(kind Kind) rule {
	return func(b *builder, n int) {
		b.declare(n, declaration{kind: kind, name: b.child(n, "name"), body: b.child(n, "body")})
	}
}

// defineWithin declares a symbol whose kind depends on the kind of the enclosing symbol.
func defineWithin(kinds map[Kind]Kind, otherwise Kind) rule {
	return func(b *builder, n int) {
		kind, ok := kinds[b.enclosing()]
		if !ok {
			kind = otherwise
		}
		define(kind)(b, n)
	}
}

// call records a call of the name in the field, unless the function binds it.
func call(field string) rule {
	return func(b *builder, n int) {
		called := b.child(n, field)
		if name := b.callee(called); name >= 0 && (name != called || !b.local(name)) {
			b.refer(name, RefCall)
		}
	}
}

// refer records a reference to the node in the field.
func refer(field string, kind RefKind) rule {
	return func(b *builder, n int) { b.refer(b.child(n, field), kind) }
}

// leaf records a reference to the node itself, unless the function binds its name.
func leaf(kind RefKind) rule {
	return func(b *builder, n int) {
		if b.consumed(n) {
			return
		}
		if name := b.word(b.bytes(n)); n >= b.localsEnd || !b.bound(name) {
			b.consume(n)
			b.referWord(name, n, kind)
		}
	}
}

// member records a reference to the node itself, which follows a dot and so is never a local
// name.
func member(b *builder, n int) { b.refer(n, RefUse) }

// bind makes the identifiers in the fields local to the enclosing function.
func bind(fields ...string) rule {
	return func(b *builder, n int) {
		for _, field := range fields {
			for c := range b.fields(n, field) {
				b.bind(c)
			}
		}
	}
}

// bindAll makes all identifiers in the node local to the enclosing function.
func bindAll(b *builder, n int) { b.bind(n) }

// inherits records that the parent of the node inherits from each type in the node.
func inherits(b *builder, n int) {
	for c := range b.children(n) {
		b.referBase(b.parent(n), c)
	}
}

// bindingScope treats the node as a function that binds names but is not a symbol, such as an
// accessor or an initializer.
func bindingScope(b *builder, n int) { b.enterFunction(n) }
