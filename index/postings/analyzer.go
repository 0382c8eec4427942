package postings

import "slices"

// Analyzer cuts texts into terms. It keeps what it has learnt about words from one
// document to the next, and must not be used concurrently.
type Analyzer struct {
	vocabulary *vocabulary
	units      []Unit
	seen       []occurrence // of the current document, in the order of its text
	local      []localTerm  // the terms of the current document, in the order of appearance
	known      []localID    // where a term is in local

	document uint32 // counts them
	exact    []byte
	sorted   []uint32
	groups   []byte
}

// occurrence is a term at a place: unit<<fieldBits | field.
type occurrence struct{ local, place uint32 }

const fieldBits = 3

type localTerm struct{ term, count uint32 }

// localID holds for one document.
type localID struct{ document, local uint32 }

// Unit begins a unit of the current document and returns its number.
func (a *Analyzer) Unit(ordinal int32) int {
	a.units = append(a.units, Unit{Ordinal: ordinal})
	return len(a.units) - 1
}

// Word adds a word of a unit's field.
func (a *Analyzer) Word(unit int, field Field, word []byte) {
	ids := a.learnt().of(word)
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
	a.exact = appendExact(a.exact[:0], name)
	a.see(unit, field, a.learnt().id(a.exact))
}

func (a *Analyzer) see(unit int, field Field, term uint32) {
	if int(term) >= len(a.known) {
		a.known = append(a.known, make([]localID, a.vocabulary.terms.count-len(a.known))...)
	}
	k := &a.known[term]
	if k.document != a.document {
		*k = localID{a.document, uint32(len(a.local))}
		a.local = append(a.local, localTerm{term: term})
	}
	a.local[k.local].count++
	a.seen = append(a.seen, occurrence{k.local, uint32(unit)<<fieldBits | uint32(field)})
}

// Finish ends the current document and returns it.
func (a *Analyzer) Finish(rel string, traits uint8) *Document {
	d := a.finish()
	d.Rel, d.Traits = rel, traits
	a.units, a.seen, a.local = a.units[:0], a.seen[:0], a.local[:0]
	if a.document++; a.vocabulary.full() {
		*a = Analyzer{}
	}
	return d
}

// finish makes a document of what the analyzer has seen.
func (a *Analyzer) finish() *Document {
	v := a.learnt()
	d := &Document{Units: slices.Clone(a.units), vocabulary: v, words: v.terms.list()}
	d.terms = make([]documentTerm, len(a.local))
	start := uint32(0)
	for i, l := range a.local {
		d.terms[i].term = l.term
		start, d.terms[i].end = start+l.count, start
	}
	a.sorted = slices.Grow(a.sorted[:0], len(a.seen))[:len(a.seen)]
	for _, o := range a.seen {
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

// group appends the group of a term with those places, and sums it up.
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

// learnt is what is known about words.
func (a *Analyzer) learnt() *vocabulary {
	if a.vocabulary == nil {
		a.vocabulary, a.document = new(vocabulary), 1
	}
	return a.vocabulary
}
