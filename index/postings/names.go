package postings

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"sort"
	"strings"
)

// Names is the sorted list of all symbol names in a segment, in lower case.
type Names struct {
	segment         *Segment
	sketches, pairs []byte
	terms           []byte // the entries of the names' terms
	text            []byte // of these terms
	start           uint32 // where that begins
}

// Names returns the segment's names.
func (s *Segment) Names() Names {
	n := Names{segment: s, sketches: s.sketches.all(), pairs: s.pairs.all()}
	first, count := s.seek(nameMark), n.Len()
	n.terms = s.terms.bytes(first*termBytes, count*termBytes)
	n.start = s.termStart(first)
	n.text = s.text.bytes(int(n.start), int(s.termStart(first+count))-int(n.start))
	return n
}

// Len returns the number of names.
func (n Names) Len() int { return len(n.sketches) / 8 }

// Sketch returns the sketch of the i-th name.
func (n Names) Sketch(i int) Sketch { return Sketch(binary.LittleEndian.Uint64(n.sketches[8*i:])) }

// NameFilter accepts names by their sketches and pairs.
type NameFilter struct {
	Letters uint64 // that a name has
	Pairs   Pairs  // of which it may lack some
	// MostMissing is the number of these by the length of the name, -1 if there must be none of that length. The second
	// part is for separated names.
	MostMissing [2][maxLength + 1]int
}

// Next returns the index of the first name from one index up to, but not including, another
// that a filter accepts, or end if there is none.
func (n Names) Next(f *NameFilter, from, end int) int {
	sketches, pairs := n.sketches[8*from:8*end], n.pairs[8*from:8*end]
	for at := 0; at+8 <= len(sketches) && at+8 <= len(pairs); at += 8 {
		sketch := Sketch(binary.LittleEndian.Uint64(sketches[at:]))
		if f.Letters&^uint64(sketch) != 0 {
			continue
		}
		p := Pairs(binary.LittleEndian.Uint64(pairs[at:]))
		if f.Pairs.missing(p) <= f.MostMissing[p>>separated][sketch.Len()] {
			return from + at/8
		}
	}
	return end
}

// NearFilter accepts names by their sketches and pairs: those that may be a few edits away from a
// wanted name, and those that may contain it, or the words of it.
type NearFilter struct {
	Letters uint64 // of the wanted name
	Pairs   Pairs  // of the wanted name
	// MostEdits is how many edits are few by the length of a name, -1 if no number is.
	MostEdits [maxLength + 1]int
	// MayContain says by the length of a name whether it may contain the wanted one and be near enough.
	MayContain [maxLength + 1]bool
}

// pairsPerEdit is how many pairs of a name one edit takes away, at most.
const pairsPerEdit = 2

// NextNear returns the index of the first name from one index up to, but not including, another
// that a filter accepts, or end if there is none. contains says whether the name may contain the
// wanted one, and edited whether it may be few edits away.
//
// It rules names out by two words of 64 bits each, before their text is read. A sketch has a bit for each letter of
// the name: one edit changes at most one letter, so a name that lacks more letters of the wanted one than there may be
// edits, or has more others, is too far away. A name that contains the wanted one lacks none. The pairs of
// neighboring letters rule out most of what is left: an edit takes away at most two of them. Both are necessary
// conditions and not sufficient ones, so the caller compares the names that are returned.
func (n Names) NextNear(f *NearFilter, from, end int) (i int, contains, edited bool) {
	sketches, pairs := n.sketches[8*from:8*end], n.pairs[8*from:8*end]
	for at := 0; at+8 <= len(sketches) && at+8 <= len(pairs); at += 8 {
		sketch := Sketch(binary.LittleEndian.Uint64(sketches[at:]))
		most, missing := f.MostEdits[sketch.Len()], bits.OnesCount64(f.Letters&^uint64(sketch))
		if missing > most && (missing > 0 || !f.MayContain[sketch.Len()]) {
			continue
		}
		if edited = missing <= most && bits.OnesCount64(sketch.Letters()&^f.Letters) <= most; edited {
			p := Pairs(binary.LittleEndian.Uint64(pairs[at:]))
			edited = f.Pairs.missing(p) <= pairsPerEdit*most && p.missing(f.Pairs) <= pairsPerEdit*most
		}
		if contains = missing == 0 && f.MayContain[sketch.Len()]; contains || edited {
			return from + at/8, contains, edited
		}
	}
	return end, false, false
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
	start := n.start
	if i > 0 {
		start = binary.LittleEndian.Uint32(n.terms[(i-1)*termBytes:])
	}
	from, to := uint(start-n.start)+uint(len(nameMark)), uint(binary.LittleEndian.Uint32(n.terms[i*termBytes:])-n.start)
	if from > to || to > uint(len(n.text)) {
		panic(&Damage{segment: n.segment})
	}
	return n.text[from:to:to]
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
	maxLength   = 1<<(64-lettersBits) - 1
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

// Pairs is a summary of which characters of a name follow each other. It has a bit for each pair,
// which pairs share, and the highest bit if a word begins after another character than a letter or a
// digit, as in serve_http. One edit of the name takes away at most two pairs.
type Pairs uint64

// NewPairs returns the pairs of a name in lower case.
func NewPairs(name string) (p Pairs) {
	for i := 1; i < len(name); i++ {
		const scatter = 0x9E3779B1 // its products depend in their highest bits on all of the other factor's
		hash := (uint32(name[i-1])<<8 | uint32(name[i])) * scatter
		p |= 1 << (hash >> 16 % separated)
		if strings.IndexByte(separators, name[i-1]) >= 0 {
			p |= 1 << separated
		}
	}
	return p
}

const (
	separated  = 63 // the number of the highest bit
	separators = "_-.$"
)

// missing returns how many pairs, at least, another name does not have.
func (p Pairs) missing(from Pairs) int { return bits.OnesCount64(uint64(p&^from) &^ (1 << separated)) }
