package syntax

import (
	"bytes"
	"iter"
)

const (
	flagMissing = 1 << iota
	flagNamed
	// flagConsumed marks a name that the rule of a node above it has handled.
	flagConsumed
)

// errorSymbol is tree-sitter's own number for an ERROR node, in every grammar.
const errorSymbol = 0xFFFF

// node is one node of a flat tree. The C code in flatten.go has the same layout.
type node struct {
	start, end uint32
	row        uint32
	endRow     uint32 // of the last character before end
	next       uint32 // the first node after this one's subtree
	parent     int32
	symbol     uint16
	field      uint16
	flags      uint8
}

// tree is a syntax tree in preorder: the subtree of a node reaches from itself to its next. A
// node is named by its index, and -1 names none.
type tree struct {
	*grammar
	text  []byte
	nodes []node
	words *words // of this text and others of the language

	// Empty; their memory is reused.
	symbols []Symbol
	refs    []Ref
}

// trimLeadingBlanks moves the start of each node past leading white space.
func (t *tree) trimLeadingBlanks() {
	for i := range t.nodes {
		n := &t.nodes[i]
		for n.start < n.end && bytes.IndexByte([]byte(" \t\r\n"), t.text[n.start]) >= 0 {
			if t.text[n.start] == '\n' {
				n.row++
			}
			n.start++
		}
		n.endRow = max(n.endRow, n.row)
	}
}

// dropRewritePrefix translates the offsets of nodes from the rewritten text, which begins with
// rewritePrefix more bytes, to the text itself. Nodes outside of the text become empty.
func (t *tree) dropRewritePrefix() {
	place := func(at uint32) uint32 { return uint32(min(max(int(at)-t.rewritePrefix, 0), len(t.text))) }
	for i := range t.nodes {
		t.nodes[i].start, t.nodes[i].end = place(t.nodes[i].start), place(t.nodes[i].end)
	}
}

// kind returns the grammar's name for the type of n, "" for an ERROR node and for -1.
func (t *tree) kind(n int) string {
	if n < 0 || int(t.nodes[n].symbol) >= len(t.names) {
		return ""
	}
	return t.names[t.nodes[n].symbol]
}

// isIdentifier reports whether n has one of the grammar's identifier types.
func (t *tree) isIdentifier(n int) bool {
	symbol := int(t.nodes[n].symbol)
	return symbol < len(t.identifier) && t.identifier[symbol]
}

func (t *tree) parent(n int) int {
	if n < 0 {
		return -1
	}
	return int(t.nodes[n].parent)
}

func (t *tree) start(n int) int  { return int(t.nodes[n].start) }
func (t *tree) end(n int) int    { return int(t.nodes[n].end) }
func (t *tree) row(n int) int    { return int(t.nodes[n].row) }
func (t *tree) endRow(n int) int { return int(t.nodes[n].endRow) }
func (t *tree) leaf(n int) bool  { return int(t.nodes[n].next) == n+1 }

// firstLeaf returns the first leaf in n, -1 for -1.
func (t *tree) firstLeaf(n int) int {
	for n >= 0 && !t.leaf(n) {
		n++
	}
	return n
}

// bytes returns the text of n, nil for -1.
func (t *tree) bytes(n int) []byte {
	if n < 0 {
		return nil
	}
	return t.text[t.nodes[n].start:t.nodes[n].end]
}

// child returns the first child of n in the field, or -1.
func (t *tree) child(n int, field string) int {
	id := t.fieldIDs[field]
	if n < 0 || id == 0 {
		return -1
	}
	for c, end := n+1, int(t.nodes[n].next); c < end; c = int(t.nodes[c].next) {
		if t.nodes[c].field == id {
			return c
		}
	}
	return -1
}

// fields returns the children of n in the field, in order.
func (t *tree) fields(n int, field string) iter.Seq[int] {
	id := t.fieldIDs[field]
	return func(yield func(int) bool) {
		for c := range t.children(n) {
			if t.nodes[c].field == id && id != 0 && !yield(c) {
				return
			}
		}
	}
}

func (t *tree) children(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		if n < 0 {
			return
		}
		for c, end := n+1, int(t.nodes[n].next); c < end; c = int(t.nodes[c].next) {
			if !yield(c) {
				return
			}
		}
	}
}

// first returns the first child of n of that kind, or -1.
func (t *tree) first(n int, kind string) int {
	for c := range t.children(n) {
		if t.kind(c) == kind {
			return c
		}
	}
	return -1
}

// multilineValue returns n if it takes several lines, else -1: a value on one line is part of
// the signature.
func (t *tree) multilineValue(n int) int {
	if n < 0 || t.row(n) == t.endRow(n) {
		return -1
	}
	return n
}

// startsLine reports whether only white space precedes pos on its line.
func (t *tree) startsLine(pos int) bool { return startsLine(t.text, pos) }

func startsLine(text []byte, pos int) bool {
	before := bytes.TrimRight(text[:pos], " \t\r\f\v")
	return len(before) == 0 || before[len(before)-1] == '\n'
}
