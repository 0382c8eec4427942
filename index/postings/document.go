package postings

import "encoding/binary"

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
