package postings

import "encoding/binary"

// Names are the names of all symbols, in lower case and in order.
type Names struct {
	segment *Segment
	first   int // the first name's term
	letters []byte
}

// Names are the segment's names.
func (s *Segment) Names() Names {
	n := Names{segment: s, first: s.seek(nameMark), letters: s.letters}
	if n.Len() > s.termCount()-n.first {
		n.letters = nil
	}
	return n
}

// Len is how many names there are.
func (n Names) Len() int { return len(n.letters) / 8 }

// Letters are those of the i-th name.
func (n Names) Letters(i int) uint64 { return binary.LittleEndian.Uint64(n.letters[8*i:]) }

// Name is the i-th name, a part of the segment's memory.
func (n Names) Name(i int) []byte {
	term := n.segment.term(n.first + i)
	return term[min(len(nameMark), len(term)):]
}

// Letters has a bit for each letter a to z and each digit that a name has.
func Letters(name string) (m uint64) {
	for i := range len(name) {
		switch c := name[i]; {
		case 'a' <= c && c <= 'z':
			m |= 1 << (c - 'a')
		case '0' <= c && c <= '9':
			m |= 1 << (26 + c - '0')
		}
	}
	return m
}
