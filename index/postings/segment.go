package postings

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"sort"
	"sync"
)

// magic ends a segment; its number changes with the format.
//
//	01: the first
//	02: summaries before the groups, names by themselves with their sketches
//	03: a name's sketch tells which letters it has twice
const magic = "PLKSEG03"

const (
	sections    = 7
	footerBytes = sections*8 + 8 + 4 + len(magic)
	termBytes   = 4 + 8
	docBytes    = 8 + 4*4
	unitBytes   = 8
)

// ErrDamaged is what opening a segment fails with that is not whole.
var ErrDamaged = errors.New("damaged segment")

// Segment is an open segment. It is safe for concurrent use until Close.
type Segment struct {
	lists, terms, text, sketches, docs, units, rels []byte

	length uint64
	mapped mapping // nil for a segment in memory

	numbered sync.Once // guards what follows, see DocOf
	numbers  map[int64]int32
}

// Open opens the segment in a file.
func Open(path string) (*Segment, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	mapped, err := mapFile(f)
	if err != nil {
		return nil, fmt.Errorf("mapping %s: %w", path, err)
	}
	s, err := OpenBytes(mapped)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), mapped.close())
	}
	s.mapped = mapped
	return s, nil
}

// OpenBytes opens the segment in data, which must not change.
func OpenBytes(data []byte) (*Segment, error) {
	body := len(data) - footerBytes
	if body < 0 || string(data[len(data)-len(magic):]) != magic {
		return nil, ErrDamaged
	}
	footer := data[body : len(data)-len(magic)-4]
	if crc32.ChecksumIEEE(footer) != binary.LittleEndian.Uint32(data[len(data)-len(magic)-4:]) {
		return nil, ErrDamaged
	}
	s := &Segment{length: binary.LittleEndian.Uint64(footer[sections*8:])}
	start := uint64(0)
	for i, section := range []*[]byte{&s.lists, &s.terms, &s.text, &s.sketches, &s.docs, &s.units, &s.rels} {
		end := binary.LittleEndian.Uint64(footer[i*8:])
		if end < start || end > uint64(body) {
			return nil, ErrDamaged
		}
		*section = data[start:end:end]
		start = end
	}
	if start != uint64(body) {
		return nil, ErrDamaged
	}
	return s, nil
}

// Close gives the memory back; nothing that came from the segment may be used any more.
func (s *Segment) Close() error { return s.mapped.close() }

// Docs and Units are the numbers of documents and units, Length that of all terms.
func (s *Segment) Docs() int      { return len(s.docs) / docBytes }
func (s *Segment) Units() int     { return len(s.units) / unitBytes }
func (s *Segment) Length() uint64 { return s.length }

// DocInfo is what a segment knows about a document. Its units are those from
// FirstUnit up to EndUnit.
type DocInfo struct {
	ID                 int64
	FirstUnit, EndUnit int
	Length             int // in terms
	Traits             uint8
}

// Doc is the document of that number.
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
		d.EndUnit = min(d.EndUnit, int(binary.LittleEndian.Uint32(e[docBytes+8:])))
	}
	return d
}

// DocLength is the length of a document in terms.
func (s *Segment) DocLength(doc int) int {
	return int(binary.LittleEndian.Uint32(s.docs[doc*docBytes+16:]))
}

// Traits are those of a document.
func (s *Segment) Traits(doc int) uint8 { return s.docs[doc*docBytes+20] }

// Rel is the document's relative path.
func (s *Segment) Rel(doc int) string { return string(s.rel(doc)) }

// CompareRel orders a document and one of another segment, or the same, by their paths.
func (s *Segment) CompareRel(doc int, other *Segment, its int) int {
	return bytes.Compare(s.rel(doc), other.rel(its))
}

// rel is Rel as a part of the segment's memory.
func (s *Segment) rel(doc int) []byte {
	start := uint32(0)
	if doc > 0 {
		start = binary.LittleEndian.Uint32(s.docs[(doc-1)*docBytes+12:])
	}
	end := binary.LittleEndian.Uint32(s.docs[doc*docBytes+12:])
	if start > end || int(end) > len(s.rels) {
		return nil
	}
	return s.rels[start:end]
}

// Unit is the unit of that number.
func (s *Segment) Unit(unit int) Unit {
	e := s.units[unit*unitBytes:]
	return Unit{Ordinal: int32(binary.LittleEndian.Uint32(e)), Length: binary.LittleEndian.Uint32(e[4:])}
}

// term is the text of the i-th term, a part of the segment's memory.
func (s *Segment) term(i int) []byte {
	start := uint32(0)
	if i > 0 {
		start = binary.LittleEndian.Uint32(s.terms[(i-1)*termBytes:])
	}
	end := binary.LittleEndian.Uint32(s.terms[i*termBytes:])
	if start > end || int(end) > len(s.text) {
		return nil
	}
	return s.text[start:end]
}

func (s *Segment) termCount() int { return len(s.terms) / termBytes }

// seek is the number of the first term that is not less than term.
func (s *Segment) seek(term string) int {
	return sort.Search(s.termCount(), func(i int) bool { return string(s.term(i)) >= term })
}

// list is the list of the i-th term.
func (s *Segment) list(i int) List {
	start := binary.LittleEndian.Uint64(s.terms[i*termBytes+4:])
	end := uint64(len(s.lists))
	if i+1 < s.termCount() {
		end = binary.LittleEndian.Uint64(s.terms[(i+1)*termBytes+4:])
	}
	if start > end || end > uint64(len(s.lists)) {
		return List{}
	}
	return newList(s.lists[start:end], s.Docs())
}

// Find is the list of a term, empty where there is none.
func (s *Segment) Find(term string) List {
	i := s.seek(term)
	if i == s.termCount() || string(s.term(i)) != term {
		return List{}
	}
	return s.list(i)
}

// DocOf is the number of the document with an id; ok is false where there is none.
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
