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

// Sketch tells most names that can't be close to each other apart.
type Sketch uint64

const lettersBits = 36

// NewSketch is the sketch of a name in lower case.
func NewSketch(name string) Sketch {
	m := uint64(len(name)) << lettersBits
	for i := range len(name) {
		switch c := name[i]; {
		case 'a' <= c && c <= 'z':
			m |= 1 << (c - 'a')
		case '0' <= c && c <= '9':
			m |= 1 << (26 + c - '0')
		}
	}
	return Sketch(m)
}

// Letters has a bit for each letter a to z and each digit that the name has.
func (s Sketch) Letters() uint64 { return uint64(s) & (1<<lettersBits - 1) }

// Len is the length of the name in bytes.
func (s Sketch) Len() int { return int(s >> lettersBits) }
