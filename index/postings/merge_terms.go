package postings

import (
	"bytes"
	"cmp"
	"math/bits"
	"runtime"
	"sync"
)

// rangeBytes is about how many bytes of lists a range of terms has. Each processor merges a range at a time, and
// holds it in memory.
const rangeBytes = 512 << 10

// mergeTerms writes the terms of the sources with their lists. Several ranges are merged at the same time, and
// written in their order.
func mergeTerms(out *segmentWriter, sources []*mergedSegment) error {
	var merging sync.WaitGroup
	defer merging.Wait() // they read the segments
	var begun []*termRange
	var last *termRange // that was written; its memory is used again
	for bounds := newRangeBounds(sources); ; {
		for len(begun) < runtime.GOMAXPROCS(0) && bounds.next() {
			r := last.again(sources, bounds.start, bounds.end)
			last = nil
			begun = append(begun, r)
			merging.Go(func() {
				defer close(r.merged)
				r.err = Read(r.merge)
			})
		}
		if len(begun) == 0 {
			return nil
		}
		last, begun = begun[0], begun[1:]
		<-last.merged
		if last.err != nil {
			return last.err
		}
		if last.write(out); out.err != nil {
			return out.err
		}
		for i, src := range sources {
			src.evict(src.segment.listStart(last.end[i]))
		}
	}
}

// rangeBounds divides the terms of the sources into ranges.
type rangeBounds struct {
	sources    []*mergedSegment
	largest    *Segment // by its lists
	step       int      // bytes of the lists of largest in a range
	start, end []int    // by source: the terms of the current range
}

func newRangeBounds(sources []*mergedSegment) *rangeBounds {
	b := &rangeBounds{sources: sources, start: make([]int, len(sources)), end: make([]int, len(sources))}
	all := 0
	for _, src := range sources {
		lists := src.segment.lists.len()
		all += lists
		if b.largest == nil || lists > b.largest.lists.len() {
			b.largest = src.segment
		}
	}
	if all > 0 {
		b.step = max(1, int(int64(rangeBytes)*int64(b.largest.lists.len())/int64(all)))
	}
	return b
}

// next goes to the next range. It reports whether there is one.
func (b *rangeBounds) next() bool {
	left, first := false, 0 // first is the first term of largest that is in no range yet
	for i, src := range b.sources {
		left = left || b.end[i] < src.segment.termCount()
		if src.segment == b.largest {
			first = b.end[i]
		}
	}
	if !left {
		return false
	}
	behind := min(first+1, b.largest.termCount())
	for behind < b.largest.termCount() && b.largest.listStart(behind)-b.largest.listStart(first) < b.step {
		behind++
	}
	b.start, b.end = b.end, make([]int, len(b.sources))
	for i, src := range b.sources {
		switch {
		case behind == b.largest.termCount():
			b.end[i] = src.segment.termCount()
		case src.segment == b.largest:
			b.end[i] = behind // even if damage has changed the order of the terms
		default:
			b.end[i] = max(b.start[i], src.segment.seek(string(b.largest.term(behind))))
		}
	}
	return true
}

// termRange merges the terms of a range.
type termRange struct {
	sources    []*mergedSegment
	start, end []int         // by source: the terms
	merged     chan struct{} // closed once the terms are merged, or err is set
	err        error

	text     []byte // of the terms, one after the other
	lists    []byte // encoded, one after the other
	textEnds []int  // by term: the end of its text
	listEnds []int
	list     listWriter
}

// again returns a range that uses the memory of r, which may be nil.
func (r *termRange) again(sources []*mergedSegment, start, end []int) *termRange {
	if r == nil {
		r = &termRange{}
	}
	return &termRange{
		sources: sources, start: start, end: end, merged: make(chan struct{}),
		text: r.text[:0], lists: r.lists[:0], textEnds: r.textEnds[:0], listEnds: r.listEnds[:0], list: r.list,
	}
}

func (r *termRange) merge() error {
	for waiting := r.queue(); len(waiting) > 0; {
		term := waiting[0].term
		r.list.reset()
		for len(waiting) > 0 && bytes.Equal(waiting[0].term, term) {
			waiting[0].addTo(&r.list)
			waiting.advance()
		}
		if r.list.docs == 0 {
			continue
		}
		r.text = append(r.text, term...)
		r.textEnds = append(r.textEnds, len(r.text))
		r.lists = append(append(r.list.appendHead(r.lists), r.list.summaries...), r.list.groups...)
		r.listEnds = append(r.listEnds, len(r.lists))
	}
	return nil
}

// write writes the merged terms.
func (r *termRange) write(out *segmentWriter) {
	text, list := 0, 0
	for i, textEnd := range r.textEnds {
		out.addTerm(r.text[text:textEnd])
		out.write(r.lists[list:r.listEnds[i]])
		text, list = textEnd, r.listEnds[i]
	}
}

// queue returns the sources that have terms in the range.
func (r *termRange) queue() (q termQueue) {
	for i, src := range r.sources {
		c := &termCursor{mergedSegment: src, order: i, at: r.start[i] - 1, end: r.end[i]}
		if c.advance() {
			q = append(q, c)
		}
	}
	for i := len(q)/2 - 1; i >= 0; i-- {
		q.down(i)
	}
	return q
}

// termCursor goes through terms of a source.
type termCursor struct {
	*mergedSegment
	order int    // of the source
	at    int    // the number of the current term
	end   int    // the number of the last term, plus 1
	term  []byte // the current term, which shares the segment's memory
	head  uint64 // its first 8 bytes, filled up with zeros, the first byte in the highest bits
}

// advance goes to the next term. It reports whether there is one.
func (c *termCursor) advance() bool {
	if c.at++; c.at >= c.end {
		return false
	}
	c.term = c.segment.term(c.at)
	c.head = bits.ReverseBytes64(headOf(c.term))
	return true
}

// before reports whether the current term comes before that of another cursor, or is the same in an earlier source.
func (c *termCursor) before(o *termCursor) bool {
	if c.head != o.head {
		return c.head < o.head
	}
	return cmp.Or(bytes.Compare(c.term, o.term), cmp.Compare(c.order, o.order)) < 0
}

// addTo adds the live documents of the list of the current term.
func (c *termCursor) addTo(into *listWriter) {
	list := c.segment.list(c.at)
	for {
		summary, ok := list.read()
		if !ok {
			return
		}
		if n := c.numbers[list.next-1]; n >= 0 {
			into.add(uint32(n), summary, list.group().stored.all())
		}
	}
}

// termQueue is a binary heap of the cursors that have terms left; see before. With container/heap, which compares and
// swaps through an interface, a merge takes 15 % longer.
type termQueue []*termCursor

// advance moves the first cursor to its next term.
func (q *termQueue) advance() {
	if !(*q)[0].advance() {
		last := len(*q) - 1
		(*q)[0] = (*q)[last]
		*q = (*q)[:last]
	}
	q.down(0)
}

// down moves the i-th cursor behind those that come before it.
func (q termQueue) down(i int) {
	for next := 2*i + 1; next < len(q); next = 2*i + 1 {
		if next+1 < len(q) && q[next+1].before(q[next]) {
			next++
		}
		if !q[next].before(q[i]) {
			return
		}
		q[i], q[next] = q[next], q[i]
		i = next
	}
}
