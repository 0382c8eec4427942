package postings

import (
	"bytes"
	"io"
	"slices"
)

// Builder splits the texts of documents into terms, and writes the documents as a segment. It
// remembers the terms of words from one document to the next, and from one segment to the next.
// The zero Builder is ready for use. It is not safe for concurrent use.
type Builder struct {
	vocabulary vocabulary
	currentDocument
	segmentParts
	out  segmentWriter
	list listWriter
}

// currentDocument is what is known of the document that is being added.
type currentDocument struct {
	units       []Unit
	occurrences []occurrence // in the order of the text
	local       []localTerm  // in the order of their first occurrence
	locals      []localID    // by term: its index in local
	document    uint32       // the number of the document, from 1; it never decreases
	text, exact []byte
	sorted      []uint32
}

// segmentParts are the documents that were added.
type segmentParts struct {
	table    docTable
	stored   [2]storedBytes // the records and the references of the documents
	ends     []uint32       // by document: the end of its postings
	postings []posting      // of one document after the other
	groups   []byte         // of one posting after the other
	counts   []uint32       // by term: the number of documents that contain it
	terms    []uint32       // that the documents contain
}

// posting is what a document has of a term.
type posting struct {
	term    uint32 // its number in the vocabulary
	end     uint32 // the end of its group, which begins at the end of the previous group
	summary uint32 // see Summary
}

// occurrence is one occurrence of a term. Its place is unit<<fieldBits | field.
type occurrence struct{ local, place uint32 }

const fieldBits = 3

// maxKeptOccurrences is the most occurrences whose memory a builder keeps for the next document: 3
// megabytes. Few documents need more.
const maxKeptOccurrences = 1 << 18

type localTerm struct{ term, count uint32 }

// localID is the index of a term in Builder.local. It is valid for one document.
type localID struct{ document, local uint32 }

// Unit begins a unit of the current document and returns its index. The first unit stands
// for the file itself. The ordinal is the caller's number for the unit.
func (b *Builder) Unit(ordinal int32) int {
	b.units = append(b.units, Unit{Ordinal: ordinal})
	return len(b.units) - 1
}

// Word adds a word to a unit's field. A unit's length is its number of words that have
// terms.
func (b *Builder) Word(unit int, field Field, word []byte) {
	ids := b.vocabulary.termIDs(word)
	for _, id := range ids {
		b.addOccurrence(unit, field, id)
	}
	b.units[unit].Length += uint32(min(len(ids), 1))
}

// Text adds every word of a text to a unit's field.
func (b *Builder) Text(unit int, field Field, text string) {
	b.text = append(b.text[:0], text...)
	Words(b.text, func(_ int, word []byte) { b.Word(unit, field, word) })
}

// Exact adds a symbol's name or the end of its address, see the function [Exact]. The
// field is Name for the symbol's own unit, and Body for a unit that contains the symbol.
func (b *Builder) Exact(unit int, field Field, name string) {
	b.exact = appendExact(b.exact[:0], name)
	b.addOccurrence(unit, field, b.vocabulary.id(b.exact))
}

func (b *Builder) addOccurrence(unit int, field Field, term uint32) {
	if int(term) >= len(b.locals) {
		more := make([]localID, b.vocabulary.terms.count-len(b.locals))
		b.locals = append(b.locals, more...)
	}
	k := &b.locals[term]
	if k.document != b.document+1 {
		*k = localID{b.document + 1, uint32(len(b.local))}
		b.local = append(b.local, localTerm{term: term})
	}
	b.local[k.local].count++
	b.occurrences = append(b.occurrences, occurrence{k.local, uint32(unit)<<fieldBits | uint32(field)})
}

// Finish ends the current document. Documents are numbered from 0 in the order in which they
// end. The ID is the caller's number for the document, rel its relative path, which orders
// documents of equal score, and traits are the caller's flags for it.
func (b *Builder) Finish(id int64, rel string, traits uint8) {
	b.table.add(docEntry{id: id, traits: traits}, rel, b.units)
	b.counts = append(b.counts, make([]uint32, len(b.locals)-len(b.counts))...)
	b.addPostings()
	b.ends = append(b.ends, uint32(len(b.postings)))
	for i := range b.stored {
		s := &b.stored[i]
		s.ends = append(s.ends, len(s.data))
	}
	b.units, b.occurrences, b.local = b.units[:0], b.occurrences[:0], b.local[:0]
	if cap(b.occurrences) > maxKeptOccurrences {
		b.occurrences, b.sorted = nil, nil
	}
	b.document++
}

// Store keeps what the caller knows of the file of the document that has ended last, and of its
// references, in encodings of the caller. A Segment returns them as they are. It is called at
// most once for a document.
func (b *Builder) Store(record, references []byte) {
	for i, data := range [][]byte{record, references} {
		s := &b.stored[i]
		s.data = append(s.data, data...)
		s.ends[len(s.ends)-1] = len(s.data)
	}
}

// storedBytes is what is stored of documents, one after the other.
type storedBytes struct {
	data []byte
	ends []int // by document
}

// at returns what is stored of a document.
func (s *storedBytes) at(doc int) []byte {
	start := 0
	if doc > 0 {
		start = s.ends[doc-1]
	}
	return s.data[start:s.ends[doc]]
}

// addPostings adds the postings of the current document. A counting sort brings its occurrences
// into the order of the terms.
func (b *Builder) addPostings() {
	first := len(b.postings)
	start := uint32(0)
	for _, l := range b.local {
		b.postings = append(b.postings, posting{term: l.term, end: start})
		start += l.count
		if b.counts[l.term]++; b.counts[l.term] == 1 {
			b.terms = append(b.terms, l.term)
		}
	}
	added := b.postings[first:]
	b.sorted = slices.Grow(b.sorted[:0], len(b.occurrences))[:len(b.occurrences)]
	for _, o := range b.occurrences {
		at := &added[o.local].end
		b.sorted[*at] = o.place
		*at++
	}
	start = 0
	for i := range added {
		p := &added[i]
		places := b.sorted[start:p.end]
		start = p.end
		if !slices.IsSorted(places) {
			slices.Sort(places)
		}
		p.summary = b.addGroup(places)
		p.end = uint32(len(b.groups))
	}
}

// addGroup adds the group of a term that occurs at the given places, and returns the
// term's summary: its weight, doubled, plus 1 if it occurs in the path.
func (b *Builder) addGroup(places []uint32) (summary uint32) {
	weight, path, last := uint32(0), uint32(0), uint32(0)
	for i := 0; i < len(places); {
		unit := places[i] >> fieldBits
		var f Frequencies
		for ; i < len(places) && places[i]>>fieldBits == unit; i++ {
			if field := places[i] & (1<<fieldBits - 1); f[field] < 255 {
				f[field]++
			}
		}
		b.groups = appendUnit(b.groups, unit-last, f)
		last = unit
		weight += f.Weight()
		path |= uint32(min(f[Path], 1))
	}
	return weight<<1 | path
}

// Docs returns the number of documents.
func (b *Builder) Docs() int { return len(b.ends) }

// Full reports whether the segment should be written because of the words that the builder remembers.
func (b *Builder) Full() bool { return b.vocabulary.full() }

// Size returns roughly how many bytes of memory the documents take, together with what
// Write needs.
func (b *Builder) Size() int {
	const perPosting, perTerm, perDoc = 16, 60, 100
	return perPosting*len(b.postings) + perTerm*len(b.terms) + perDoc*len(b.ends) + len(b.groups) + len(b.table.rels) +
		8*len(b.table.units) +
		len(b.stored[0].data) + len(b.stored[1].data)
}

// Write writes all documents to w as a segment, and begins the next segment.
func (b *Builder) Write(w io.Writer) error {
	defer b.reset()
	out, list := &b.out, &b.list
	out.begin(w)
	texts := &b.vocabulary.terms
	slices.SortFunc(b.terms, func(x, y uint32) int { return bytes.Compare(texts.at(x), texts.at(y)) })
	order, ends := b.invert()
	start := uint32(0)
	for _, term := range b.terms {
		list.reset()
		for _, i := range order[start:ends[term]] {
			p := b.postings[i]
			list.add(p.term, p.summary, b.group(i)) // invert has replaced the term by the document
		}
		start = ends[term]
		out.term(texts.at(term), list)
	}
	return out.finish(&b.table, b.stored[0].at, b.stored[1].at)
}

// invert returns the indexes of the postings, those of one term after those of the other, and by term
// where its indexes end. Those of a term are ordered by document. It replaces the term of
// each posting by the number of its document.
func (b *Builder) invert() (order, ends []uint32) {
	order, ends = make([]uint32, len(b.postings)), b.counts
	total := uint32(0)
	for _, term := range b.terms {
		total, ends[term] = total+ends[term], total
	}
	i := uint32(0)
	for doc, end := range b.ends {
		for ; i < end; i++ {
			p := &b.postings[i]
			order[ends[p.term]] = i
			ends[p.term]++
			p.term = uint32(doc)
		}
	}
	return order, ends
}

// group returns the group of the i-th posting.
func (b *Builder) group(i uint32) []byte {
	start := uint32(0)
	if i > 0 {
		start = b.postings[i-1].end
	}
	return b.groups[start:b.postings[i].end]
}

// forget forgets the words. It keeps the memory for the next ones, unless a document had far more of them
// than a vocabulary usually holds. What is left in locals belongs to earlier documents.
func (b *Builder) forget() {
	if b.vocabulary.size() > 2*maxVocabulary {
		b.vocabulary, b.locals, b.counts = vocabulary{}, nil, nil
		return
	}
	b.vocabulary.clear()
}

// reset begins the next segment.
func (b *Builder) reset() {
	for _, term := range b.terms {
		b.counts[term] = 0
	}
	if b.vocabulary.full() {
		b.forget()
	}
	b.table.reset()
	for i := range b.stored {
		b.stored[i] = storedBytes{b.stored[i].data[:0], b.stored[i].ends[:0]}
	}
	b.ends, b.postings, b.groups, b.terms = b.ends[:0], b.postings[:0], b.groups[:0], b.terms[:0]
}
