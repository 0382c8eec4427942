package postings

import (
	"bytes"
	"cmp"
	"container/heap"
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
	terms := 0 // at most
	for i, s := range segments {
		terms += s.termCount()
		sources[i] = &source{segment: s, order: i, numbers: make([]int32, s.Docs())}
		for doc := range s.Docs() {
			sources[i].numbers[doc] = -1
			if alive(i, doc) {
				sources[i].numbers[doc] = int32(table.add(s.document(doc)))
				merged = append(merged, sourceDoc{sources[i], doc})
			}
		}
	}
	out := segmentWriter{entries: make([]byte, 0, terms*termBytes), hashes: make([]uint32, 0, terms)} // growing them would take longer
	out.begin(w)
	waiting := newTermQueue(sources)
	var list listWriter
	for out.err == nil && len(waiting) > 0 {
		term := waiting[0].term
		list.reset()
		for len(waiting) > 0 && bytes.Equal(waiting[0].term, term) {
			waiting[0].addTo(&list)
			waiting.advance()
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
	order   int     // among the sources
	numbers []int32 // by document: its number in the result, or -1 if it is left out
	at      int     // the number of the next term
	term    []byte  // the next term, which shares the segment's memory
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

// seek goes to a term by its number. It reports whether there is one.
func (s *source) seek(at int) bool {
	if at == s.segment.termCount() {
		return false
	}
	s.at, s.term = at, s.segment.term(at)
	return true
}

// addTo adds the live documents of the list of the source's next term.
func (s *source) addTo(into *listWriter) {
	list := s.segment.list(s.at)
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

// termQueue is a heap of the sources that have terms left: by their next term, then in their order.
type termQueue []*source

func newTermQueue(sources []*source) (q termQueue) {
	for _, s := range sources {
		if s.seek(0) {
			q = append(q, s)
		}
	}
	heap.Init(&q)
	return q
}

// advance moves the first source to its next term.
func (q *termQueue) advance() {
	if first := (*q)[0]; first.seek(first.at + 1) {
		heap.Fix(q, 0)
	} else {
		heap.Pop(q)
	}
}

func (q termQueue) Len() int      { return len(q) }
func (q termQueue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q termQueue) Less(i, j int) bool {
	return cmp.Or(bytes.Compare(q[i].term, q[j].term), cmp.Compare(q[i].order, q[j].order)) < 0
}

func (q *termQueue) Push(s any) { *q = append(*q, s.(*source)) }

func (q *termQueue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// document returns a document as [docTable.add] takes it.
func (s *Segment) document(doc int) (e docEntry, rel string, units []Unit) {
	info := s.Doc(doc)
	for u := info.FirstUnit; u < info.EndUnit; u++ {
		units = append(units, s.Unit(u))
	}
	return docEntry{id: info.ID, traits: info.Traits}, s.Rel(doc), units
}
