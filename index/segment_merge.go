package index

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"runtime/debug"
	"slices"

	"ploke-lsp/index/postings"
)

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

// scattered is the share of a shard's postings outside of its largest segment from
// which all are merged into one: each query looks into every segment.
const scatteredShare = 0.25

// tidy merges what an update has left scattered, in the background: the index is ready
// before. An update that comes meanwhile waits for it, a second or so on a large tree.
func (x *Index) mergeScattered(s *shard) {
	if !s.scattered() {
		return
	}
	x.background.Go(func() {
		err := s.exclusively(x.lifetime, func() error {
			if !s.scattered() {
				return nil
			}
			if err := s.merge(x.lifetime, s.current.parts); err != nil {
				return err
			}
			s.removeOrphans()
			debug.FreeOSMemory()
			return nil
		})
		if err != nil && !errors.Is(err, context.Canceled) {
			x.log.Warn("merging the segments of the index", "folder", s.dir, "error", err)
		}
	})
}

// Settle waits for what updates have begun in the background: merging, and reading the
// history.
func (x *Index) Settle() { x.background.Wait() }

// scattered says whether merging all segments is worth it.
func (s *shard) scattered() bool {
	snap := s.acquire()
	defer s.release(snap)
	var all, largest int64
	for _, p := range snap.parts {
		all += liveBytes(p)
		largest = max(largest, liveBytes(p))
	}
	return len(snap.parts) > 1 && float64(all-largest) > scatteredShare*float64(all) && all > smallSegment
}
