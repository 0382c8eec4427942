package postings

import (
	"bytes"
	"io"
)

// Merge writes the documents of several segments as one, without those that alive
// denies. Their order stays. It ends soon after w has failed. What it has read of them
// doesn't stay in memory, however large they are.
func Merge(w io.Writer, segments []*Segment, alive func(segment, doc int) bool) error {
	var table docTable
	sources := make([]*source, len(segments))
	for i, s := range segments {
		sources[i] = &source{segment: s, numbers: make([]int32, s.Docs())}
		for doc := range s.Docs() {
			sources[i].numbers[doc] = -1
			if alive(i, doc) {
				sources[i].numbers[doc] = int32(table.add(s.document(doc)))
			}
		}
	}
	out := newSegmentWriter(w)
	var list listWriter
	for out.err == nil {
		term := least(sources)
		if term == nil {
			break
		}
		list.reset()
		for _, src := range sources {
			src.take(term, &list)
		}
		if list.docs > 0 {
			out.term(term, &list)
		}
		for _, src := range sources {
			if err := src.forget(); err != nil {
				return err
			}
		}
	}
	return out.finish(&table)
}

// source is one segment that is merged.
type source struct {
	segment *Segment
	numbers []int32 // a document's number in the result, -1 for none
	at      int     // the next term
	read    int     // bytes of its lists, which come first in its file
	gone    int     // the first of these, no longer in memory
}

// forgetEvery is how many bytes of lists a source reads before it lets go of them.
const forgetEvery = 4 << 20

// forget lets go of the lists that have been merged.
func (s *source) forget() (err error) {
	if s.segment.mapped != nil && s.read-s.gone > forgetEvery {
		s.gone, err = s.segment.mapped.forget(s.read)
	}
	return err
}

func (s *source) term() []byte {
	if s.at == s.segment.termCount() {
		return nil
	}
	return s.segment.term(s.at)
}

// take adds the living documents of the source's list for term, if it has one.
func (s *source) take(term []byte, into *listWriter) {
	if !bytes.Equal(s.term(), term) {
		return
	}
	list := s.segment.list(s.at)
	s.at++
	s.read += len(list.data)
	for {
		summary, ok := list.read()
		if !ok {
			return
		}
		if n := s.numbers[list.next-1]; n >= 0 {
			into.add(uint32(n), summary, list.group().data)
		}
	}
}

// least is the smallest term that a source is at, nil at the end of all.
func least(sources []*source) []byte {
	var term []byte
	for _, s := range sources {
		if t := s.term(); t != nil && (term == nil || bytes.Compare(t, term) < 0) {
			term = t
		}
	}
	return term
}

// document is a document in the form in which a table takes it.
func (s *Segment) document(doc int) (e docEntry, rel string, units []Unit) {
	info := s.Doc(doc)
	for u := info.FirstUnit; u < info.EndUnit; u++ {
		units = append(units, s.Unit(u))
	}
	return docEntry{id: info.ID, traits: info.Traits}, s.Rel(doc), units
}
