package syntax

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// scan builds a flat tree for a language with a scanner instead of a tree-sitter grammar: for
// texts whose outline needs only their lines or brackets. Nodes are added in the order of the
// text. A scanner accepts any text, and takes linear time.
type scan struct {
	text  []byte
	nodes []node
	types map[string]uint16
	inner int32 // the innermost open node, or -1

	from, to int // the current line without its line break
	next     int // where the next line begins

	row, rowAt      int // row is the row of the byte rowAt
	untrimmed, trim int // the last argument of trimmed, and its result
}

// scanned appends to nodes the tree that the grammar's scanner makes of text.
func (g *grammar) scanned(nodes []node, text []byte) []node {
	s := &scan{text: text, nodes: nodes, types: g.types, inner: -1}
	g.scan(s)
	for s.inner >= 0 {
		s.close(len(text))
	}
	return s.nodes
}

// line moves to the next line and reports whether there is one.
func (s *scan) line() bool {
	if s.next >= len(s.text) {
		return false
	}
	s.from, s.next, s.to = s.next, len(s.text), len(s.text)
	if i := bytes.IndexByte(s.text[s.from:], '\n'); i >= 0 {
		s.next, s.to = s.from+i+1, s.from+i
	}
	if s.to > s.from && s.text[s.to-1] == '\r' {
		s.to--
	}
	return true
}

// current returns the current line without its line break.
func (s *scan) current() []byte { return s.text[s.from:s.to] }

// open begins a node. Nodes that are added until its close are inside it.
func (s *scan) open(kind string, start int) int {
	n := s.add(s.types[kind], start, start, 0)
	s.inner = int32(n)
	return n
}

// close ends the innermost open node at end, without the white space before it.
func (s *scan) close(end int) {
	n := &s.nodes[s.inner]
	end = max(s.trimmed(end), int(n.start))
	n.end, n.endRow, n.next = uint32(end), s.lastRow(int(n.start), end), uint32(len(s.nodes))
	s.inner = n.parent
}

// leaf adds a node without children.
func (s *scan) leaf(kind string, start, end int) int { return s.add(s.types[kind], start, end, 0) }

// missing adds a node for something that the text lacks.
func (s *scan) missing(kind string, at int) { s.add(s.types[kind], at, at, flagMissing) }

// unexpected adds an error node.
func (s *scan) unexpected(start, end int) { s.add(errorSymbol, start, end, 0) }

func (s *scan) add(symbol uint16, start, end int, flags uint8) int {
	s.nodes = append(s.nodes, node{
		start: uint32(start), end: uint32(end), row: s.rowOf(start), next: uint32(len(s.nodes) + 1),
		parent: s.inner, symbol: symbol, flags: flags | flagNamed,
	})
	n := &s.nodes[len(s.nodes)-1]
	n.endRow = s.lastRow(start, end)
	return len(s.nodes) - 1
}

// resize sets the end of a leaf.
func (s *scan) resize(n, end int) {
	s.nodes[n].end, s.nodes[n].endRow = uint32(end), s.lastRow(int(s.nodes[n].start), end)
}

func (s *scan) lastRow(start, end int) uint32 { return s.rowOf(max(start, end-1)) }

// rowOf returns the row of an offset. It counts from the offset of its last call, since calls
// come in nearly ascending order.
func (s *scan) rowOf(at int) uint32 {
	if at >= s.rowAt {
		s.row += bytes.Count(s.text[s.rowAt:at], []byte{'\n'})
	} else {
		s.row -= bytes.Count(s.text[at:s.rowAt], []byte{'\n'})
	}
	s.rowAt = at
	return uint32(s.row)
}

// trimmed returns end without the white space before it.
func (s *scan) trimmed(end int) int {
	if end != s.untrimmed {
		s.untrimmed, s.trim = end, len(bytes.TrimRight(s.text[:end], " \t\r\n"))
	}
	return s.trim
}

// maxTitle bounds a name that is made from prose, in bytes.
const maxTitle = 120

// title makes a name from prose: on one line, white space folded, cut at maxTitle.
func title(text []byte) string {
	cut := len(text) > 4*maxTitle
	if cut {
		text = text[:4*maxTitle]
	}
	name := strings.Join(strings.Fields(strings.ToValidUTF8(string(text), "")), " ")
	if len(name) <= maxTitle && !cut {
		return name
	}
	end := min(maxTitle, len(name))
	for end > 0 && end < len(name) && !utf8.RuneStart(name[end]) {
		end--
	}
	return name[:end] + "…"
}

// blank reports whether a byte is white space.
func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// indentation returns the number of blanks at the beginning of a line.
func indentation(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " \t")) }
