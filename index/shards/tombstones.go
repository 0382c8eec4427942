package shards

import (
	"encoding/binary"
	"slices"

	"ploke-lsp/index/records"
)

// Tombstones mark the dead documents of a segment, whose files have been deleted or
// indexed again. index.db stores their numbers in ascending order, as varints: each is the
// distance from the previous number plus one.

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

func newPart(s *segment) liveSegment {
	p := liveSegment{segment: s, live: make([]bool, s.Docs()), liveDocs: s.Docs()}
	for doc := range p.live {
		p.live[doc] = true
	}
	return p
}

// applyTombstones marks documents of a new part as dead. It reports whether the tombstones
// are valid.
func (p *liveSegment) applyTombstones(data []byte) bool {
	d := records.Decoder{Data: string(data)}
	doc := -1
	for d.More() {
		doc += 1 + d.Int()
		if d.Failed || doc >= len(p.live) {
			return false
		}
		p.live[doc] = false
		p.liveDocs--
	}
	return !d.Failed
}

// addTombstones marks the documents of files as dead, and returns the parts that this
// changes. Nothing else may use the snapshot yet.
func (snap *snapshot) addTombstones(files []*indexedFile) (changed []liveSegment) {
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
			if p.liveDocs == before { // other snapshots share the old slice
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
