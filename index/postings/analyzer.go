package postings

import "slices"

// Analyzer splits texts into terms and collects them as documents. It remembers the terms
// of words from one document to the next. It is not safe for concurrent use.
type Analyzer struct {
	vocabulary  *vocabulary
	units       []Unit
	occurrences []occurrence // of the current document, in the order of its text
	local       []localTerm  // the terms of the current document, in the order of their first occurrence
	locals      []localID    // by term: its index in local

	document uint32 // the number of the current document, from 1
	exact    []byte
	sorted   []uint32
	groups   []byte
}

// occurrence is one occurrence of a term. Its place is unit<<fieldBits | field.
type occurrence struct{ local, place uint32 }

const fieldBits = 3

type localTerm struct{ term, count uint32 }

// localID is the index of a term in Analyzer.local. It is valid for one document.
type localID struct{ document, local uint32 }

// Unit begins a unit of the current document and returns its index. The first unit stands
// for the file itself. The ordinal is the caller's number for the unit.
func (a *Analyzer) Unit(ordinal int32) int {
	a.units = append(a.units, Unit{Ordinal: ordinal})
	return len(a.units) - 1
}

// Word adds a word to a unit's field. A unit's length is its number of words that have
// terms.
func (a *Analyzer) Word(unit int, field Field, word []byte) {
	ids := a.ensureVocabulary().termIDs(word)
	for _, id := range ids {
		a.addOccurrence(unit, field, id)
	}
	a.units[unit].Length += uint32(min(len(ids), 1))
}

// Text adds every word of a text to a unit's field.
func (a *Analyzer) Text(unit int, field Field, text string) {
	Words([]byte(text), func(_ int, word []byte) { a.Word(unit, field, word) })
}

// Exact adds a symbol's name or the end of its address, see the function [Exact]. The
// field is Name for the symbol's own unit, and Body for a unit that contains the symbol.
func (a *Analyzer) Exact(unit int, field Field, name string) {
	a.exact = appendExact(a.exact[:0], name)
	a.addOccurrence(unit, field, a.ensureVocabulary().id(a.exact))
}

func (a *Analyzer) addOccurrence(unit int, field Field, term uint32) {
	if int(term) >= len(a.locals) {
		a.locals = append(a.locals, make([]localID, a.vocabulary.terms.count-len(a.locals))...)
	}
	k := &a.locals[term]
	if k.document != a.document {
		*k = localID{a.document, uint32(len(a.local))}
		a.local = append(a.local, localTerm{term: term})
	}
	a.local[k.local].count++
	a.occurrences = append(a.occurrences, occurrence{k.local, uint32(unit)<<fieldBits | uint32(field)})
}

// Finish ends the current document and returns it. Rel is the document's relative path,
// and traits are the caller's flags for it.
func (a *Analyzer) Finish(rel string, traits uint8) *Document {
	d := a.finish()
	d.Rel, d.Traits = rel, traits
	a.units, a.occurrences, a.local = a.units[:0], a.occurrences[:0], a.local[:0]
	if a.document++; a.vocabulary.full() {
		*a = Analyzer{}
	}
	return d
}

// finish builds a document from the occurrences. A counting sort brings them into the
// order of the terms.
func (a *Analyzer) finish() *Document {
	v := a.ensureVocabulary()
	d := &Document{Units: slices.Clone(a.units), vocabulary: v, words: v.terms.list()}
	d.terms = make([]documentTerm, len(a.local))
	start := uint32(0)
	for i, l := range a.local {
		d.terms[i].term = l.term
		start, d.terms[i].end = start+l.count, start
	}
	a.sorted = slices.Grow(a.sorted[:0], len(a.occurrences))[:len(a.occurrences)]
	for _, o := range a.occurrences {
		at := &d.terms[o.local].end
		a.sorted[*at] = o.place
		*at++
	}
	start, a.groups = 0, a.groups[:0]
	for i := range d.terms {
		t := &d.terms[i]
		places := a.sorted[start:t.end]
		start = t.end
		if !slices.IsSorted(places) {
			slices.Sort(places)
		}
		t.summary = a.group(places)
		t.end = uint32(len(a.groups))
	}
	d.groups = slices.Clone(a.groups)
	return d
}

// group appends the group of a term that occurs at the given places, and returns the
// term's summary: its weight, doubled, plus 1 if it occurs in the path.
func (a *Analyzer) group(places []uint32) (summary uint32) {
	weight, path, last := uint32(0), uint32(0), uint32(0)
	for i := 0; i < len(places); {
		unit := places[i] >> fieldBits
		var f Frequencies
		for ; i < len(places) && places[i]>>fieldBits == unit; i++ {
			if field := places[i] & (1<<fieldBits - 1); f[field] < 255 {
				f[field]++
			}
		}
		a.groups = appendUnit(a.groups, unit-last, f)
		last = unit
		weight += f.Weight()
		path |= uint32(min(f[Path], 1))
	}
	return weight<<1 | path
}

// ensureVocabulary returns the vocabulary and creates it if there is none.
func (a *Analyzer) ensureVocabulary() *vocabulary {
	if a.vocabulary == nil {
		a.vocabulary, a.document = new(vocabulary), 1
	}
	return a.vocabulary
}
