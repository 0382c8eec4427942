package postings

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
	"slices"
)

// docTable collects the documents and units of a segment.
type docTable struct {
	docs   []docEntry
	units  []Unit
	rels   []byte
	length uint64 // of all documents, in words that have terms
}

type docEntry struct {
	id        int64
	firstUnit uint32
	relEnd    uint32
	length    uint32
	traits    uint8
}

func (t *docTable) add(e docEntry, rel string, units []Unit) uint32 {
	e.firstUnit = uint32(len(t.units))
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

// reset empties the table.
func (t *docTable) reset() { *t = docTable{docs: t.docs[:0], units: t.units[:0], rels: t.rels[:0]} }

// listWriter encodes a list: the number of its documents and the length of the summaries
// as varints, the summaries, then the groups. A document's summary is three varints: the
// distance of its number from that of the previous document plus 1, the Summary's value,
// and the length of its group.
type listWriter struct {
	summaries, groups []byte
	next              uint32 // the number of the last document, plus 1
	docs              uint32
}

func (l *listWriter) reset() { *l = listWriter{summaries: l.summaries[:0], groups: l.groups[:0]} }

func (l *listWriter) add(doc, summary uint32, group []byte) {
	l.summaries = binary.AppendUvarint(l.summaries, uint64(doc-l.next))
	l.summaries = binary.AppendUvarint(l.summaries, uint64(summary))
	l.summaries = binary.AppendUvarint(l.summaries, uint64(len(group)))
	l.groups = append(l.groups, group...)
	l.next = doc + 1
	l.docs++
}

// appendHead appends what comes before the summaries.
func (l *listWriter) appendHead(data []byte) []byte {
	data = binary.AppendUvarint(data, uint64(l.docs))
	return binary.AppendUvarint(data, uint64(len(l.summaries)))
}

// segmentWriter writes the sections of a segment one after the other: first the lists as
// they arrive, then the tables, the checksums of the blocks, and the footer. The zero segmentWriter
// is ready for begin.
type segmentWriter struct {
	w        *bufio.Writer
	at       uint64
	sums     blockSummer
	err      error
	entries  []byte // for each term: the end of its text, the start of its list
	text     []byte
	hashes   []uint32 // of each term
	sketches []byte   // for each name
	pairs    []byte   // the same
	footer   []byte
	buf      []byte
}

// begin begins a segment. It uses the memory of the previous one again.
func (s *segmentWriter) begin(w io.Writer) {
	if s.w == nil {
		s.w = bufio.NewWriterSize(nil, 1<<16)
	}
	s.w.Reset(w)
	*s = segmentWriter{w: s.w, entries: s.entries[:0], text: s.text[:0], hashes: s.hashes[:0], sketches: s.sketches[:0],
		pairs: s.pairs[:0], buf: s.buf}
}

func (s *segmentWriter) write(data []byte) {
	if s.err == nil {
		_, s.err = s.w.Write(data)
	}
	s.sums.add(data)
	s.at += uint64(len(data))
}

// term writes the list of a term. Terms must come in ascending order.
func (s *segmentWriter) term(term []byte, l *listWriter) {
	s.addTerm(term)
	s.buf = l.appendHead(s.buf[:0])
	s.write(s.buf)
	s.write(l.summaries)
	s.write(l.groups)
}

// addTerm adds the term whose list is written next.
func (s *segmentWriter) addTerm(term []byte) {
	s.text = append(s.text, term...)
	s.entries = binary.LittleEndian.AppendUint32(s.entries, uint32(len(s.text)))
	s.entries = binary.LittleEndian.AppendUint64(s.entries, s.at)
	s.hashes = append(s.hashes, termHash(term))
	if name, ok := bytes.CutPrefix(term, []byte(nameMark)); ok {
		s.sketches = binary.LittleEndian.AppendUint64(s.sketches, uint64(NewSketch(string(name))))
		s.pairs = binary.LittleEndian.AppendUint64(s.pairs, uint64(NewPairs(string(name))))
	}
}

// section writes a whole section and ends it.
func (s *segmentWriter) section(data []byte) {
	s.write(data)
	s.end()
}

// end ends a section.
func (s *segmentWriter) end() { s.footer = binary.LittleEndian.AppendUint64(s.footer, s.at) }

// finish writes what follows the lists. record and references return those of a document.
func (s *segmentWriter) finish(t *docTable, record, references func(doc int) []byte) error {
	s.end()
	s.section(s.entries)
	s.section(s.text)
	s.section(encodeSlots(s.hashes))
	s.section(s.sketches)
	s.section(s.pairs)
	s.section(t.encodeDocs())
	s.section(t.encodeUnits())
	s.section(t.rels)
	s.section(t.encodeOrder())
	ends := make([]byte, len(t.docs)*endsBytes)
	for i, stored := range []func(doc int) []byte{record, references} {
		end := 0
		for doc := 0; doc < len(t.docs) && s.err == nil; doc++ {
			data := stored(doc)
			s.write(data)
			end += len(data)
			binary.LittleEndian.PutUint64(ends[doc*endsBytes+8*i:], uint64(end))
		}
		s.end()
	}
	s.section(ends)
	s.sums.end()
	sums := s.sums.sums
	s.footer = binary.LittleEndian.AppendUint64(s.footer, t.length)
	s.footer = binary.LittleEndian.AppendUint32(s.footer, crc32.Checksum(sums, castagnoli))
	s.footer = binary.LittleEndian.AppendUint32(s.footer, crc32.Checksum(s.footer, castagnoli))
	s.write(sums)
	s.write(append(s.footer, magic...))
	if s.err != nil {
		return s.err
	}
	return s.w.Flush()
}

func (t *docTable) encodeDocs() []byte {
	buf := make([]byte, 0, len(t.docs)*docBytes)
	for _, d := range t.docs {
		buf = binary.LittleEndian.AppendUint64(buf, uint64(d.id))
		for _, v := range []uint32{d.firstUnit, d.relEnd, d.length, uint32(d.traits)} {
			buf = binary.LittleEndian.AppendUint32(buf, v)
		}
	}
	return buf
}

// encodeOrder returns the numbers of the documents in the order of their paths.
func (t *docTable) encodeOrder() []byte {
	order := make([]uint32, len(t.docs))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int { return bytes.Compare(t.rel(a), t.rel(b)) })
	buf := make([]byte, 0, len(order)*numberBytes)
	for _, doc := range order {
		buf = binary.LittleEndian.AppendUint32(buf, doc)
	}
	return buf
}

func (t *docTable) rel(doc uint32) []byte {
	start := uint32(0)
	if doc > 0 {
		start = t.docs[doc-1].relEnd
	}
	return t.rels[start:t.docs[doc].relEnd]
}

func (t *docTable) encodeUnits() []byte {
	buf := make([]byte, 0, len(t.units)*unitBytes)
	for _, u := range t.units {
		buf = binary.LittleEndian.AppendUint32(buf, uint32(u.Ordinal))
		buf = binary.LittleEndian.AppendUint32(buf, u.Length)
	}
	return buf
}
