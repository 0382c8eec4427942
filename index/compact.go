package index

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"ploke-lsp/index/postings"
)

// writeSegment writes a new segment's file durably, and opens it. It counts only
// once index.db names it.
func (s *shard) writeSegment(id int64, write func(io.Writer) error) (*segment, error) {
	path := segmentPath(s.dir, id)
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := write(f); err != nil {
		return nil, fmt.Errorf("writing %s: %w", path, err)
	}
	if err := f.Sync(); err != nil {
		return nil, fmt.Errorf("writing %s: %w", path, err)
	}
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	open, err := postings.Open(path)
	if err != nil {
		return nil, err
	}
	return &segment{Segment: open, id: id, bytes: info.Size()}, nil
}

func newPart(s *segment) part {
	p := part{segment: s, alive: make([]bool, s.Docs()), count: s.Docs()}
	for doc := range p.alive {
		p.alive[doc] = true
	}
	return p
}

// finish ends an update of the whole root.
func (s *shard) finish(ctx context.Context) error {
	if err := s.compact(ctx); err != nil {
		return err
	}
	s.removeOrphans()
	err := s.db.transact(ctx, func(tx *sql.Tx) error { return setMeta(tx, "complete", 1) })
	if err != nil {
		return err
	}
	// Only the log's size is at stake when a reader is in the way.
	_, err = s.db.write.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	return err
}

// compact merges the newest segments while they are about as large as those before
// them, so that there are never more than the logarithm of the files.
func (s *shard) compact(ctx context.Context) error {
	parts := s.current.parts
	from := len(parts) - 1
	if from < 0 {
		return nil
	}
	size := weight(parts[from])
	for from > 0 && weight(parts[from-1]) <= 2*size {
		from--
		size += weight(parts[from])
	}
	if from == len(parts)-1 && 2*parts[from].count >= len(parts[from].alive) {
		return nil
	}
	return s.mergeFrom(ctx, from)
}

// weight is the bytes of what is alive in a segment.
func weight(p part) int64 {
	return p.bytes * int64(p.count+1) / int64(len(p.alive)+1)
}

// mergeFrom replaces the segments from that one on by a single one.
func (s *shard) mergeFrom(ctx context.Context, from int) error {
	next := s.current.generation + 1
	old := s.current.parts[from:]
	segments := make([]*postings.Segment, len(old))
	for i, p := range old {
		segments[i] = p.Segment
	}
	merged, err := s.writeSegment(next, func(w io.Writer) error {
		return postings.Merge(w, segments, func(i, doc int) bool { return old[i].alive[doc] })
	})
	if err != nil {
		return err
	}
	err = s.db.transact(ctx, func(tx *sql.Tx) error { return moveFiles(tx, old, merged) })
	if err != nil {
		merged.Close()
		return err
	}
	s.publish(&snapshot{generation: next, parts: append(s.current.parts[:from:from], newPart(merged))})
	return nil
}

// moveFiles records that the files of the old segments are now in merged.
func moveFiles(tx *sql.Tx, old []part, merged *segment) error {
	move, err := tx.Prepare("UPDATE files SET segment = ?, doc = ? WHERE id = ?")
	if err != nil {
		return err
	}
	defer move.Close()
	for doc := range merged.Docs() {
		if _, err := move.Exec(merged.id, doc, merged.Doc(doc).ID); err != nil {
			return err
		}
	}
	for _, p := range old {
		if _, err := tx.Exec("DELETE FROM segments WHERE id = ?", p.id); err != nil {
			return err
		}
	}
	if err := insertSegment(tx, merged); err != nil {
		return err
	}
	return setMeta(tx, "generation", merged.id)
}

// removeOrphans removes the files of segments that no longer count. Who has one
// open keeps its memory.
func (s *shard) removeOrphans() {
	valid := map[string]bool{}
	for _, p := range s.current.parts {
		valid[segmentPath(s.dir, p.id)] = true
	}
	paths, _ := filepath.Glob(filepath.Join(s.dir, segmentPattern))
	for _, path := range paths {
		if !valid[path] {
			if err := os.Remove(path); err != nil {
				s.log.Warn("removing an old segment", "error", err)
			}
		}
	}
}
