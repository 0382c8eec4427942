package postings

import "bytes"

// Folders are the folders of a segment's documents, by numbers from 0.
type Folders struct {
	of   []int32  // the number of each document's folder
	rels []string // the relative path of each folder
}

// Folders returns the folders of the documents. The segment keeps them: they take 4 bytes for each
// document, and the path of each folder.
func (s *Segment) Folders() *Folders {
	if known := s.folders.Load(); known != nil {
		return known
	}
	f := &Folders{of: make([]int32, s.Docs())}
	numbers := map[string]int32{}
	for doc := range f.of {
		rel := s.rel(doc)
		dir := []byte(".")
		if slash := bytes.LastIndexByte(rel, '/'); slash >= 0 {
			dir = rel[:slash]
		}
		n, known := numbers[string(dir)]
		if !known {
			n = int32(len(f.rels))
			f.rels = append(f.rels, string(dir))
			numbers[f.rels[n]] = n
		}
		f.of[doc] = n
	}
	s.folders.Store(f)
	return f
}

// Of returns the number of a document's folder.
func (f *Folders) Of(doc int) int { return int(f.of[doc]) }

// Rels returns the relative paths of the folders, by their numbers; "." is the root.
func (f *Folders) Rels() []string { return f.rels }
