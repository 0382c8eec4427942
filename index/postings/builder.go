package postings

import (
	"bytes"
	"io"
	"slices"
)

// Builder collects documents and writes them as a segment.
type Builder struct {
	docs  []*Document
	table docTable
	terms terms
	lists []uint32                 // how many documents have each term
	known map[*vocabulary][]uint32 // the number+1 of a vocabulary's term
	size  int
}

// Add adds a document, numbered by the order of adding. It belongs to the builder
// from then on.
func (b *Builder) Add(d *Document) {
	b.table.add(docEntry{id: d.ID, traits: d.Traits}, d.Rel, d.Units)
	known := b.vocabulary(d)
	for i := range d.terms {
		t := &d.terms[i]
		if known[t.term] == 0 {
			known[t.term] = b.number(d.words.at(t.term)) + 1
		}
		t.term = known[t.term] - 1
		b.lists[t.term]++
	}
	b.docs = append(b.docs, d)
	const perTerm, perDoc = 20, 160
	b.size += perTerm*len(d.terms) + len(d.groups) + len(d.Rel) + 16*len(d.Units) + perDoc
}

// vocabulary are the numbers of the terms of d's vocabulary.
func (b *Builder) vocabulary(d *Document) []uint32 {
	if b.known == nil {
		b.known = map[*vocabulary][]uint32{}
	}
	known := b.known[d.vocabulary]
	if more := d.words.len() - len(known); more > 0 {
		known = append(known, make([]uint32, more)...)
		b.known[d.vocabulary] = known
		b.size += 4 * more
	}
	return known
}

// number is that of a term among all documents'.
func (b *Builder) number(term []byte) uint32 {
	n, fresh := b.terms.number(term)
	if fresh {
		b.lists = append(b.lists, 0)
		b.size += len(term) + 40
	}
	return n
}

// Docs is the number of documents.
func (b *Builder) Docs() int { return len(b.docs) }

// Size is about how many bytes of memory the documents take, and the writing of them.
func (b *Builder) Size() int { return b.size }

// Write writes the segment to w.
func (b *Builder) Write(w io.Writer) error {
	out := newSegmentWriter(w)
	terms := b.terms.list()
	order := make([]uint32, len(b.lists))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(x, y uint32) int { return bytes.Compare(terms.at(x), terms.at(y)) })
	entries, ends := b.invert(order)
	var list listWriter
	start := uint32(0)
	for _, n := range order {
		list.reset()
		for _, e := range entries[start:ends[n]] {
			d := b.docs[e.doc]
			list.add(e.doc, d.terms[e.term].summary, d.group(int(e.term)))
		}
		start = ends[n]
		out.term(terms.at(n), &list)
	}
	return out.finish(&b.table)
}

// entry is a document's term.
type entry struct{ doc, term uint32 }

// invert returns the entries of all lists one after the other in that order, those of
// a list by document, and where each list ends.
func (b *Builder) invert(order []uint32) (entries []entry, ends []uint32) {
	ends = make([]uint32, len(b.lists))
	total := uint32(0)
	for _, n := range order {
		ends[n] = total
		total += b.lists[n]
	}
	entries = make([]entry, total)
	for doc, d := range b.docs {
		for i, t := range d.terms {
			entries[ends[t.term]] = entry{uint32(doc), uint32(i)}
			ends[t.term]++
		}
	}
	return entries, ends
}

// group is the group of the i-th term.
func (d *Document) group(i int) []byte {
	start := uint32(0)
	if i > 0 {
		start = d.terms[i-1].end
	}
	return d.groups[start:d.terms[i].end]
}
