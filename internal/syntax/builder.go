package syntax

import (
	"bytes"
	"fmt"
	"strings"
)

// builder turns a flat tree into a File, in one pass over its nodes.
type builder struct {
	*tree
	file  *File
	paths []string // the canon of each symbol without numbers
	open  []scope  // the symbols around the current node, the outermost first
	doc   comments // the comments just above the current node

	commentEnd int // where the last comment ends

	unit      uint32 // the number of the file, see word
	function  uint32 // the number of the outermost function that encloses the current node, or of the last one
	localsEnd int    // the node where that function ends
	at        int    // the current node
	boundFrom int    // the node from which on the names that are bound now mean what binds them, see behind

	namesakes map[namesake]int
}

type scope struct {
	symbol, end int
	self        string // the type of this or self, "" for none
}

// words are the names that were met in texts of one language.
type words struct {
	known  map[string]*word
	scopes uint32 // number of files and functions so far
}

// word is a name with what the current file says about it. Files and functions have numbers, so that nothing
// has to be forgotten at their end.
type word struct {
	text        string // as symbols and references hold it
	predeclared bool
	self        bool   // it stands for the object or the type of a method
	function    uint32 // the last function that has bound it
	of          string // the type that it has there, "" for unknown
	from        int    // the node from which on that is so; until then, earlier and was hold
	earlier     bool   // the function has bound it before
	was         string // its type then
	unit        uint32 // the last file that has a type parameter of this name
}

type namesake struct {
	path string
	kind Kind
}

// comments is a run of comments on lines of their own, and the attributes that follow it.
type comments struct {
	start, end int
	endRow     int
	attributes int // offset of the first attribute, -1 for none
}

var noComments = comments{endRow: -2, attributes: -1}

func build(t *tree) *File {
	b := &builder{tree: t, file: &File{Language: t.language, Symbols: t.symbols}, doc: noComments,
		namesakes: map[namesake]int{}}
	b.unit, b.function = b.newScope(), b.newScope()
	for n := range b.nodes {
		for len(b.open) > 0 && b.open[len(b.open)-1].end <= n {
			b.open = b.open[:len(b.open)-1]
		}
		b.visit(n)
	}
	b.symbols, b.file.Refs = b.file.Symbols, b.refs
	if b.maxSymbols > 0 {
		b.file.limitSymbols(b.maxSymbols)
	}
	return b.file
}

func (b *builder) visit(n int) {
	b.at = n
	node := &b.nodes[n]
	if node.flags&flagMissing != 0 || node.symbol == errorSymbol {
		b.problem(n)
	}
	if int(node.symbol) >= len(b.rules) {
		return
	}
	switch b.roles[node.symbol] {
	case roleComment:
		b.comment(n)
	case roleAttribute:
		b.attribute(n)
	}
	if rule := b.rules[node.symbol]; rule != nil {
		rule(b, n)
	}
}

// problem reports an ERROR node or a missing node.
func (b *builder) problem(n int) {
	if b.nodes[n].flags&flagMissing != 0 {
		b.report(n, fmt.Sprintf("missing %q", b.kind(n)))
	} else {
		b.report(n, "unexpected "+excerpt(b.bytes(n)))
	}
}

func (b *builder) report(n int, message string) {
	b.file.ProblemCount++
	if len(b.file.Problems) < maxProblems {
		b.file.Problems = append(b.file.Problems,
			Problem{Start: b.start(n), End: b.end(n), Line: b.row(n) + 1, Message: message})
	}
}

// excerpt quotes the beginning of the first line of text.
func excerpt(text []byte) string {
	const maxBytes = 40
	line, _, _ := bytes.Cut(bytes.TrimSpace(text), []byte{'\n'})
	if len(line) == 0 {
		return "end of text"
	}
	return fmt.Sprintf("%q", bytes.ToValidUTF8(line[:min(maxBytes, len(line))], nil))
}

func (b *builder) comment(n int) {
	b.commentEnd = b.end(n)
	if text := b.bytes(n); !b.startsLine(b.start(n)) || bytes.HasPrefix(text, []byte("//!")) ||
		bytes.HasPrefix(text, []byte("#!")) {
		return
	}
	if b.doc.endRow+1 != b.row(n) || b.doc.attributes >= 0 {
		b.doc = comments{start: b.start(n), attributes: -1}
	}
	b.doc.end, b.doc.endRow = b.end(n), b.endRow(n)
}

func (b *builder) attribute(n int) {
	if len(b.open) > 0 && b.start(n) < b.file.Symbols[b.from()].BodyStart {
		return // inside a declaration
	}
	if b.row(n) > b.doc.endRow+1 {
		b.doc = noComments
	}
	if b.doc.attributes < 0 {
		b.doc.attributes = b.start(n)
	}
	b.doc.endRow = b.endRow(n)
}

// enclosing returns the kind of the innermost enclosing symbol, "" at the top of the file.
func (b *builder) enclosing() Kind {
	if len(b.open) == 0 {
		return ""
	}
	return b.file.Symbols[b.open[len(b.open)-1].symbol].Kind
}

// from returns the index of the innermost enclosing symbol, or -1.
func (b *builder) from() int {
	if len(b.open) == 0 {
		return -1
	}
	return b.open[len(b.open)-1].symbol
}

// callee follows a called expression to the name in it.
func (t *tree) callee(n int) int {
	for n >= 0 && !t.leaf(n) {
		field, ok := t.calleeFields[t.kind(n)]
		switch {
		case !ok:
			return -1
		case field == "":
			n++
		default:
			n = t.child(n, field)
		}
	}
	return n
}

// refer records a reference to the name n, unless n was consumed before.
func (b *builder) refer(n int, kind RefKind) {
	if b.consume(n) {
		b.referWord(b.word(b.bytes(n)), n, kind)
	}
}

// referWord records a reference at n to a name.
func (b *builder) referWord(name *word, n int, kind RefKind) {
	known := name.predeclared && !(b.predeclaredUnqualified && b.separator(b.start(n)) >= 0)
	if name.text != "" && !known {
		b.referTo(name.text, n, kind)
		b.qualify(n)
	}
}

// referBase records that the type declared at the node of inherits from the type that n names.
// If that node declares no type, n is an ordinary type reference.
func (b *builder) referBase(of, n int) {
	kind := RefType
	if b.enclosing().isType() && b.open[len(b.open)-1].end == int(b.nodes[of].next) {
		kind = RefInherit
	}
	if name := b.callee(n); name >= 0 && b.isIdentifier(name) {
		b.refer(name, kind)
	}
}

// referTo records a reference at n to a name that the text of n has in another form.
func (b *builder) referTo(name string, n int, kind RefKind) {
	b.refs = append(b.refs, Ref{
		Name: name, Kind: kind, Start: b.start(n), End: b.end(n), Line: b.row(n) + 1, From: b.from(),
	})
}

// consume marks n as handled and reports whether it was not handled before.
func (t *tree) consume(n int) bool {
	if n < 0 || t.consumed(n) {
		return false
	}
	t.nodes[n].flags |= flagConsumed
	return true
}

// consumed reports whether the node n was handled.
func (t *tree) consumed(n int) bool { return t.nodes[n].flags&flagConsumed != 0 }

// consumeAll marks the whole subtree of n as handled.
func (t *tree) consumeAll(n int) {
	for i := n; n >= 0 && i < int(t.nodes[n].next); i++ {
		t.nodes[i].flags |= flagConsumed
	}
}

// local reports whether the name n is bound inside the enclosing function.
func (b *builder) local(n int) bool {
	if n >= b.localsEnd {
		return false
	}
	return b.bound(b.word(b.bytes(n)))
}

// bound reports whether the current function has bound a name at the current node.
func (b *builder) bound(w *word) bool {
	return w.function == b.function && (b.at >= w.from || w.earlier)
}

// bindWord binds a name to a type, "" for an unknown one.
func (b *builder) bindWord(w *word, of string) {
	if w.function != b.function || w.from != b.boundFrom || b.at >= w.from { // else it is bound once more
		w.was, w.earlier = b.variableType(w), b.bound(w)
	}
	w.function, w.of, w.from = b.function, of, b.boundFrom
}

// behind is for a declaration whose names mean something else in its own value, as in x := x(): what the rule
// binds is bound behind the node that end returns.
func behind(end func(b *builder, n int) int, bind rule) rule {
	return func(b *builder, n int) {
		b.boundFrom = int(b.nodes[end(b, n)].next)
		bind(b, n)
		b.boundFrom = 0
	}
}

// itself is the end of a declaration that ends with its value.
func itself(_ *builder, n int) int { return n }

// field is the end of a declaration whose value is in a field.
func field(name string) func(b *builder, n int) int {
	return func(b *builder, n int) int { return max(b.child(n, name), n) }
}

// bind makes the identifiers in n local to the outermost enclosing function. Outside of
// functions it consumes them; those with a capital are type parameters.
func (b *builder) bind(n int) {
	for i := n; n >= 0 && i < int(b.nodes[n].next); i++ {
		if !b.leaf(i) || !b.isIdentifier(i) || !b.consume(i) {
			continue
		}
		if n < b.localsEnd {
			b.bindWord(b.word(b.bytes(i)), "")
		} else if capital(b.bytes(i)) {
			b.word(b.bytes(i)).unit = b.unit
		}
	}
}

func (t *tree) word(name []byte) *word {
	w, ok := t.words.known[string(name)]
	if !ok {
		name := string(name)
		w = &word{text: strings.ToValidUTF8(name, "\uFFFD"), predeclared: t.predeclared[name], self: t.selfNames[name]}
		t.words.known[name] = w
	}
	return w
}

// newScope returns a number that no other file or function has.
func (t *tree) newScope() uint32 {
	t.words.scopes++
	return t.words.scopes
}

func (t *tree) intern(name []byte) string { return t.word(name).text }
