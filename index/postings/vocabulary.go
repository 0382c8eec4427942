package postings

import (
	"encoding/binary"
	"hash/maphash"
	"math/bits"
	"math/rand/v2"
)

// vocabulary caches the terms of words, because most words of a text have occurred before.
type vocabulary struct {
	words wordTable
	lists []uint32 // the terms of words with several
	terms termNumbers

	splitter splitter
	scratch  []uint32 // the terms of a word that is not cached yet
}

const (
	maxVocabulary = 1 << 16 // words and terms
	maxRemembered = 64      // bytes of a word
)

// size returns the number of words and terms.
func (v *vocabulary) size() int { return v.words.count + v.terms.count }

func (v *vocabulary) full() bool { return v.size() > maxVocabulary }

// clear empties the vocabulary and keeps its memory.
func (v *vocabulary) clear() {
	v.words.clear()
	v.terms.clear()
	v.lists = v.lists[:0]
}

// termIDs returns the terms of a word. They are valid until the next call.
func (v *vocabulary) termIDs(word []byte) []uint32 {
	if isLongNumber(word) {
		return nil
	}
	if len(word) > maxRemembered {
		return v.split(word)
	}
	w, fresh := v.words.find(word)
	if fresh {
		v.remember(w, v.split(word))
	}
	if w.terms == 1 {
		v.scratch = append(v.scratch[:0], w.first)
		return v.scratch
	}
	return v.lists[w.first:][:w.terms]
}

// split returns the terms of a word that is not cached.
func (v *vocabulary) split(word []byte) []uint32 {
	v.scratch = v.scratch[:0]
	v.splitter.terms(word, func(term []byte) { v.scratch = append(v.scratch, v.id(term)) })
	return v.scratch
}

// remember sets the terms of a new word.
func (v *vocabulary) remember(w *knownWord, ids []uint32) {
	if w.terms = uint16(len(ids)); len(ids) == 1 {
		w.first = ids[0]
		return
	}
	w.first = uint32(len(v.lists))
	v.lists = append(v.lists, ids...)
}

// id returns the number of a term.
func (v *vocabulary) id(term []byte) uint32 {
	id, _ := v.terms.number(term)
	return id
}

// wordTable is a hash table of words, with open addressing. It holds short words in its
// entries: nearly every word of a text is looked up here, and most are short. The zero
// wordTable is ready for use.
type wordTable struct {
	seed       maphash.Seed
	multiplier uint64      // random and odd
	entries    []knownWord // its length is a power of two
	count      int         // of used entries
	bytes      []byte      // the rest of words that are longer than an entry holds
}

// knownWord is an entry of a wordTable. A free entry has size 0.
type knownWord struct {
	head  uint64 // the first 8 bytes, filled up with zeros
	hash  uint32
	rest  uint32 // the offset of the remaining bytes, if there are any
	first uint32 // the word's only term, or else the offset of its terms in vocabulary.lists
	terms uint16 // their number
	size  uint16 // in bytes
}

const headBytes = 8

// find returns the entry of a word, which must not be empty. It is valid until the next call.
// If the word is new, fresh is true, and the caller sets the entry's terms.
func (t *wordTable) find(word []byte) (w *knownWord, fresh bool) {
	if 2*t.count >= len(t.entries) {
		t.grow()
	}
	head := headOf(word)
	hash := t.hash(head, word)
	mask := uint32(len(t.entries) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		w := &t.entries[i]
		if w.size == 0 {
			*w = knownWord{head: head, hash: hash, size: uint16(len(word))}
			t.count++
			if len(word) > headBytes {
				w.rest = uint32(len(t.bytes))
				t.bytes = append(t.bytes, word[headBytes:]...)
			}
			return w, true
		}
		if w.head == head && int(w.size) == len(word) &&
			(len(word) <= headBytes ||
				w.hash == hash && string(t.bytes[w.rest:][:len(word)-headBytes]) == string(word[headBytes:])) {
			return w, false
		}
	}
}

// hash returns the hash of a word with that head.
func (t *wordTable) hash(head uint64, word []byte) uint32 {
	if len(word) > headBytes {
		return uint32(maphash.Bytes(t.seed, word))
	}
	high, low := bits.Mul64(head, t.multiplier)
	return uint32(high ^ low)
}

// headOf returns the head of a word.
func headOf(word []byte) uint64 {
	if len(word) >= headBytes {
		return binary.LittleEndian.Uint64(word)
	}
	if cap(word) >= headBytes { // the text goes on behind the word
		return binary.LittleEndian.Uint64(word[:headBytes]) & (1<<(8*len(word)) - 1)
	}
	var head [headBytes]byte
	copy(head[:], word)
	return binary.LittleEndian.Uint64(head[:])
}

func (t *wordTable) clear() {
	clear(t.entries)
	t.count, t.bytes = 0, t.bytes[:0]
}

func (t *wordTable) grow() {
	old := t.entries
	if old == nil {
		t.seed, t.multiplier = maphash.MakeSeed(), rand.Uint64()|1
	}
	t.entries = make([]knownWord, max(1<<10, 2*len(old)))
	mask := uint32(len(t.entries) - 1)
	for _, w := range old {
		if w.size == 0 {
			continue
		}
		i := w.hash & mask
		for t.entries[i].size > 0 {
			i = (i + 1) & mask
		}
		t.entries[i] = w
	}
}
