package postings

import "encoding/binary"

// Names are the names of all symbols, in lower case and in order.
type Names struct {
	segment  *Segment
	first    int // the first name's term
	sketches []byte
}

// Names are the segment's names.
func (s *Segment) Names() Names {
	n := Names{segment: s, first: s.seek(nameMark), sketches: s.sketches}
	if n.Len() > s.termCount()-n.first {
		n.sketches = nil
	}
	return n
}

// Len is how many names there are.
func (n Names) Len() int { return len(n.sketches) / 8 }

// Sketch is that of the i-th name.
func (n Names) Sketch(i int) Sketch { return Sketch(binary.LittleEndian.Uint64(n.sketches[8*i:])) }

// Name is the i-th name, a part of the segment's memory.
func (n Names) Name(i int) []byte {
	term := n.segment.term(n.first + i)
	return term[min(len(nameMark), len(term)):]
}

// Sketch tells most names that can't be close to each other apart. From the lowest, it
// has a bit for each letter a to z that the name has, one for each that it has twice or
// more, one for each remainder by 5 of its digits, and its length.
type Sketch uint64

const (
	twiceBits   = 26
	digitsBits  = 52
	lettersBits = 57
)

// NewSketch is the sketch of a name in lower case.
func NewSketch(name string) Sketch {
	m := uint64(0)
	for i := range len(name) {
		switch c := name[i]; {
		case 'a' <= c && c <= 'z':
			once := uint64(1) << (c - 'a')
			m |= m&once<<twiceBits | once
		case '0' <= c && c <= '9':
			m |= 1 << (digitsBits + (c-'0')%5)
		}
	}
	return Sketch(m | uint64(len(name))<<lettersBits)
}

// Letters are the bits for letters and digits. An edit of the name, by which a byte is
// inserted, deleted or replaced, sets one of them at most, and clears one at most.
func (s Sketch) Letters() uint64 { return uint64(s) & (1<<lettersBits - 1) }

// Len is the length of the name in bytes.
func (s Sketch) Len() int { return int(s >> lettersBits) }
