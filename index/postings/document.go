package postings

import (
	"encoding/binary"
	"slices"
)

// Field is the part of a unit that a term occurs in.
type Field uint8

const (
	Name Field = iota
	Signature
	Doc
	Body
	Path
	Fields // the number of fields
)

// Frequencies say how often a term occurs in each field of a unit; more than 255
// times counts as 255.
type Frequencies [Fields]uint8

// Unit is a part of a document that can be found by itself.
type Unit struct {
	Ordinal int32  // the caller's number for it
	Length  uint32 // in terms
}

// Document is one file's terms, ready for a Builder.
type Document struct {
	ID    int64  // the caller's number for it
	Rel   string // orders documents of equal score
	Test  bool
	Units []Unit
	terms []documentTerm
}

// documentTerm is a term's group: for each unit with it the encoded header
// unitDelta<<Fields | mask of fields, then a byte for each field in the mask.
type documentTerm struct {
	term  string
	group []byte
}

// Analyzer cuts texts into terms. It keeps what it has learnt about words from one
// document to the next, and must not be used concurrently.
type Analyzer struct {
	words map[string][]uint32 // the terms of a word
	ids   map[string]uint32
	terms []string
	units []Unit
	seen  []uint64 // term<<36 | unit<<4 | field, an entry for each occurrence
}

// maxVocabulary bounds the words that an Analyzer remembers.
const maxVocabulary = 1 << 15

// Unit begins a unit of the current document and returns its number.
func (a *Analyzer) Unit(ordinal int32) int {
	a.units = append(a.units, Unit{Ordinal: ordinal})
	return len(a.units) - 1
}

// Word adds a word of a unit's field.
func (a *Analyzer) Word(unit int, field Field, word []byte) {
	ids, ok := a.words[string(word)]
	if !ok {
		ids = a.learn(string(word))
	}
	for _, id := range ids {
		a.see(unit, field, id)
	}
	a.units[unit].Length += uint32(min(len(ids), 1))
}

// Text adds all words of a text to a unit's field.
func (a *Analyzer) Text(unit int, field Field, text string) {
	Words([]byte(text), func(_ int, word []byte) { a.Word(unit, field, word) })
}

// Exact adds a symbol's whole name, or the end of its address: as a unit's Name, or
// in its Body where the unit only contains the symbol.
func (a *Analyzer) Exact(unit int, field Field, name string) {
	if len(name) <= maxTerm {
		a.see(unit, field, a.id(Exact(name)))
	}
}

func (a *Analyzer) see(unit int, field Field, term uint32) {
	a.seen = append(a.seen, uint64(term)<<36|uint64(unit)<<4|uint64(field))
}

func (a *Analyzer) learn(word string) []uint32 {
	var ids []uint32
	for _, term := range Terms(word) {
		ids = append(ids, a.id(term))
	}
	if a.words == nil {
		a.words = map[string][]uint32{}
	}
	a.words[word] = ids
	return ids
}

func (a *Analyzer) id(term string) uint32 {
	if id, ok := a.ids[term]; ok {
		return id
	}
	if a.ids == nil {
		a.ids = map[string]uint32{}
	}
	id := uint32(len(a.terms))
	a.ids[term] = id
	a.terms = append(a.terms, term)
	return id
}

// Finish ends the current document and returns it.
func (a *Analyzer) Finish(rel string, test bool) *Document {
	d := &Document{Rel: rel, Test: test, Units: slices.Clone(a.units)}
	slices.Sort(a.seen)
	var arena []byte
	var ends []int
	for i := 0; i < len(a.seen); {
		term := a.seen[i] >> 36
		last := uint64(0)
		for i < len(a.seen) && a.seen[i]>>36 == term {
			unit := a.seen[i] >> 4 & (1<<32 - 1)
			var f Frequencies
			for ; i < len(a.seen) && a.seen[i]>>4 == term<<32|unit; i++ {
				if field := a.seen[i] & 15; f[field] < 255 {
					f[field]++
				}
			}
			arena = appendPosting(arena, unit-last, f)
			last = unit
		}
		d.terms = append(d.terms, documentTerm{term: a.terms[term]})
		ends = append(ends, len(arena))
	}
	start := 0
	for i, end := range ends {
		d.terms[i].group = arena[start:end]
		start = end
	}
	a.reset()
	return d
}

// reset prepares for the next document.
func (a *Analyzer) reset() {
	a.units, a.seen = a.units[:0], a.seen[:0]
	if len(a.words) > maxVocabulary {
		*a = Analyzer{}
	}
}

func appendPosting(buf []byte, unitDelta uint64, f Frequencies) []byte {
	mask := uint64(0)
	for field, n := range f {
		if n > 0 {
			mask |= 1 << field
		}
	}
	buf = binary.AppendUvarint(buf, unitDelta<<Fields|mask)
	for _, n := range f {
		if n > 0 {
			buf = append(buf, n)
		}
	}
	return buf
}
