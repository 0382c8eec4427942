package postings

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

// learnt is what is known about words.
func (a *Analyzer) learnt() *vocabulary {
	if a.vocabulary == nil {
		a.vocabulary, a.document = new(vocabulary), 1
	}
	return a.vocabulary
}
