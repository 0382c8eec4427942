package postings

import "encoding/binary"

// The slots of a segment are a hash table of its terms, with open addressing: a term is in the slot
// of its hash, or in one of those after it up to the next free one. A third of the slots is free.
// A slot is the number of a term plus 1, or 0 if it is free, and a byte of the hash, which tells
// nearly all other terms apart. The text of a long query has thousands of terms, of which most are
// in no document.

const slotBytes = 4 + 1

// termHash returns the hash of a term: FNV-1a, which needs no setup.
func termHash[T string | []byte](term T) uint32 {
	h := uint32(2166136261)
	for i := range len(term) {
		h = (h ^ uint32(term[i])) * 16777619
	}
	return h
}

// slotCount returns the number of slots for so many terms.
func slotCount(terms int) int { return terms + terms/2 + 1 }

// slotOf returns the slot of a hash, by its high bits. The tag is its low bits.
func slotOf(hash uint32, slots int) (slot int, tag byte) {
	return int(uint64(hash) * uint64(slots) >> 32), byte(hash)
}

// encodeSlots encodes the slots of terms with these hashes.
func encodeSlots(hashes []uint32) []byte {
	count := slotCount(len(hashes))
	slots := make([]byte, count*slotBytes)
	for term, hash := range hashes {
		at, tag := slotOf(hash, count)
		for binary.LittleEndian.Uint32(slots[at*slotBytes:]) != 0 {
			at = (at + 1) % count
		}
		binary.LittleEndian.PutUint32(slots[at*slotBytes:], uint32(term)+1)
		slots[at*slotBytes+4] = tag
	}
	return slots
}

// Key is a term with its hash. Who looks for a term in many segments computes the hash once.
type Key struct {
	term string
	hash uint32
}

// NewKey returns the key of a term.
func NewKey(term string) Key { return Key{term, termHash(term)} }

// slotsRead is how many slots are read at a time: the next free slot is nearly always among them.
const slotsRead = 16

// number returns the number of a term. If no document has it, ok is false.
func (s *Segment) number(key Key) (number int, ok bool) {
	terms := s.termCount()
	count := slotCount(terms)
	at, tag := slotOf(key.hash, count)
	for range terms/slotsRead + 2 {
		n := min(slotsRead, count-at)
		for slots := s.slots.bytes(at*slotBytes, n*slotBytes); len(slots) >= slotBytes; slots = slots[slotBytes:] {
			number := int(binary.LittleEndian.Uint32(slots)) - 1
			if number < 0 {
				return 0, false
			}
			if number >= terms {
				panic(&Damage{segment: s})
			}
			if slots[4] == tag && string(s.term(number)) == key.term {
				return number, true
			}
		}
		if at += n; at == count {
			at = 0
		}
	}
	panic(&Damage{segment: s})
}
