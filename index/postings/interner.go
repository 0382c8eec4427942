package postings

import "hash/maphash"

// interner maps texts to a number each. It is a hash table with open addressing, and
// keeps the texts one after the other: there is nothing in it that the garbage
// collector would have to look through. The zero interner is ready for use.
type interner struct {
	seed  maphash.Seed
	slots []slot // a power of two
	count int    // of used slots
	bytes []byte // the texts
}

// slot is a text: where it is in bytes, and its number. Size 0 is a free slot.
type slot struct{ hash, at, size, number uint32 }

// slot is that of a text, which isn't empty. If it is a new one, its number is yours to
// set before the next call.
func (n *interner) slot(text []byte) (s *slot, fresh bool) {
	if 2*n.count >= len(n.slots) {
		n.grow()
	}
	hash := uint32(maphash.Bytes(n.seed, text))
	mask := uint32(len(n.slots) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		s := &n.slots[i]
		if s.size == 0 {
			*s = slot{hash: hash, at: uint32(len(n.bytes)), size: uint32(len(text))}
			n.bytes = append(n.bytes, text...)
			n.count++
			return s, true
		}
		if s.hash == hash && string(n.bytes[s.at:][:s.size]) == string(text) {
			return s, false
		}
	}
}

func (n *interner) grow() {
	old := n.slots
	if old == nil {
		n.seed = maphash.MakeSeed()
	}
	n.slots = make([]slot, max(1<<10, 2*len(old)))
	mask := uint32(len(n.slots) - 1)
	for _, s := range old {
		if s.size == 0 {
			continue
		}
		i := s.hash & mask
		for n.slots[i].size > 0 {
			i = (i + 1) & mask
		}
		n.slots[i] = s
	}
}

// terms numbers terms from 0 in the order in which it first meets them.
type terms struct {
	interner
	ends []uint32 // in bytes
}

func (t *terms) number(term []byte) (number uint32, fresh bool) {
	s, fresh := t.slot(term)
	if fresh {
		s.number = uint32(len(t.ends))
		t.ends = append(t.ends, uint32(len(t.bytes)))
	}
	return s.number, fresh
}

// list are the terms of now by their number; they stay what they are.
func (t *terms) list() termList { return termList{t.bytes, t.ends} }

type termList struct {
	bytes []byte
	ends  []uint32
}

func (l termList) len() int { return len(l.ends) }

// at is the i-th term, a part of the memory of all.
func (l termList) at(i uint32) []byte {
	start := uint32(0)
	if i > 0 {
		start = l.ends[i-1]
	}
	return l.bytes[start:l.ends[i]]
}
