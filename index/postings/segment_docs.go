package postings

import (
	"bytes"
	"encoding/binary"
	"sort"
)

// DocInfo describes a document. Its units are those from FirstUnit up to, but not
// including, EndUnit.
type DocInfo struct {
	ID                 int64
	FirstUnit, EndUnit int
	Length             int // in words that have terms
	Traits             uint8
}

// Doc returns the document with a number.
func (s *Segment) Doc(doc int) DocInfo {
	e := s.docs[doc*docBytes:]
	d := DocInfo{
		ID:        int64(binary.LittleEndian.Uint64(e)),
		FirstUnit: int(binary.LittleEndian.Uint32(e[8:])),
		EndUnit:   s.Units(),
		Length:    int(binary.LittleEndian.Uint32(e[16:])),
		Traits:    e[20],
	}
	if doc+1 < s.Docs() {
		d.EndUnit = int(binary.LittleEndian.Uint32(e[docBytes+8:]))
	}
	if d.FirstUnit > d.EndUnit || d.EndUnit > s.Units() {
		panic(&Damage{segment: s})
	}
	return d
}

// DocLength returns the length of a document in words that have terms.
func (s *Segment) DocLength(doc int) int {
	return int(binary.LittleEndian.Uint32(s.docs[doc*docBytes+16:]))
}

// Traits returns the traits of a document.
func (s *Segment) Traits(doc int) uint8 { return s.docs[doc*docBytes+20] }

// Rel returns the relative path of a document.
func (s *Segment) Rel(doc int) string { return string(s.rel(doc)) }

// CompareRel compares the path of a document with that of a document in the same or
// another segment. The result is negative, zero or positive, as for [bytes.Compare].
func (s *Segment) CompareRel(doc int, other *Segment, its int) int {
	return bytes.Compare(s.rel(doc), other.rel(its))
}

// rel returns the relative path of a document, which shares the segment's memory.
func (s *Segment) rel(doc int) []byte {
	start := 0
	if doc > 0 {
		start = int(binary.LittleEndian.Uint32(s.docs[(doc-1)*docBytes+12:]))
	}
	end := int(binary.LittleEndian.Uint32(s.docs[doc*docBytes+12:]))
	return s.rels.bytes(start, end-start)
}

// DocAt returns a document with that relative path, which accept accepts, by its number. If
// there is none, ok is false.
func (s *Segment) DocAt(rel string, accept func(doc int) bool) (doc int, ok bool) {
	at := func(i int) int {
		doc := int(binary.LittleEndian.Uint32(s.order.bytes(i*numberBytes, numberBytes)))
		if doc >= s.Docs() {
			panic(&Damage{segment: s})
		}
		return doc
	}
	n := s.order.len() / numberBytes
	for i := sort.Search(n, func(i int) bool { return string(s.rel(at(i))) >= rel }); i < n &&
		string(s.rel(at(i))) == rel; i++ {
		if doc := at(i); accept(doc) {
			return doc, true
		}
	}
	return 0, false
}

// Record returns the record of a document, which shares the segment's memory.
func (s *Segment) Record(doc int) []byte { return s.recordOf(doc).all() }

// References returns the references of a document, which share the segment's memory.
func (s *Segment) References(doc int) []byte { return s.referencesOf(doc).all() }

func (s *Segment) recordOf(doc int) section { return s.stored(s.records, doc, 0) }

func (s *Segment) referencesOf(doc int) section { return s.stored(s.references, doc, 8) }

// stored returns the part of a section that is a document's. at is the offset of its end among
// the document's ends.
func (s *Segment) stored(in section, doc, at int) section {
	start := uint64(0)
	if doc > 0 {
		start = binary.LittleEndian.Uint64(s.ends.bytes((doc-1)*endsBytes+at, 8))
	}
	end := binary.LittleEndian.Uint64(s.ends.bytes(doc*endsBytes+at, 8))
	if start > end || end > uint64(in.len()) {
		panic(&Damage{segment: s})
	}
	return section{in.blocks, in.start + int(start), in.start + int(end)}
}

// Unit returns the unit with a number.
func (s *Segment) Unit(unit int) Unit {
	e := s.units.bytes(unit*unitBytes, unitBytes)
	return Unit{Ordinal: int32(binary.LittleEndian.Uint32(e)), Length: binary.LittleEndian.Uint32(e[4:])}
}

// UnitLengths returns the lengths of the units from first up to, but not including, end, which
// share the segment's memory.
func (s *Segment) UnitLengths(first, end int) UnitLengths {
	return UnitLengths(s.units.bytes(first*unitBytes, (end-first)*unitBytes))
}

// UnitLengths are the lengths of units, see [Unit].
type UnitLengths []byte

// Of returns the length of the i-th unit.
func (l UnitLengths) Of(i int) int { return int(binary.LittleEndian.Uint32(l[i*unitBytes+4:])) }

// DocOf returns the number of the document with an ID. If there is none, ok is false.
func (s *Segment) DocOf(id int64) (doc int, ok bool) {
	s.numbered.Do(func() {
		s.numbers = make(map[int64]int32, s.Docs())
		for doc := range s.Docs() {
			s.numbers[int64(binary.LittleEndian.Uint64(s.docs[doc*docBytes:]))] = int32(doc)
		}
	})
	n, ok := s.numbers[id]
	return int(n), ok
}
