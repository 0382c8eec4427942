package postings

import (
	"bufio"
	"encoding/binary"
	"hash/crc32"
	"io"
	"maps"
	"slices"
)

// Builder collects documents and writes them as a segment.
type Builder struct {
	lists map[string]*listBuilder
	docs  docTable
	size  int
}

// listBuilder is a term's growing list: for each document the delta of its number,
// the length of its group, and the group.
type listBuilder struct {
	data []byte
	next uint32 // the number after the last document's
	docs uint32
}

// docTable is what a segment knows about its documents and their units.
type docTable struct {
	docs   []docEntry
	units  []Unit
	rels   []byte
	length uint64 // of all documents, in terms
}

type docEntry struct {
	id        int64
	firstUnit uint32
	relEnd    uint32
	length    uint32
	test      uint32
}

// Add adds a document, numbered by the order of adding.
func (b *Builder) Add(d *Document) {
	if b.lists == nil {
		b.lists = map[string]*listBuilder{}
	}
	doc := b.docs.add(d.ID, d.Rel, d.Test, d.Units)
	for _, t := range d.terms {
		list := b.lists[t.term]
		if list == nil {
			list = &listBuilder{}
			b.lists[t.term] = list
			b.size += len(t.term) + 96
		}
		before := cap(list.data)
		list.add(doc, t.group)
		b.size += cap(list.data) - before
	}
	b.size += len(d.Rel) + 8*len(d.Units) + 32
}

// Docs is the number of documents.
func (b *Builder) Docs() int { return len(b.docs.docs) }

// Size is about how many bytes of memory the documents take.
func (b *Builder) Size() int { return b.size }

// Write writes the segment to w.
func (b *Builder) Write(w io.Writer) error {
	out := newSegmentWriter(w)
	for _, term := range slices.Sorted(maps.Keys(b.lists)) {
		out.term(term, b.lists[term])
	}
	return out.finish(&b.docs)
}

func (l *listBuilder) add(doc uint32, group []byte) {
	l.data = binary.AppendUvarint(l.data, uint64(doc-l.next))
	l.data = binary.AppendUvarint(l.data, uint64(len(group)))
	l.data = append(l.data, group...)
	l.next = doc + 1
	l.docs++
}

func (t *docTable) add(id int64, rel string, test bool, units []Unit) uint32 {
	e := docEntry{id: id, firstUnit: uint32(len(t.units))}
	if test {
		e.test = 1
	}
	for _, u := range units {
		e.length += u.Length
	}
	t.rels = append(t.rels, rel...)
	e.relEnd = uint32(len(t.rels))
	t.units = append(t.units, units...)
	t.docs = append(t.docs, e)
	t.length += uint64(e.length)
	return uint32(len(t.docs) - 1)
}

// segmentWriter writes a segment's sections one after the other: the lists as they
// come, then the tables, then the footer that says where each section ends.
type segmentWriter struct {
	w       *bufio.Writer
	at      uint64
	err     error
	entries []byte // for each term: end of its text, start of its list, documents
	text    []byte
	footer  []byte
}

func newSegmentWriter(w io.Writer) *segmentWriter {
	return &segmentWriter{w: bufio.NewWriterSize(w, 1<<16)}
}

func (s *segmentWriter) write(data []byte) {
	if s.err == nil {
		_, s.err = s.w.Write(data)
	}
	s.at += uint64(len(data))
}

// term writes a term's list; terms come in ascending order.
func (s *segmentWriter) term(term string, l *listBuilder) {
	s.text = append(s.text, term...)
	s.entries = binary.LittleEndian.AppendUint32(s.entries, uint32(len(s.text)))
	s.entries = binary.LittleEndian.AppendUint64(s.entries, s.at)
	s.entries = binary.LittleEndian.AppendUint32(s.entries, l.docs)
	s.write(l.data)
}

// end closes a section.
func (s *segmentWriter) end() { s.footer = binary.LittleEndian.AppendUint64(s.footer, s.at) }

func (s *segmentWriter) finish(t *docTable) error {
	s.end()
	s.write(s.entries)
	s.end()
	s.write(s.text)
	s.end()
	var buf []byte
	for _, d := range t.docs {
		buf = binary.LittleEndian.AppendUint64(buf, uint64(d.id))
		for _, v := range []uint32{d.firstUnit, d.relEnd, d.length, d.test} {
			buf = binary.LittleEndian.AppendUint32(buf, v)
		}
	}
	s.write(buf)
	s.end()
	buf = buf[:0]
	for _, u := range t.units {
		buf = binary.LittleEndian.AppendUint32(buf, uint32(u.Ordinal))
		buf = binary.LittleEndian.AppendUint32(buf, u.Length)
	}
	s.write(buf)
	s.end()
	s.write(t.rels)
	s.end()
	s.footer = binary.LittleEndian.AppendUint64(s.footer, t.length)
	s.footer = binary.LittleEndian.AppendUint32(s.footer, crc32.ChecksumIEEE(s.footer))
	s.write(append(s.footer, magic...))
	if s.err != nil {
		return s.err
	}
	return s.w.Flush()
}
