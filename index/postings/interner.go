package postings

import "hash/maphash"

// interner assigns a number to each distinct text. It is a hash table with open
// addressing. The texts are stored one after the other, so that the garbage collector
// finds no pointers to follow. The zero interner is ready for use.
type interner struct {
	seed  maphash.Seed
	slots []internSlot // its length is a power of two
	count int          // of used slots
	bytes []byte       // the texts
}

// internSlot is an entry of the table: the offset and size of a text in bytes, and its number. A
// free slot has size 0.
type internSlot struct{ hash, at, size, number uint32 }

// slot returns the slot of a text, which must not be empty. If the text is new, fresh is
// true, and the caller sets the slot's number before the next call.
func (n *interner) slot(text []byte) (s *internSlot, fresh bool) {
	if 2*n.count >= len(n.slots) {
		n.grow()
	}
	hash := uint32(maphash.Bytes(n.seed, text))
	mask := uint32(len(n.slots) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		s := &n.slots[i]
		if s.size == 0 {
			*s = internSlot{hash: hash, at: uint32(len(n.bytes)), size: uint32(len(text))}
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
	n.slots = make([]internSlot, max(1<<10, 2*len(old)))
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

// termNumbers numbers terms from 0 in the order in which they are added.
type termNumbers struct {
	interner
	ends []uint32 // by number: the end of the term in bytes
}

func (t *termNumbers) number(term []byte) (number uint32, fresh bool) {
	s, fresh := t.slot(term)
	if fresh {
		s.number = uint32(len(t.ends))
		t.ends = append(t.ends, uint32(len(t.bytes)))
	}
	return s.number, fresh
}

func (t *termNumbers) clear() {
	clear(t.slots)
	t.count, t.bytes, t.ends = 0, t.bytes[:0], t.ends[:0]
}

// at returns the i-th term. It is valid until another is added.
func (t *termNumbers) at(i uint32) []byte {
	start := uint32(0)
	if i > 0 {
		start = t.ends[i-1]
	}
	return t.bytes[start:t.ends[i]]
}
