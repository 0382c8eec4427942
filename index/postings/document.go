package postings

import "encoding/binary"

// Field is a part of a unit.
type Field uint8

const (
	Name Field = iota
	Signature
	Doc
	Body
	Path
	Fields // the number of fields
)

// weights holds how much an occurrence in each field counts. Occurrences in a path are
// counted separately.
var weights = [8]uint32{Name: 5, Signature: 2, Doc: 2, Body: 1, Path: 0}

// Frequencies holds how often a term occurs in each field of a unit, at most 255 for each
// field.
type Frequencies [Fields]uint8

// Weight returns the weighted sum of the occurrences outside of the path.
func (f Frequencies) Weight() (w uint32) {
	for field, n := range f {
		w += weights[field] * uint32(n)
	}
	return w
}

// Unit is a part of a document that a search can return: the file itself or a symbol.
type Unit struct {
	Ordinal int32  // the caller's number for the unit
	Length  uint32 // in words that have terms
}

// appendUnit appends a unit to a term's group: the distance from the previous unit and a
// mask of the fields as the varint unitDelta<<Fields | mask, then a byte for each field in
// the mask.
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
