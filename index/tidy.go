package index

import (
	"context"
	"errors"
	"runtime/debug"
)

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
