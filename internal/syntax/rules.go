package syntax

// rule deals with one node of the type that it is listed under.
type rule func(b *builder, n int)

// rules say what the nodes of one grammar mean. Lists of node types are words
// separated by spaces.
type rules struct {
	// on is what to do at a node of a type; the nodes are visited in the order of the text.
	on map[string]rule
	// callee leads from an expression that is called, by a field, to the name in
	// it; an empty field means the first child.
	callee map[string]string
	// values tell the type that a value says that it makes.
	valueTypes map[string]valueTypeRule
	// separators join a qualifier and a name; without any, it is the dot.
	separators string
	// sigil stands before variables and is no part of their names.
	sigil string
	// selves are the words for the object or type that a method belongs to.
	selfNames string
	// transparent types stand for their argument: Box<T> for T.
	transparent string
	// lists hold names or values that are assigned side by side.
	lists string
	// comments may be documentation; attributes may stand between it and its symbol.
	comments, attributes string
	// identifiers are the types of identifiers whose own name does not say so ("constant").
	identifiers string
	// wrappers belong to the declaration in them ("export"); groups do so when
	// they hold only one and it begins on their own line.
	wrappers, groups string
	// conjunction is the word that joins the declarations of a group; each belongs to the
	// one behind it, and what begins the group to the first.
	conjunction string
	// blanks says that the grammar's nodes begin with the white space before them.
	leadingBlanks bool
	// plain is the text as the grammar had better read it; nil: as it is. Its length is the
	// same, but for lead bytes before it and what comes after it, on the text's own lines.
	rewrite       func(text []byte) []byte
	rewritePrefix int
	// scan makes the tree of a language that has no parser; types are its types of nodes.
	scan  func(*scan)
	types string
	// most bounds the symbols of a file: its deepest levels are left out beyond that. 0: no bound.
	maxSymbols int
	// predeclared are the names of the language itself: no reference is kept to them.
	predeclared string
	// bare says that they are only so without a qualifier: x.close is none.
	predeclaredUnqualified bool
}

// all applies several rules to one node.
func all(rules ...rule) rule {
	return func(b *builder, n int) {
		for _, r := range rules {
			r(b, n)
		}
	}
}

// define declares a symbol of a fixed kind, by the usual fields.
func define(kind Kind) rule {
	return func(b *builder, n int) {
		b.declare(n, declaration{kind: kind, name: b.child(n, "name"), body: b.child(n, "body")})
	}
}

// defineWithin declares a symbol whose kind depends on the kind of what encloses it.
func defineWithin(kinds map[Kind]Kind, otherwise Kind) rule {
	return func(b *builder, n int) {
		kind, ok := kinds[b.enclosing()]
		if !ok {
			kind = otherwise
		}
		define(kind)(b, n)
	}
}

// call records a call of what the field names, unless that is bound in the function.
func call(field string) rule {
	return func(b *builder, n int) {
		called := b.child(n, field)
		if name := b.callee(called); name >= 0 && (name != called || !b.local(name)) {
			b.refer(name, RefCall)
		}
	}
}

// refer records a reference to what the field names.
func refer(field string, kind RefKind) rule {
	return func(b *builder, n int) { b.refer(b.child(n, field), kind) }
}

// leaf records a reference to the node itself, unless its name is bound in the function.
func leaf(kind RefKind) rule {
	return func(b *builder, n int) {
		if !b.local(n) {
			b.refer(n, kind)
		}
	}
}

// member records a reference to the node itself, which follows a dot: nothing
// local can be meant.
func member(b *builder, n int) { b.refer(n, RefUse) }

// bind takes the identifiers in the fields as names that the enclosing function binds.
func bind(fields ...string) rule {
	return func(b *builder, n int) {
		for _, field := range fields {
			for c := range b.fields(n, field) {
				b.bind(c)
			}
		}
	}
}

// bindAll takes all identifiers in the node as names that the enclosing function binds.
func bindAll(b *builder, n int) { b.bind(n) }

// inherits records that what the node belongs to inherits from each type in it.
func inherits(b *builder, n int) {
	for c := range b.children(n) {
		b.referBase(b.parent(n), c)
	}
}

// body takes the node as a function that binds names but is no symbol: an accessor, an initializer.
func bindingScope(b *builder, n int) { b.enterFunction(n) }
