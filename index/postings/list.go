package postings

import "encoding/binary"

// List is where a term occurs, to be read once from its beginning.
type List struct {
	Docs  int // how many documents have the term
	data  []byte
	count int // documents in the segment
	next  int
}

// Next is the next document with the term, by number, and its units. ok is false
// at the end.
func (l *List) Next() (doc int, g Group, ok bool) {
	delta, n := binary.Uvarint(l.data)
	if n <= 0 {
		return 0, Group{}, false
	}
	size, m := binary.Uvarint(l.data[n:])
	rest := l.data[n+max(m, 0):]
	if m <= 0 || size > uint64(len(rest)) || delta >= uint64(l.count-l.next) {
		return 0, Group{}, false
	}
	doc = l.next + int(delta)
	l.next, l.data = doc+1, rest[size:]
	return doc, Group{data: rest[:size]}, true
}

// Group is the units of one document that a term occurs in.
type Group struct {
	data []byte
	unit int
}

// Next is the next unit, counted from the document's first, and how often the term
// occurs in its fields. ok is false at the end.
func (g *Group) Next() (unit int, f Frequencies, ok bool) {
	head, n := binary.Uvarint(g.data)
	if n <= 0 {
		return 0, f, false
	}
	at := n
	for field := range Fields {
		if head&(1<<field) == 0 {
			continue
		}
		if at == len(g.data) {
			return 0, f, false
		}
		f[field] = g.data[at]
		at++
	}
	g.unit += int(head >> Fields)
	g.data = g.data[at:]
	return g.unit, f, true
}
