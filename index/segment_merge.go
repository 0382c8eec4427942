package index

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"ploke-lsp/index/postings"
)

// writeSegment writes a new segment's file durably, and opens it. It counts only
// once index.db names it.
func (s *shard) writeSegment(id int64, write func(io.Writer) error) (*segment, error) {
	path := segmentPath(s.dir, id)
	size, err := writeFile(path, write)
	if err != nil {
		os.Remove(path) // what is left of it only takes room
		return nil, fmt.Errorf("writing %s: %w", path, err)
	}
	open, err := postings.Open(path)
	if err != nil {
		return nil, err
	}
	return &segment{Segment: open, id: id, bytes: size}, nil
}

func writeFile(path string, write func(io.Writer) error) (size int64, err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if err := write(f); err != nil {
		return 0, err
	}
	if err := f.Sync(); err != nil {
		return 0, err
	}
	return f.Seek(0, io.SeekCurrent)
}

// finish ends an update of the whole root that has changed something, or is the first.
func (s *shard) finishUpdate(ctx context.Context) error {
	s.removeOrphans()
	err := s.db.transact(ctx, func(tx *sql.Tx) error { return setMeta(tx, "complete", 1) })
	if err != nil {
		return err
	}
	// Only the log's size is at stake when a reader is in the way.
	_, err = s.db.write.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	return err
}

// mergeWidth is how many segments of about the same size are merged into one: a
// document is written anew once for each such step of size.
const mergeWidth = 8

// smallSegment is the size in bytes below which all segments are about the same size.
const smallSegment = 128 << 10

// compact merges segments until there are fewer than mergeWidth of about the same
// size, so that their number grows with the logarithm of the files.
func (s *shard) mergeDueSegments(ctx context.Context) error {
	for {
		due := s.dueSegments()
		if due == nil {
			return nil
		}
		if err := s.merge(ctx, due); err != nil {
			return err
		}
	}
}

// due are the parts that are to be merged next: those of the smallest size with too
// many of them, or one that is mostly dead.
func (s *shard) dueSegments() []part {
	var steps [64][]part
	for _, p := range s.current.parts {
		if 2*p.liveDocs < len(p.live) {
			return []part{p}
		}
		step := 0
		for size := int64(smallSegment); size < liveBytes(p); size *= mergeWidth {
			step++
		}
		steps[step] = append(steps[step], p)
	}
	for _, parts := range steps {
		if len(parts) >= mergeWidth {
			return parts
		}
	}
	return nil
}

// weight is the bytes of what is alive in a segment.
func liveBytes(p part) int64 {
	return p.bytes * int64(p.liveDocs+1) / int64(len(p.live)+1)
}

// merge replaces parts of the current generation by a single one.
func (s *shard) merge(ctx context.Context, old []part) error {
	segments := make([]*postings.Segment, len(old))
	for i, p := range old {
		segments[i] = p.Segment
	}
	snap := s.current.next()
	snap.parts = slices.DeleteFunc(snap.parts, func(p part) bool {
		return slices.ContainsFunc(old, func(o part) bool { return o.id == p.id })
	})
	var merged *segment
	if slices.ContainsFunc(old, func(p part) bool { return p.liveDocs > 0 }) {
		var err error
		merged, err = s.writeSegment(snap.generation, func(w io.Writer) error {
			return postings.Merge(contextWriter{ctx, w}, segments, func(i, doc int) bool { return old[i].live[doc] })
		})
		if err != nil {
			return err
		}
		snap.parts = append(snap.parts, newPart(merged))
	}
	return s.commitGeneration(ctx, snap, merged, func(tx *sql.Tx) error { return deleteSegments(tx, old) })
}

// untilDone is a writer that fails once ctx has ended.
type contextWriter struct {
	ctx context.Context
	io.Writer
}

func (w contextWriter) Write(data []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.Writer.Write(data)
}

// advance commits a generation with the segment that it adds, if any, and what write
// writes for it, and makes it the current one.
func (s *shard) commitGeneration(ctx context.Context, next *snapshot, added *segment, write func(*sql.Tx) error) error {
	err := s.db.transact(ctx, func(tx *sql.Tx) error {
		if err := write(tx); err != nil {
			return err
		}
		if added != nil {
			if err := insertSegment(tx, added); err != nil {
				return err
			}
		}
		return setMeta(tx, "generation", next.generation)
	})
	if err != nil {
		if added != nil {
			added.Close()
		}
		return err
	}
	s.publish(next)
	return nil
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
