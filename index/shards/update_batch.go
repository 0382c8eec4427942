package shards

import (
	"context"
	"database/sql"

	"ploke-lsp/index/postings"
)

// batchBytes is the approximate memory that a batch uses before it is committed.
const batchBytes = 4 << 20

// batch is a set of changes that are committed together.
type batch struct {
	deleted []*indexedFile
	touched []newFile // only their size and time have changed
	files   []newFile
	segment *newSegment // with the postings of files; nil if there are none
}

// newFile is a file's new row and the values that belong to it.
type newFile struct {
	id       int64
	rel      string
	size     int64
	modified int64
	skip     string
	parsedText
}

// add adds a file that was read, with its trusted modification time.
func (b *batch) add(f readResult, modified int64) {
	b.forget(f.old)
	row := newFile{id: f.id, rel: f.rel, size: f.size, modified: modified, skip: string(f.skip), parsedText: f.parsedText}
	row.symbols, row.refs = nil, nil // they are in the segment
	b.files = append(b.files, row)
}

// touch updates the size and time of a file whose text has not changed.
func (b *batch) touch(f readResult, modified int64) {
	b.touched = append(b.touched, newFile{id: f.old.id, size: f.size, modified: modified})
}

// forget removes a file from the index.
func (b *batch) forget(old *indexedFile) {
	if old != nil {
		b.deleted = append(b.deleted, old)
	}
}

func (b *batch) empty() bool { return len(b.files)+len(b.deleted)+len(b.touched) == 0 }

// writePostings writes the documents of posts, if there are any, as the segment of the batch.
func (b *batch) writePostings(s *Shard, posts *postings.Builder) (err error) {
	if posts.Docs() > 0 {
		b.segment, err = s.writeSegment(posts.Write)
	}
	return err
}

// discard gives up what was written for the batch.
func (b *batch) discard() {
	if b.segment != nil {
		b.segment.discard()
	}
}

// commit makes the batch's changes durable and visible, all or none. The caller holds the shard
// exclusively.
func (b *batch) commit(ctx context.Context, s *Shard) error {
	snap := s.current.next()
	changed := snap.addTombstones(b.deleted)
	var added *segment
	if b.segment != nil {
		var err error
		if added, err = b.segment.open(snap.generation); err != nil {
			return err
		}
		snap.parts = append(snap.parts, newPart(added))
	}
	return s.commitGeneration(ctx, snap, added, func(tx *sql.Tx) error { return b.write(tx, changed) })
}

func (b *batch) write(tx *sql.Tx, changed []liveSegment) error {
	if err := deleteFiles(tx, b.deleted); err != nil {
		return err
	}
	if err := touchFiles(tx, b.touched); err != nil {
		return err
	}
	if err := insertFiles(tx, b.files); err != nil {
		return err
	}
	return updateTombstones(tx, changed)
}
