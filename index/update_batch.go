package index

import (
	"context"
	"database/sql"

	"ploke-lsp/index/postings"
)

// batchBytes is the approximate memory that a batch uses before it is committed.
const batchBytes = 4 << 20

// batch is a set of changes that are committed together.
type batch struct {
	shard   *shard
	nextID  int64
	deleted []*indexedFile
	touched []newFile // only their size and time have changed
	files   []newFile
	posts   postings.Builder
}

// newFile is a file's new row and the values that belong to it.
type newFile struct {
	id       int64
	rel      string
	size     int64
	modified int64
	skip     string
	parsed
}

// newBatch begins a batch. The caller holds the shard exclusively until the commit.
func newBatch(ctx context.Context, s *shard) (*batch, error) {
	b := &batch{shard: s}
	err := s.db.write.QueryRowContext(ctx, "SELECT coalesce(max(seq), 0) + 1 FROM sqlite_sequence WHERE name = 'files'").Scan(&b.nextID)
	return b, err
}

// add adds a file that was read, with its trusted modification time.
func (b *batch) add(f readResult, modified int64) {
	b.forget(f.old)
	row := newFile{id: b.nextID, rel: f.rel, size: f.size, modified: modified, skip: f.skip, parsed: f.parsed}
	b.nextID++
	if f.doc != nil {
		f.doc.ID, f.doc.Record, f.doc.References = row.id, row.record(), row.refs
		b.posts.Add(f.doc)
	}
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

func (b *batch) full() bool { return b.posts.Size() > batchBytes }

// commit makes the batch's changes durable and visible, all or none.
func (b *batch) commit(ctx context.Context) error {
	if len(b.files)+len(b.deleted)+len(b.touched) == 0 {
		return nil
	}
	s := b.shard
	snap := s.current.next()
	changed := snap.addTombstones(b.deleted)
	var added *segment
	if b.posts.Docs() > 0 {
		var err error
		if added, err = s.writeSegment(snap.generation, b.posts.Write); err != nil {
			return err
		}
		snap.parts = append(snap.parts, newPart(added))
	}
	return s.commitGeneration(ctx, snap, added, func(tx *sql.Tx) error { return b.write(tx, changed) })
}

func (b *batch) write(tx *sql.Tx, changed []part) error {
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
