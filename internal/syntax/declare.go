package syntax

import (
	"bytes"
	"fmt"
	"iter"
	"strings"
)

// declaration is what a rule has found out about a symbol.
type declaration struct {
	kind Kind
	name int // the node of the name, or -1 if symbolName has it
	body int // the node after the signature, or -1
	// bodyAt is the end of the signature, in bytes, if no node begins there.
	bodyAt int
	// symbolName is the name of a symbol that has none in the text, or the last part of
	// the name's node.
	symbolName string
	// qualifier is a part of the address that does not enclose the declaration, such as a
	// receiver's type.
	qualifier string
	detail    string
	// docStart and docEnd enclose a doc comment inside the declaration.
	docStart, docEnd int
	// noChildren leaves the declarations inside to the symbol around this one.
	noChildren bool
}

// maxDepth bounds the nesting of symbols: the addresses of deeply nested noise would fill the
// memory.
const maxDepth = 50

// declare adds a symbol for the declaration n and opens it: it encloses what follows up to the
// end of n. It adds nothing without a name, for the blank name _, or below maxDepth.
func (b *builder) declare(n int, d declaration) {
	if d.name >= 0 && d.symbolName == "" {
		d.symbolName = b.intern(b.bytes(d.name))
	}
	if d.symbolName == "" || d.symbolName == "_" || len(b.open) >= maxDepth {
		return
	}
	b.consumeAll(d.name)
	outer := b.declarationNode(n)
	s := Symbol{
		Name: d.symbolName, Kind: d.kind, Detail: d.detail, Parent: b.from(),
		Start: b.start(outer), End: b.end(outer), StartLine: b.row(outer) + 1, EndLine: b.endRow(outer) + 1,
		NameStart: b.start(n), NameEnd: b.start(n), DocStart: d.docStart, DocEnd: d.docEnd,
	}
	if start := b.groupStart(outer); start < s.Start {
		s.StartLine -= bytes.Count(b.text[start:s.Start], []byte{'\n'})
		s.Start = start
	}
	if d.name >= 0 {
		s.NameStart, s.NameEnd = b.start(d.name), b.end(d.name)
		if at := bytes.LastIndex(b.bytes(d.name), []byte(d.symbolName)); at >= 0 {
			s.NameStart += at
			s.NameEnd = s.NameStart + len(d.symbolName)
		}
	}
	if b.scan == nil {
		b.trim(&s)
	}
	b.attachDoc(&s)
	s.BodyStart = b.bodyStart(s, d)
	path := b.path(s.Parent, d.qualifier, s.Name)
	s.Canon = b.number(path, s.Kind)
	b.file.Symbols = append(b.file.Symbols, s)
	b.paths = append(b.paths, path)
	if !d.noChildren {
		b.openSymbol(n, d)
	}
}

// trim ends a symbol before trailing white space, which some grammars include.
func (b *builder) trim(s *Symbol) {
	end := s.Start + len(bytes.TrimRight(b.text[s.Start:s.End], " \t\r\n"))
	if end < s.End {
		s.EndLine -= bytes.Count(b.text[end:s.End-1], []byte{'\n'})
		s.End = end
	}
}

// declareEach declares several names of one declaration n side by side. They share its doc
// comment, and the last one stays open.
func (b *builder) declareEach(n int, names iter.Seq[int], describe func(name int) declaration) {
	doc, depth := b.doc, len(b.open)
	for name := range names {
		b.doc, b.open = doc, b.open[:depth]
		b.declare(n, describe(name))
	}
}

// openSymbol makes the newest symbol enclose what follows, until the end of n.
func (b *builder) openSymbol(n int, d declaration) {
	b.open = append(b.open, scope{symbol: len(b.file.Symbols) - 1, end: int(b.nodes[n].next), self: b.self(d)})
	switch d.kind {
	case KindFunction, KindMethod, KindConstructor, KindTest:
		b.enterFunction(n)
	}
}

// self returns the type of this or self in a declaration: the declared type, the type that
// qualifies it, or the type around it.
func (b *builder) self(d declaration) string {
	switch {
	case d.kind.isType():
		return d.symbolName
	case d.qualifier != "":
		return d.qualifier[strings.LastIndex(d.qualifier, ":")+1:]
	}
	return b.enclosingType()
}

// enclosingType returns the type of this or self at the current node, or "".
func (b *builder) enclosingType() string {
	if len(b.open) == 0 {
		return ""
	}
	return b.open[len(b.open)-1].self
}

// isType reports whether a symbol of kind k has members, for which it is the type of self.
func (k Kind) isType() bool {
	switch k {
	case KindClass, KindStruct, KindInterface, KindTrait, KindEnum, KindImpl, KindModule:
		return true
	}
	return false
}

// enterFunction makes n the function that binds names, unless a function encloses it.
func (b *builder) enterFunction(n int) {
	if n >= b.localsEnd {
		b.function = b.newScope()
		b.localsEnd = int(b.nodes[n].next)
	}
}

// declarationNode returns the widest node that belongs to the declaration n alone: n, an export
// or decorators around it, or the keyword that it shares with no other declaration.
func (t *tree) declarationNode(n int) int {
	for {
		p := t.parent(n)
		if p < 0 || int(t.nodes[p].symbol) >= len(t.roles) {
			return n
		}
		switch t.roles[t.nodes[p].symbol] {
		case roleWrapper:
		case roleGroup:
			if t.row(p) != t.row(n) || t.siblings(n) > 1 {
				return n
			}
		default:
			return n
		}
		n = p
	}
}

// groupStart returns the offset of the word that joins n to its group ("and"), or the start of
// the group for its first declaration. Outside of groups it is the start of n.
func (t *tree) groupStart(n int) int {
	p := t.parent(n)
	if len(t.conjunction) == 0 || t.kind(p) == "" || t.roles[t.nodes[p].symbol] != roleGroup || t.siblings(n) < 2 {
		return t.start(n)
	}
	if t.first(p, t.kind(n)) == n {
		return t.start(p)
	}
	return max(bytes.LastIndex(t.text[:t.start(n)], t.conjunction), t.start(p))
}

// siblings returns the number of nodes of the type of n below the parent of n.
func (t *tree) siblings(n int) (count int) {
	for c := range t.children(t.parent(n)) {
		if t.nodes[c].symbol == t.nodes[n].symbol {
			count++
		}
	}
	return count
}

// attachDoc moves the comments and attributes directly above the symbol into it.
func (b *builder) attachDoc(s *Symbol) {
	if s.StartLine-1-b.doc.endRow > 1 {
		return
	}
	if a := b.doc.attributes; a >= 0 && a < s.Start {
		s.StartLine -= bytes.Count(b.text[a:s.Start], []byte{'\n'})
		s.Start = a
	}
	if s.DocStart == s.DocEnd {
		s.DocStart, s.DocEnd = b.doc.start, b.doc.end
	}
	b.doc = noComments
}

func (b *builder) bodyStart(s Symbol, d declaration) int {
	at := d.bodyAt
	if d.body >= 0 {
		at = b.start(d.body)
	}
	if at <= s.Start || at > s.End {
		return s.End
	}
	return at
}

// declares reports whether the enclosing symbol declares the name already.
func (b *builder) declares(kind Kind, name []byte) bool {
	return b.namesakes[namesake{b.path(b.from(), "", string(name)), kind}] > 0
}

func (b *builder) path(parent int, qualifier, name string) string {
	path := name
	if qualifier != "" {
		path = qualifier + "::" + path
	}
	if parent >= 0 {
		path = b.paths[parent] + "::" + path
	}
	return path
}

// number returns path for the first symbol of that path and kind, and path#2, path#3, … for the
// next ones.
func (b *builder) number(path string, kind Kind) string {
	key := namesake{path, kind}
	n := b.namesakes[key] + 1
	b.namesakes[key] = n
	if n > 1 {
		return fmt.Sprintf("%s#%d", path, n)
	}
	return path
}
