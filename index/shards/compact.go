package shards

import (
	"context"
	"runtime/debug"

	"ploke-lsp/internal/collector"
	"ploke-lsp/internal/syntax"
)

// manyFiles is the number of parsed files after which freed memory is returned to the system.
const manyFiles = 500

// compact does in the background what the updates of a shard have left, because the index is usable before.
// An update that begins meanwhile waits for it, about a second on a large tree.
func (x *Set) compact(s *Shard) {
	parsed := s.uncompacted.Swap(0)
	if parsed == 0 && !s.scattered() {
		return
	}
	x.inBackground("merging the segments of the index", s.dir, func(ctx context.Context) error {
		if parsed >= manyFiles {
			debug.FreeOSMemory()
			syntax.ReleaseMemory()
		}
		return s.exclusively(ctx, func() error { return s.compact(ctx) })
	})
}

// inBackground does work on a folder until it is done, or Close interrupts it, which is not a failure whatever
// error it leads to.
func (x *Set) inBackground(what, folder string, work func(context.Context) error) {
	x.background.Go(func() {
		if err := work(x.background.lifetime); err != nil && x.background.lifetime.Err() == nil {
			x.log.Warn(what, "folder", folder, "error", err)
		}
	})
}

// compact merges scattered segments, and empties the log of the database.
func (s *Shard) compact(ctx context.Context) error {
	if s.scattered() {
		defer collector.Often()()
		if err := s.merge(ctx, s.current.parts); err != nil {
			return err
		}
		s.removeOrphans()
		debug.FreeOSMemory()
	}
	// If a reader blocks the checkpoint, the log only stays larger.
	_, err := s.db.write.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	return err
}

// Settle waits for the background work that updates have begun: compacting segments, and reading the
// history.
func (x *Set) Settle() { x.background.Wait() }
