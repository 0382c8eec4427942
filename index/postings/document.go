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

// weights are how much an occurrence counts in each field; one in a path is counted
// apart.
var weights = [8]uint32{Name: 5, Signature: 2, Doc: 2, Body: 1, Path: 0}

// Frequencies say how often a term occurs in each field of a unit; more than 255
// times counts as 255.
type Frequencies [Fields]uint8

// Weight sums the occurrences outside of the path, each by its field's weight.
func (f Frequencies) Weight() (w uint32) {
	for field, n := range f {
		w += weights[field] * uint32(n)
	}
	return w
}

// Unit is a part of a document that can be found by itself.
type Unit struct {
	Ordinal int32  // the caller's number for it
	Length  uint32 // in terms
}

// Document is one file's terms, ready for a Builder.
type Document struct {
	ID     int64  // the caller's number for it
	Rel    string // orders documents of equal score
	Traits uint8  // what it is, in the caller's terms
	Units  []Unit

	vocabulary *vocabulary
	words      termList // the vocabulary's terms when the document was made
	terms      []documentTerm
	groups     []byte
}

// documentTerm is a term of a document.
type documentTerm struct {
	term    uint32 // of the vocabulary
	end     uint32 // of its group; it begins where the one before ends
	summary uint32 // see Summary
}

// appendUnit appends a unit to a term's group: unitDelta<<Fields | mask of fields as a
// varint, then a byte for each field in the mask.
func appendUnit(group []byte, unitDelta uint32, f Frequencies) []byte {
	mask := uint64(0)
	for field, n := range f {
		if n > 0 {
			mask |= 1 << field
		}
	}
	group = binary.AppendUvarint(group, uint64(unitDelta)<<Fields|mask)
	for _, n := range f {
		if n > 0 {
			group = append(group, n)
		}
	}
	return group
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
