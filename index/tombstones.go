package index

import (
	"encoding/binary"
	"slices"
)

// The dead of a segment are documents whose file has gone or has been indexed anew.
// index.db has their numbers in ascending order, as varints, each as the distance
// from the number after the last one.

func encodeTombstones(alive []bool) []byte {
	var buf []byte
	next := 0
	for doc, ok := range alive {
		if !ok {
			buf = binary.AppendUvarint(buf, uint64(doc-next))
			next = doc + 1
		}
	}
	return buf
}

func newPart(s *segment) part {
	p := part{segment: s, live: make([]bool, s.Docs()), liveDocs: s.Docs()}
	for doc := range p.live {
		p.live[doc] = true
	}
	return p
}

// bury takes the dead out of a new part; it says whether they are its documents.
func (p *part) applyTombstones(dead []byte) bool {
	d := decoder{data: string(dead)}
	doc := -1
	for d.more() {
		doc += 1 + d.int()
		if d.failed || doc >= len(p.live) {
			return false
		}
		p.live[doc] = false
		p.liveDocs--
	}
	return !d.failed
}

// kill takes the documents of files out of a snapshot that nobody else has yet, and
// returns the parts that this changes.
func (snap *snapshot) addTombstones(files []*indexedFile) (changed []part) {
	if len(files) == 0 {
		return nil
	}
	ids := make(map[int64]bool, len(files))
	for _, k := range files {
		ids[k.id] = true
	}
	for i := range snap.parts {
		p := &snap.parts[i]
		before := p.liveDocs
		for doc, alive := range p.live {
			if !alive || !ids[p.Doc(doc).ID] {
				continue
			}
			if p.liveDocs == before { // others see what it was
				p.live = slices.Clone(p.live)
			}
			p.live[doc] = false
			p.liveDocs--
		}
		if p.liveDocs < before {
			changed = append(changed, *p)
		}
	}
	return changed
}
