package postings

import "encoding/binary"

// The slots of a segment are a hash table of its terms, with open addressing: a term is in the slot
// of its hash, or in one of those after it up to the next free one. A slot is the number of a
// term plus 1, or 0 if it is free. At least a third is free. The text of a long query has
// thousands of terms, of which most are in no document.

const slotBytes = 4

// hashTerm returns the hash of a term: FNV-1a, which needs no setup.
func hashTerm[T string | []byte](term T) uint32 {
	h := uint32(2166136261)
	for i := range len(term) {
		h = (h ^ uint32(term[i])) * 16777619
	}
	return h
}

// slotCount returns the number of slots for so many terms, a power of two.
func slotCount(terms int) int {
	n := 1
	for 2*n < 3*terms {
		n *= 2
	}
	return n
}

// encodeSlots encodes the slots of terms with these hashes.
func encodeSlots(hashes []uint32) []byte {
	slots := make([]byte, slotCount(len(hashes))*slotBytes)
	mask := uint32(slotCount(len(hashes)) - 1)
	for term, hash := range hashes {
		at := hash & mask
		for binary.LittleEndian.Uint32(slots[at*slotBytes:]) != 0 {
			at = (at + 1) & mask
		}
		binary.LittleEndian.PutUint32(slots[at*slotBytes:], uint32(term)+1)
	}
	return slots
}

// number returns the number of a term. If no document has it, ok is false.
func (s *Segment) number(term string) (number int, ok bool) {
	mask := uint32(slotCount(s.termCount()) - 1)
	at := hashTerm(term) & mask
	for range s.termCount() + 1 {
		n := int(binary.LittleEndian.Uint32(s.slots.bytes(int(at)*slotBytes, slotBytes)))
		if n == 0 {
			return 0, false
		}
		if n > s.termCount() {
			break
		}
		if string(s.term(n-1)) == term {
			return n - 1, true
		}
		at = (at + 1) & mask
	}
	panic(&Damage{segment: s})
}
