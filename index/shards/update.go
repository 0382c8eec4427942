package shards

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"
)

// Rebuild is Update for all files, changed or not. After an interruption, the next Update
// continues it. Meanwhile, searches find what is indexed.
func (x *Set) Rebuild(ctx context.Context, progress func(Progress)) (*Stats, error) {
	for _, s := range x.all() {
		err := x.onShard(ctx, s, func(s *Shard) error {
			return s.exclusively(ctx, func() error { return s.db.transact(ctx, invalidateFiles) })
		})
		if err != nil {
			return nil, fmt.Errorf("rebuilding the index of %s: %w", s.Root, storageError(err))
		}
	}
	return x.Update(ctx, progress)
}

// Update makes the index follow the disk: it stats every file of every root, reads the
// changed files, and forgets the deleted files. progress may be nil; it is called from the
// caller's goroutine.
func (x *Set) Update(ctx context.Context, progress func(Progress)) (*Stats, error) {
	if progress == nil {
		progress = func(Progress) {}
	}
	started := time.Now()
	options := x.ws.Options() // they may change during the scan
	x.setState(Indexing, nil)
	sum := &Stats{Skipped: map[string]int{}, Languages: map[string]LanguageStats{}}
	var errs []error
	for _, s := range x.all() {
		var stats *Stats
		err := x.onShard(ctx, s, func(s *Shard) (err error) {
			if stats, err = x.updateShard(ctx, s, progress); err == nil {
				err = x.cutFiles(ctx, s)
			}
			return err
		})
		if err != nil {
			errs = append(errs, fmt.Errorf("indexing %s: %w", s.Root, storageError(err)))
			continue
		}
		s.markScanned(started, options)
		sum.merge(stats)
	}
	sum.Seconds.Total = time.Since(started).Seconds()
	err := errors.Join(errs...)
	if err != nil {
		x.setState(Failed, err)
		sum = nil
	} else {
		x.mu.Lock()
		x.status = Status{State: Ready, Files: sum.Files, Symbols: sum.Symbols, References: sum.References}
		x.mu.Unlock()
	}
	for _, s := range x.all() {
		x.compact(s)
		x.followHistory(s)
	}
	return sum, err
}

func (c *catalog) setState(state string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.status.State, c.status.Error, c.status.Progress = state, "", nil
	if err != nil {
		c.status.Error = err.Error()
	}
}

func (x *Set) updateShard(ctx context.Context, s *Shard, progress func(Progress)) (stats *Stats, err error) {
	r := updateRun{index: x, shard: s, progress: x.newProgressReporter(s.Root, progress)} // it reports the wait, too
	err = s.exclusively(ctx, func() error {
		started := time.Now()
		if r.plan, err = x.planAll(ctx, s); err != nil {
			return err
		}
		walk := time.Since(started)
		r.progress.setPlan(r.plan)
		if err := r.applyAll(ctx); err != nil {
			return err
		}
		if stats = r.plan.totals; !r.plan.empty() {
			if stats, err = s.totals(ctx); err != nil {
				return err
			}
		}
		stats.DBBytes = diskBytes(s.dir)
		for reason, n := range r.plan.skipped {
			stats.Skipped[reason] += n
		}
		stats.ParsedFiles = r.filesParsed
		stats.Seconds = Seconds{Walk: walk.Seconds(), Parse: r.parseTime.Seconds(), Store: r.storeTime.Seconds()}
		return nil
	})
	return stats, err
}

// applyAll carries out the plan for a whole root.
func (r *updateRun) applyAll(ctx context.Context) error {
	x, s := r.index, r.shard
	if r.plan.empty() && x.complete(s) {
		return nil
	}
	if err := r.apply(ctx); err != nil {
		return err
	}
	if err := s.finishUpdate(ctx); err != nil {
		return err
	}
	s.uncompacted.Add(int64(max(1, r.filesParsed)))
	x.mu.Lock()
	defer x.mu.Unlock()
	s.complete = true
	return nil
}

// Refresh updates paths that may have been changed, created or deleted on disk. It reads
// the changed files. For a folder, or changed ignore rules, it updates the whole root. It
// ignores paths outside of the roots.
func (x *Set) Refresh(ctx context.Context, paths []string) error {
	byShard := map[*Shard][]string{}
	for _, given := range paths {
		path := x.canonical(given)
		if path != given && x.ws.SameName(path, given) {
			path = filepath.Dir(path) // whose entries are compared: the index may have the file under its old spelling
		}
		if s := x.shardOf(path); s != nil && !slices.Contains(byShard[s], path) {
			byShard[s] = append(byShard[s], path)
		}
	}
	for _, s := range x.all() {
		if len(byShard[s]) == 0 {
			continue
		}
		err := x.onShard(ctx, s, func(s *Shard) error {
			if err := x.refreshShard(ctx, s, byShard[s]); err != nil {
				return err
			}
			return x.cutFiles(ctx, s)
		})
		if err != nil {
			return fmt.Errorf("refreshing the index of %s: %w", s.Root, storageError(err))
		}
	}
	for _, s := range x.all() {
		x.compact(s)
	}
	return x.recount(ctx)
}

func (x *Set) refreshShard(ctx context.Context, s *Shard, paths []string) error {
	return s.exclusively(ctx, func() error {
		r := updateRun{index: x, shard: s, progress: x.newProgressReporter(s.Root, func(Progress) {})}
		p, all, err := x.planPaths(ctx, s, paths)
		if err != nil {
			return err
		}
		if all || !x.complete(s) {
			if r.plan, err = x.planAll(ctx, s); err != nil {
				return err
			}
			return r.applyAll(ctx)
		}
		if r.plan = p; p.empty() {
			return nil
		}
		return r.apply(ctx)
	})
}

// complete reports whether every file of a shard has been seen.
func (c *catalog) complete(s *Shard) bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return s.complete
}

// recount sets the status's figures to what the shards hold.
func (c *catalog) recount(ctx context.Context) error {
	var sum Status
	for _, s := range c.all() {
		counts, err := s.counts(ctx)
		if errors.Is(err, ErrDamaged) {
			continue // the next update counts it
		}
		if err != nil {
			return err
		}
		sum.add(counts)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.status.Files, c.status.Symbols, c.status.References, c.status.Progress = sum.Files, sum.Symbols, sum.References, nil
	return nil
}

// finishUpdate ends an update of the whole root that has changed something, or is the
// first.
func (s *Shard) finishUpdate(ctx context.Context) error {
	s.removeOrphans()
	return s.db.transact(ctx, func(tx *sql.Tx) error { return setMeta(tx, "complete", 1) })
}
