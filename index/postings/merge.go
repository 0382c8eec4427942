package postings

import (
	"cmp"
	"io"
)

// Merge writes the documents of several segments to w as one segment, in their order and
// without those for which alive returns false. It stops soon after a write fails. Pages of
// mapped segments leave memory once they have been read, so that large segments don't fill
// it. It uses all processors. Like all reading, it takes place within [Read].
func Merge(w io.Writer, segments []*Segment, alive func(segment, doc int) bool) error {
	var table docTable
	var merged []sourceDoc
	sources := make([]*mergedSegment, len(segments))
	terms := 0 // at most
	for i, s := range segments {
		terms += s.termCount()
		sources[i] = &mergedSegment{segment: s, numbers: make([]int32, s.Docs())}
		for doc := range s.Docs() {
			sources[i].numbers[doc] = -1
			if alive(i, doc) {
				sources[i].numbers[doc] = int32(table.add(s.document(doc)))
				merged = append(merged, sourceDoc{sources[i], doc})
			}
		}
	}
	// growing them would take longer
	out := segmentWriter{entries: make([]byte, 0, terms*termBytes), hashes: make([]uint32, 0, terms)}
	out.begin(w)
	if err := mergeTerms(&out, sources); err != nil {
		return err
	}
	err := out.finish(&table, func(doc int) []byte { return merged[doc].record() },
		func(doc int) []byte { return merged[doc].references() })
	for _, src := range sources {
		err = cmp.Or(err, src.err)
	}
	return err
}

// mergedSegment is one of the segments to merge.
type mergedSegment struct {
	segment *Segment
	numbers []int32 // by document: its number in the result, or -1 if it is left out
	evicted int     // bytes from the start of the file that are no longer in memory
	err     error   // of evicting
}

// evictEvery is how many bytes of a source are read before they are evicted.
const evictEvery = 128 << 10

// evict lets the parts of the file before an offset leave memory: the lists, records and references lie in
// the file in the order in which they are merged.
func (s *mergedSegment) evict(end int) {
	if s.segment.mapped != nil && end-s.evicted > evictEvery && s.err == nil {
		s.evicted, s.err = s.segment.mapped.evict(end)
	}
}

// read returns a part of the file, which is valid until the next call.
func (s *mergedSegment) read(part section) []byte {
	s.evict(part.start)
	return part.all()
}

// sourceDoc is a document of a source.
type sourceDoc struct {
	*mergedSegment
	doc int
}

func (d sourceDoc) record() []byte     { return d.read(d.segment.recordOf(d.doc)) }
func (d sourceDoc) references() []byte { return d.read(d.segment.referencesOf(d.doc)) }

// document returns a document as [docTable.add] takes it.
func (s *Segment) document(doc int) (e docEntry, rel string, units []Unit) {
	info := s.Doc(doc)
	for u := info.FirstUnit; u < info.EndUnit; u++ {
		units = append(units, s.Unit(u))
	}
	return docEntry{id: info.ID, traits: info.Traits}, s.Rel(doc), units
}
