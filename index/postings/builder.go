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
	lists []uint32                 // by term: the number of documents that contain it
	known map[*vocabulary][]uint32 // by term of a vocabulary: its number here + 1, or 0 if it has none yet
	size  int
}

// Add adds a document. Documents are numbered from 0 in the order in which they are added.
// The builder takes ownership of the document.
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
	b.size += perTerm*len(d.terms) + len(d.groups) + len(d.Rel) + len(d.Record) + len(d.References) + 16*len(d.Units) + perDoc
}

// vocabulary returns the table that maps the terms of d's vocabulary to the builder's
// numbers.
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

// number returns the number of a term among the terms of all documents.
func (b *Builder) number(term []byte) uint32 {
	n, fresh := b.terms.number(term)
	if fresh {
		b.lists = append(b.lists, 0)
		b.size += len(term) + 40
	}
	return n
}

// Docs returns the number of documents.
func (b *Builder) Docs() int { return len(b.docs) }

// Size returns roughly how many bytes of memory the documents take, together with what
// Write needs.
func (b *Builder) Size() int { return b.size }

// Write writes all documents to w as a segment.
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
	return out.finish(&b.table, func(doc int) []byte { return b.docs[doc].Record }, func(doc int) []byte { return b.docs[doc].References })
}

// entry is an occurrence of a term in a document: the document's number and the term's
// index in the document.
type entry struct{ doc, term uint32 }

// invert returns the entries of all lists, one list after the other in the given order,
// and the end of each list by term. The entries of a list are ordered by document.
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

// group returns the group of the i-th term.
func (d *Document) group(i int) []byte {
	start := uint32(0)
	if i > 0 {
		start = d.terms[i-1].end
	}
	return d.groups[start:d.terms[i].end]
}
