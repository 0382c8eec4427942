package postings

import (
	"encoding/binary"
	"math/bits"
)

// List is where a term occurs, to be read once from its beginning. What it has read is
// known by numbers: to move slices along would keep the garbage collector busy.
type List struct {
	Docs        int    // how many documents have the term
	data        []byte // the summaries, then the groups
	end         int    // of the summaries
	count       int    // documents in the segment
	at          int    // where the next summary is
	next        int    // the number after that of the document read last
	start, stop int    // where its group is
}

// Summary says how much a term counts in a whole document: its weight (see
// Frequencies), doubled, and one more if it occurs in the document's path.
type Summary struct{ Doc, value uint32 }

// Weight sums the occurrences outside of the path.
func (s Summary) Weight() uint32 { return s.value >> 1 }

// InPath is 1 if the term occurs in the path, else 0.
func (s Summary) InPath() uint32 { return s.value & 1 }

// newList makes a list of a term's data; a damaged one is empty.
func newList(data []byte, count int) List {
	docs, n := binary.Uvarint(data)
	size, m := binary.Uvarint(data[max(n, 0):])
	if n <= 0 || m <= 0 || size > uint64(len(data)-n-m) || docs > uint64(count) {
		return List{}
	}
	end := n + m + int(size)
	return List{Docs: int(docs), data: data, at: n + m, end: end, count: count, start: end, stop: end}
}

// Summaries appends the summaries of all documents that are left to buf.
func (l *List) Summaries(buf []Summary) []Summary {
	for value, ok := l.read(); ok; value, ok = l.read() {
		buf = append(buf, Summary{uint32(l.next - 1), value})
	}
	return buf
}

// Next is the next document with the term, by number, and its units. ok is false
// at the end.
func (l *List) Next() (doc int, g Group, ok bool) {
	_, ok = l.read()
	return l.next - 1, l.group(), ok
}

// To reads on to a document, at or after the one it has read last, and returns its
// units. ok is false if it does not have the term.
func (l *List) To(doc int) (g Group, ok bool) {
	for l.next <= doc {
		if _, ok := l.read(); !ok {
			return Group{}, false
		}
	}
	return l.group(), l.next == doc+1
}

// group is that of the document read last.
func (l *List) group() Group { return Group{data: l.data[l.start:l.stop]} }

// read reads on to the next document, and returns its Summary's value.
func (l *List) read() (value uint32, ok bool) {
	delta, size, v := uint64(0), uint64(0), uint64(0)
	if s := l.data[l.at:l.end]; len(s) >= 3 && s[0]|s[1]|s[2] < 0x80 { // as most are
		delta, v, size = uint64(s[0]), uint64(s[1]), uint64(s[2])
		l.at += 3
	} else {
		n := 0
		delta, n = uvarint(s, 0)
		v, n = uvarint(s, n)
		size, n = uvarint(s, n)
		if n < 0 {
			return 0, false
		}
		l.at += n
	}
	if delta >= uint64(l.count-l.next) || size > uint64(len(l.data)-l.stop) {
		l.at = l.end
		return 0, false
	}
	l.next += int(delta) + 1
	l.start, l.stop = l.stop, l.stop+int(size)
	return uint32(v), true
}

// uvarint reads a varint at a place and returns the place after it, -1 where there is
// none, as at a place of -1.
func uvarint(data []byte, at int) (uint64, int) {
	if uint(at) >= uint(len(data)) {
		return 0, -1
	}
	if b := data[at]; b < 0x80 {
		return uint64(b), at + 1
	}
	return longUvarint(data, at)
}

func longUvarint(data []byte, at int) (uint64, int) {
	v, n := binary.Uvarint(data[at:])
	if n <= 0 {
		return 0, -1
	}
	return v, at + n
}

// Group is the units of one document that a term occurs in.
type Group struct {
	data []byte
	at   int
	unit int
}

// Posting is a term in a unit, counted from the document's first.
type Posting struct {
	Unit   int
	Weight uint32 // see Frequencies
	fields uint8
}

// In says whether the term occurs in a field.
func (p Posting) In(f Field) bool { return p.fields&(1<<f) != 0 }

// Next is the term in the next unit. ok is false at the end.
func (g *Group) Next() (p Posting, ok bool) {
	head, at := uvarint(g.data, g.at)
	p.fields = uint8(head & (1<<Fields - 1))
	if at < 0 || at+bits.OnesCount8(p.fields) > len(g.data) {
		return Posting{}, false
	}
	for rest := p.fields; rest != 0; rest &= rest - 1 {
		p.Weight += weights[bits.TrailingZeros8(rest)] * uint32(g.data[at])
		at++
	}
	g.unit += int(head >> Fields)
	g.at = at
	p.Unit = g.unit
	return p, true
}
