package postings

import (
	"encoding/binary"
	"math/bits"
)

// List reads the documents that contain a term, in ascending order and once. It keeps
// offsets, because updating slices would cost write barriers of the garbage collector.
type List struct {
	Docs        int // the number of documents that contain the term
	data        section
	summaries   []byte
	count       int // the number of documents in the segment
	at          int // the offset of the next summary
	next        int // the number of the last document read, plus 1
	start, stop int // the bounds of that document's group, in data
}

// Summary holds how much a term counts in a whole document. Its value is the weight (see
// [Frequencies.Weight]), doubled, plus 1 if the term occurs in the document's path.
type Summary struct{ Doc, value uint32 }

// Weight returns the weighted sum of the occurrences outside of the path.
func (s Summary) Weight() uint32 { return s.value >> 1 }

// InPath returns 1 if the term occurs in the path, else 0.
func (s Summary) InPath() uint32 { return s.value & 1 }

// maxHead is the largest size of a list's head, which is two varints.
const maxHead = 2 * binary.MaxVarintLen64

// newList returns the list in a term's data.
func newList(data section, count int) List {
	head := data.bytes(0, min(maxHead, data.len()))
	docs, n := binary.Uvarint(head)
	size, m := binary.Uvarint(head[max(n, 0):])
	if n <= 0 || m <= 0 || size > uint64(data.len()-n-m) || docs > uint64(count) {
		panic(&Damage{segment: data.segment})
	}
	end := n + m + int(size)
	return List{Docs: int(docs), data: data, summaries: data.bytes(n+m, int(size)), count: count, start: end, stop: end}
}

// Summaries appends the summaries of all remaining documents to buf.
func (l *List) Summaries(buf []Summary) []Summary {
	for value, ok := l.read(); ok; value, ok = l.read() {
		buf = append(buf, Summary{uint32(l.next - 1), value})
	}
	return buf
}

// Next returns the next document that contains the term, by its number, and the document's
// units. At the end, ok is false.
func (l *List) Next() (doc int, g Group, ok bool) {
	_, ok = l.read()
	return l.next - 1, l.group(), ok
}

// To reads forward to a document and returns its units. The document must not come before
// the last document read. If it does not contain the term, ok is false.
func (l *List) To(doc int) (g Group, ok bool) {
	for l.next <= doc {
		if _, ok := l.read(); !ok {
			return Group{}, false
		}
	}
	return l.group(), l.next == doc+1
}

// group returns the group of the last document read.
func (l *List) group() Group {
	return Group{stored: section{l.data.blocks, l.data.start + l.start, l.data.start + l.stop}}
}

// read reads the next document and returns the value of its Summary.
func (l *List) read() (value uint32, ok bool) {
	if l.at == len(l.summaries) {
		return 0, false
	}
	delta, size, v := uint64(0), uint64(0), uint64(0)
	if s := l.summaries[l.at:]; len(s) >= 3 && s[0]|s[1]|s[2] < 0x80 { // the common case
		delta, v, size = uint64(s[0]), uint64(s[1]), uint64(s[2])
		l.at += 3
	} else {
		n := 0
		delta, n = uvarint(s, 0)
		v, n = uvarint(s, n)
		size, n = uvarint(s, n)
		if n < 0 {
			panic(&Damage{segment: l.data.segment})
		}
		l.at += n
	}
	if delta >= uint64(l.count-l.next) || size > uint64(l.data.len()-l.stop) {
		panic(&Damage{segment: l.data.segment})
	}
	l.next += int(delta) + 1
	l.start, l.stop = l.stop, l.stop+int(size)
	return uint32(v), true
}

// uvarint reads a varint at an offset and returns the offset behind it. It returns -1 if
// there is no varint, and also if at is -1.
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

// Group reads the units of one document that contain a term, in ascending order.
type Group struct {
	stored section
	data   []byte // once the first posting was read
	at     int
	unit   int
}

// Posting is the occurrence of a term in a unit. Unit counts from the document's first
// unit, which is 0.
type Posting struct {
	Unit   int
	Weight uint32 // see Frequencies.Weight
	fields uint8
}

// In reports whether the term occurs in a field.
func (p Posting) In(f Field) bool { return p.fields&(1<<f) != 0 }

// Next returns the posting of the next unit. At the end, ok is false.
func (g *Group) Next() (p Posting, ok bool) {
	if g.at == 0 && g.stored.len() > 0 {
		g.data = g.stored.all()
	}
	if g.at == len(g.data) {
		return Posting{}, false
	}
	head, at := uvarint(g.data, g.at)
	p.fields = uint8(head & (1<<Fields - 1))
	if at < 0 || head>>Fields > maxUnits || at+bits.OnesCount8(p.fields) > len(g.data) {
		panic(&Damage{segment: g.stored.segment})
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

// maxUnits is more than the number of units of any document.
const maxUnits = 1 << 32
