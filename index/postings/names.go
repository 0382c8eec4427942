package postings

import (
	"bytes"
	"encoding/binary"
	"sort"
)

// Names is the sorted list of all symbol names in a segment, in lower case.
type Names struct {
	segment  *Segment
	first    int // the index of the first name's term
	sketches []byte
}

// Names returns the segment's names.
func (s *Segment) Names() Names {
	n := Names{segment: s, first: s.seek(nameMark), sketches: s.sketches.all()}
	if n.Len() > s.termCount()-n.first {
		panic(&Damage{segment: s})
	}
	return n
}

// Len returns the number of names.
func (n Names) Len() int { return len(n.sketches) / 8 }

// Sketch returns the sketch of the i-th name.
func (n Names) Sketch(i int) Sketch { return Sketch(binary.LittleEndian.Uint64(n.sketches[8*i:])) }

// NextWith returns the index of the first name from one index up to, but not including, another
// whose sketch has all of those letters, or end if there is none.
func (n Names) NextWith(letters uint64, from, end int) int {
	for i, rest := from, n.sketches[8*from:8*end]; len(rest) >= 8; i, rest = i+1, rest[8:] {
		if letters&^binary.LittleEndian.Uint64(rest) == 0 {
			return i
		}
	}
	return end
}

// WithPrefix returns the indexes of the names that begin with a prefix, which is in lower case:
// from first up to, but not including, end.
func (n Names) WithPrefix(prefix string) (first, end int) {
	first = sort.Search(n.Len(), func(i int) bool { return string(n.Name(i)) >= prefix })
	end = first + sort.Search(n.Len()-first, func(i int) bool { return !bytes.HasPrefix(n.Name(first+i), []byte(prefix)) })
	return first, end
}

// Name returns the i-th name, which shares the segment's memory.
func (n Names) Name(i int) []byte {
	term := n.segment.term(n.first + i)
	return term[min(len(nameMark), len(term)):]
}

// Sketch is a summary of a name that rules out most pairs of names with a large edit
// distance. From the lowest bit up, it has one bit for each letter a to z in the name, one
// for each letter that occurs at least twice, one for each remainder modulo 5 of the
// digits in the name, and the length in bytes.
type Sketch uint64

const (
	twiceBits   = 26
	digitsBits  = 52
	lettersBits = 57
)

// NewSketch returns the sketch of a name in lower case.
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

// Letters returns the bits for letters and digits. One edit of the name (a byte inserted,
// deleted or replaced) sets at most one of them and clears at most one.
func (s Sketch) Letters() uint64 { return uint64(s) & (1<<lettersBits - 1) }

// Len returns the length of the name in bytes.
func (s Sketch) Len() int { return int(s >> lettersBits) }
