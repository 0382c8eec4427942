package postings

// vocabulary caches the terms of words, because most words of a text have occurred before.
type vocabulary struct {
	words interner // a word's number is the index of its entry in ids
	ids   []uint32 // for each word the number of its terms, then the terms
	terms terms

	splitter splitter
	long     []uint32 // the terms of a word that is too long to be cached
}

const (
	maxVocabulary = 1 << 16 // words and terms
	maxRemembered = 64      // bytes of a word
)

func (v *vocabulary) full() bool { return v.words.count+v.terms.count > maxVocabulary }

// termIDs returns the terms of a word. They are valid until the next call.
func (v *vocabulary) termIDs(word []byte) []uint32 {
	if isLongNumber(word) {
		return nil
	}
	if len(word) > maxRemembered {
		v.long = v.appendTermIDs(v.long[:0], word)
		return v.long
	}
	s, fresh := v.words.slot(word)
	if fresh {
		at := len(v.ids)
		s.number = uint32(at)
		v.ids = v.appendTermIDs(append(v.ids, 0), word)
		v.ids[at] = uint32(len(v.ids) - at - 1)
	}
	return v.ids[s.number+1:][:v.ids[s.number]]
}

// appendTermIDs appends the terms of a word to ids.
func (v *vocabulary) appendTermIDs(ids []uint32, word []byte) []uint32 {
	v.splitter.terms(word, func(term []byte) { ids = append(ids, v.id(term)) })
	return ids
}

// id returns the number of a term.
func (v *vocabulary) id(term []byte) uint32 {
	id, _ := v.terms.number(term)
	return id
}
