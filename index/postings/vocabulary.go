package postings

import "hash/maphash"

// vocabulary remembers the terms of words, in a hash table with open addressing:
// most of the work of analyzing a text is to look its words up.
type vocabulary struct {
	seed  maphash.Seed
	slots []slot // a power of two
	count int    // of used slots
	text  []byte // of the words
	ids   []uint32
	byID  map[string]uint32
	terms []string
}

// slot is a word: where it is in text, and its terms in ids.
type slot struct {
	hash     uint32
	at, ids  uint32
	size     uint8 // 0: free
	idsCount uint8
}

const (
	maxVocabulary = 1 << 16 // words
	maxRemembered = 64      // bytes of a word
)

func newVocabulary() *vocabulary {
	return &vocabulary{seed: maphash.MakeSeed(), slots: make([]slot, 1<<10), byID: map[string]uint32{}}
}

func (v *vocabulary) full() bool { return v != nil && v.count > maxVocabulary }

// of are the terms of a word.
func (v *vocabulary) of(word []byte) []uint32 {
	if number(word) {
		return nil
	}
	if len(word) > maxRemembered {
		return v.learn(word)
	}
	hash := uint32(maphash.Bytes(v.seed, word))
	s := v.find(hash, word)
	if s.size == 0 {
		if 2*v.count >= len(v.slots) {
			v.grow()
			s = v.find(hash, word)
		}
		v.count++
		*s = slot{hash: hash, at: uint32(len(v.text)), ids: uint32(len(v.ids)), size: uint8(len(word))}
		v.text = append(v.text, word...)
		v.ids = append(v.ids, v.learn(word)...)
		s.idsCount = uint8(len(v.ids) - int(s.ids))
	}
	return v.ids[s.ids:][:s.idsCount]
}

// find is the slot of a word, or the one that it would have.
func (v *vocabulary) find(hash uint32, word []byte) *slot {
	mask := uint32(len(v.slots) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		s := &v.slots[i]
		if s.size == 0 || s.hash == hash && string(v.text[s.at:][:s.size]) == string(word) {
			return s
		}
	}
}

func (v *vocabulary) grow() {
	old := v.slots
	v.slots = make([]slot, 2*len(old))
	mask := uint32(len(v.slots) - 1)
	for _, s := range old {
		if s.size == 0 {
			continue
		}
		i := s.hash & mask
		for v.slots[i].size > 0 {
			i = (i + 1) & mask
		}
		v.slots[i] = s
	}
}

func (v *vocabulary) learn(word []byte) (ids []uint32) {
	for _, term := range Terms(string(word)) {
		ids = append(ids, v.id(term))
	}
	return ids
}

// id is the number of a term.
func (v *vocabulary) id(term string) uint32 {
	id, ok := v.byID[term]
	if !ok {
		id = uint32(len(v.terms))
		v.byID[term] = id
		v.terms = append(v.terms, term)
	}
	return id
}
