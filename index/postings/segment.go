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
	"sync/atomic"
)

// magic ends a segment. Its number changes with the format:
//
//	01: the first version
//	02: summaries before the groups; separate terms for names, with sketches
//	03: sketches record which letters occur twice
//	04: checksums of blocks
//	05: what the caller knows of files; the order of paths; slots
//	06: where the texts of files begin
//	07: the references of files by their names
//	08: the pairs of characters of names
const magic = "PLKSEG08"

// The footer is the end of each section, the length of all documents, the checksum of the
// blocks' checksums, which come before the footer, and its own.
const (
	sections    = 13
	summedBytes = sections*8 + 8 + sumBytes
	footerBytes = summedBytes + sumBytes + len(magic)
	termBytes   = 4 + 8
	docBytes    = 8 + 4*4
	unitBytes   = 8
	numberBytes = 4     // of a document
	endsBytes   = 2 * 8 // of a document's record and references
)

// Segment is an open segment. It is safe for concurrent use until Close. Documents, units
// and terms are numbered from 0. A method that takes a number panics if there is none
// such. See [Read] for damage.
type Segment struct {
	body blocks
	layout

	docs []byte // checked when the segment was opened, because searches read most of it

	length uint64
	sum    uint64
	mapped mapping // nil for a segment that was opened from bytes

	numbered sync.Once       // guards numbers
	numbers  map[int64]int32 // by ID, see DocOf

	folders atomic.Pointer[Folders] // nil until they are needed
}

// layout is where the sections of a segment are.
type layout struct {
	lists, terms, text, slots, sketches, pairs, units, rels, order, records, references, ends section
}

// Open opens the segment in a file. The error is [ErrDamaged] if the file is not a whole
// segment.
func Open(path string) (s *Segment, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	mapped, err := mapFile(f)
	if err != nil {
		return nil, fmt.Errorf("mapping %s: %w", path, err)
	}
	if s, err = OpenBytes(mapped); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), mapped.close())
	}
	s.mapped = mapped
	return s, nil
}

// OpenBytes opens the segment in data, which must not change while the segment is in use.
// The error is [ErrDamaged] if data is not a whole segment.
func OpenBytes(data []byte) (s *Segment, err error) {
	err = Read(func() (err error) {
		s, err = parse(data)
		return err
	})
	return s, err
}

func parse(data []byte) (*Segment, error) {
	end := len(data) - footerBytes
	if end < 0 || string(data[len(data)-len(magic):]) != magic {
		return nil, ErrDamaged
	}
	footer, footerSum := data[end:end+summedBytes], binary.LittleEndian.Uint32(data[end+summedBytes:])
	if crc32.Checksum(footer, castagnoli) != footerSum {
		return nil, ErrDamaged
	}
	bodyEnd := binary.LittleEndian.Uint64(footer[(sections-1)*8:])
	if bodyEnd > uint64(end) || blockCount(int(bodyEnd))*sumBytes != end-int(bodyEnd) {
		return nil, ErrDamaged
	}
	sums, sumsSum := data[bodyEnd:end], binary.LittleEndian.Uint32(footer[sections*8+8:])
	if crc32.Checksum(sums, castagnoli) != sumsSum {
		return nil, ErrDamaged
	}
	s := &Segment{length: binary.LittleEndian.Uint64(footer[sections*8:]), sum: uint64(sumsSum)<<32 | uint64(footerSum)}
	s.body = newBlocks(data[:bodyEnd], sums, s)
	var docs section
	start := uint64(0)
	for i, part := range []*section{&s.lists, &s.terms, &s.text, &s.slots, &s.sketches, &s.pairs, &docs, &s.units, &s.rels,
		&s.order, &s.records, &s.references, &s.ends} {
		end := binary.LittleEndian.Uint64(footer[i*8:])
		if end < start || end > bodyEnd {
			return nil, ErrDamaged
		}
		*part = section{&s.body, int(start), int(end)}
		start = end
	}
	s.docs = docs.all()
	if s.slots.len() != slotCount(s.termCount())*slotBytes || s.pairs.len() != s.sketches.len() ||
		s.order.len() != s.Docs()*numberBytes || s.ends.len() != s.Docs()*endsBytes {
		return nil, ErrDamaged
	}
	return s, nil
}

// Close unmaps the file. Nothing that was read from the segment may be used afterwards.
func (s *Segment) Close() error { return s.mapped.close() }

// Sum returns a checksum of the whole segment.
func (s *Segment) Sum() uint64 { return s.sum }

// Docs returns the number of documents.
func (s *Segment) Docs() int { return len(s.docs) / docBytes }

// Units returns the number of units of all documents.
func (s *Segment) Units() int { return s.units.len() / unitBytes }

// Length returns the length of all documents, in words that have terms.
func (s *Segment) Length() uint64 { return s.length }

// term returns the i-th term, which shares the segment's memory.
func (s *Segment) term(i int) []byte {
	start := int(s.termStart(i))
	return s.text.bytes(start, int(s.termStart(i+1))-start)
}

// termStart returns where the i-th term begins, and the one before it ends.
func (s *Segment) termStart(i int) uint32 {
	if i == 0 {
		return 0
	}
	return binary.LittleEndian.Uint32(s.terms.bytes((i-1)*termBytes, 4))
}

func (s *Segment) termCount() int { return s.terms.len() / termBytes }

// seek returns the index of the first term that is not less than term.
func (s *Segment) seek(term string) int {
	return sort.Search(s.termCount(), func(i int) bool { return string(s.term(i)) >= term })
}

// WithPrefix calls visit for each term that begins with a prefix, in their order. A term shares the segment's memory.
func (s *Segment) WithPrefix(prefix string, visit func(term []byte)) {
	i := s.seek(prefix)
	for start, n := int(s.termStart(i)), s.termCount(); i < n; i++ {
		end := int(s.termStart(i + 1))
		term := s.text.bytes(start, end-start)
		start = end
		if !bytes.HasPrefix(term, []byte(prefix)) {
			return
		}
		visit(term)
	}
}

// listStart returns the offset in the file of the list of the i-th term, or of the end of the lists if there is none.
func (s *Segment) listStart(i int) int {
	if i >= s.termCount() {
		return s.lists.end
	}
	start := binary.LittleEndian.Uint64(s.terms.bytes(i*termBytes+4, 8))
	if start > uint64(s.lists.len()) {
		panic(&Damage{segment: s})
	}
	return s.lists.start + int(start)
}

// list returns the list of the i-th term.
func (s *Segment) list(i int) List {
	start, end := s.listStart(i), s.listStart(i+1)
	if start > end {
		panic(&Damage{segment: s})
	}
	return newList(section{&s.body, start, end}, s.Docs())
}

// Find returns the list of a term. The list is empty if no document contains the term.
func (s *Segment) Find(term string) List { return s.FindKey(NewKey(term)) }

// FindKey is Find for the key of a term.
func (s *Segment) FindKey(key Key) List {
	if i, ok := s.number(key); ok {
		return s.list(i)
	}
	return List{}
}
