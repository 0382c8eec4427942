package shards

import (
	"context"
	"database/sql"
	"io"
	"slices"

	"ploke-lsp/index/postings"
)

// mergeWidth is the number of segments of similar size that are merged into one. A
// document is rewritten once for each such step in size.
const mergeWidth = 8

// smallSegment is the size in bytes below which all segments count as similar.
const smallSegment = 128 << 10

// mergeDueSegments merges segments until there are fewer than mergeWidth of each size, so
// that their number is logarithmic in the number of files.
func (s *Shard) mergeDueSegments(ctx context.Context) error {
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

// dueSegments returns the segments to merge next: a segment with mostly dead documents, or
// the smallest size with too many segments.
func (g *generations) dueSegments() []liveSegment {
	var steps [64][]liveSegment
	for _, p := range g.current.parts {
		if 2*p.liveDocs < len(p.live) {
			return []liveSegment{p}
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

// liveBytes returns the bytes of a segment's live documents.
func liveBytes(p liveSegment) int64 {
	return p.bytes * int64(p.liveDocs+1) / int64(len(p.live)+1)
}

// merge replaces parts of the current generation by a single segment.
func (s *Shard) merge(ctx context.Context, old []liveSegment) error {
	segments := make([]*postings.Segment, len(old))
	for i, p := range old {
		segments[i] = p.Segment
	}
	snap := s.current.next()
	snap.parts = slices.DeleteFunc(snap.parts, func(p liveSegment) bool {
		return slices.ContainsFunc(old, func(o liveSegment) bool { return o.id == p.id })
	})
	var merged *segment
	if slices.ContainsFunc(old, func(p liveSegment) bool { return p.liveDocs > 0 }) {
		written, err := s.writeSegment(func(w io.Writer) error {
			return postings.Merge(contextWriter{ctx, w}, segments, func(i, doc int) bool { return old[i].live[doc] })
		})
		if err != nil {
			return err
		}
		if merged, err = written.open(snap.generation); err != nil {
			return err
		}
		snap.parts = append(snap.parts, newPart(merged))
	}
	return s.commitGeneration(ctx, snap, merged, func(tx *sql.Tx) error { return deleteSegments(tx, old) })
}

// contextWriter is a writer that fails once ctx has ended.
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

// scatteredShare is the share of a shard's postings outside of its largest segment from
// which all segments are merged into one: each query reads every segment.
const scatteredShare = 0.25

// scattered reports whether it is worthwhile to merge all segments.
func (g *generations) scattered() bool {
	snap := g.acquire()
	defer g.release(snap)
	var all, largest int64
	for _, p := range snap.parts {
		all += liveBytes(p)
		largest = max(largest, liveBytes(p))
	}
	return len(snap.parts) > 1 && float64(all-largest) > scatteredShare*float64(all) && all > smallSegment
}
