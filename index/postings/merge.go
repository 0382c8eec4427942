package postings

import (
	"bytes"
	"cmp"
	"io"
)

// Merge writes the documents of several segments to w as one segment, in their order and
// without those for which alive returns false. It stops soon after a write fails. Pages of
// mapped segments leave memory once they have been read, so that large segments don't fill
// it. Like all reading it takes place within [Read].
func Merge(w io.Writer, segments []*Segment, alive func(segment, doc int) bool) error {
	var table docTable
	var merged []sourceDoc
	sources := make([]*source, len(segments))
	for i, s := range segments {
		sources[i] = &source{segment: s, numbers: make([]int32, s.Docs())}
		for doc := range s.Docs() {
			sources[i].numbers[doc] = -1
			if alive(i, doc) {
				sources[i].numbers[doc] = int32(table.add(s.document(doc)))
				merged = append(merged, sourceDoc{sources[i], doc})
			}
		}
	}
	out := newSegmentWriter(w)
	var list listWriter
	for out.err == nil {
		term := smallestTerm(sources)
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
	}
	err := out.finish(&table, func(doc int) []byte { return merged[doc].record() }, func(doc int) []byte { return merged[doc].references() })
	for _, src := range sources {
		err = cmp.Or(err, src.err)
	}
	return err
}

// source is one of the segments to merge.
type source struct {
	segment *Segment
	numbers []int32 // by document: its number in the result, or -1 if it is left out
	at      int     // the next term
	evicted int     // bytes from the start of the file that are no longer in memory
	err     error   // of evicting
}

// evictEvery is how many bytes a source reads before it evicts them.
const evictEvery = 128 << 10

// read returns a part of the file, which is valid until the next call. The parts that were read
// before leave memory: the lists, records and references lie in the file in the order in which
// they are merged.
func (s *source) read(part section) []byte {
	if s.segment.mapped != nil && part.start-s.evicted > evictEvery && s.err == nil {
		s.evicted, s.err = s.segment.mapped.evict(part.start)
	}
	return part.all()
}

// sourceDoc is a document of a source.
type sourceDoc struct {
	*source
	doc int
}

func (d sourceDoc) record() []byte     { return d.read(d.segment.recordOf(d.doc)) }
func (d sourceDoc) references() []byte { return d.read(d.segment.referencesOf(d.doc)) }

func (s *source) term() []byte {
	if s.at == s.segment.termCount() {
		return nil
	}
	return s.segment.term(s.at)
}

// take adds the live documents of the source's list for term, if there is one.
func (s *source) take(term []byte, into *listWriter) {
	if !bytes.Equal(s.term(), term) {
		return
	}
	list := s.segment.list(s.at)
	s.at++
	for {
		summary, ok := list.read()
		if !ok {
			return
		}
		if n := s.numbers[list.next-1]; n >= 0 {
			into.add(uint32(n), summary, s.read(list.group().stored))
		}
	}
}

// smallestTerm returns the smallest of the sources' next terms, or nil if all are at their
// end.
func smallestTerm(sources []*source) []byte {
	var term []byte
	for _, s := range sources {
		if t := s.term(); t != nil && (term == nil || bytes.Compare(t, term) < 0) {
			term = t
		}
	}
	return term
}

// document returns a document as [docTable.add] takes it.
func (s *Segment) document(doc int) (e docEntry, rel string, units []Unit) {
	info := s.Doc(doc)
	for u := info.FirstUnit; u < info.EndUnit; u++ {
		units = append(units, s.Unit(u))
	}
	return docEntry{id: info.ID, traits: info.Traits}, s.Rel(doc), units
}
