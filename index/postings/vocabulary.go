package postings

// vocabulary remembers the terms of words: most of the work of analyzing a text is to
// look its words up.
type vocabulary struct {
	words interner // the number of each is where its terms are in ids
	ids   []uint32 // of each word how many terms it has, then these
	terms terms

	cutter cutter
	long   []uint32 // the terms of a word that isn't remembered
}

const (
	maxVocabulary = 1 << 16 // words and terms
	maxRemembered = 64      // bytes of a word
)

func (v *vocabulary) full() bool { return v.words.count+v.terms.count > maxVocabulary }

// of are the terms of a word, until the next call.
func (v *vocabulary) of(word []byte) []uint32 {
	if number(word) {
		return nil
	}
	if len(word) > maxRemembered {
		v.long = v.learn(v.long[:0], word)
		return v.long
	}
	s, fresh := v.words.slot(word)
	if fresh {
		at := len(v.ids)
		s.number = uint32(at)
		v.ids = v.learn(append(v.ids, 0), word)
		v.ids[at] = uint32(len(v.ids) - at - 1)
	}
	return v.ids[s.number+1:][:v.ids[s.number]]
}

// learn appends the terms of a word to ids.
func (v *vocabulary) learn(ids []uint32, word []byte) []uint32 {
	v.cutter.terms(word, func(term []byte) { ids = append(ids, v.id(term)) })
	return ids
}

// id is the number of a term.
func (v *vocabulary) id(term []byte) uint32 {
	id, _ := v.terms.number(term)
	return id
}
