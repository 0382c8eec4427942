package postings

import "encoding/binary"

// DocOf is the number of the document with an id; ok is false where there is none.
func (s *Segment) DocOf(id int64) (doc int, ok bool) {
	s.numbered.Do(func() {
		s.numbers = make(map[int64]int32, s.Docs())
		for doc := range s.Docs() {
			s.numbers[int64(binary.LittleEndian.Uint64(s.docs[doc*docBytes:]))] = int32(doc)
		}
	})
	n, ok := s.numbers[id]
	return int(n), ok
}
