package index

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Progress is how far an update of a root has come.
type Progress struct {
	Root       string
	Files      int // looked at, unchanged ones included
	TotalFiles int // 0 until the folder has been walked
	Symbols    int // found by this update
}

// Update makes the index follow the disk: it stats every file of every root, reads
// those that changed, and forgets those that are gone. progress may be nil; it is
// called from the caller's goroutine.
func (x *Index) Update(ctx context.Context, progress func(Progress)) (*Stats, error) {
	return x.updateAll(ctx, false, progress)
}

// Rebuild is Update that reads every file, changed or not.
func (x *Index) Rebuild(ctx context.Context, progress func(Progress)) (*Stats, error) {
	return x.updateAll(ctx, true, progress)
}

func (x *Index) updateAll(ctx context.Context, force bool, progress func(Progress)) (*Stats, error) {
	if progress == nil {
		progress = func(Progress) {}
	}
	started := time.Now()
	x.setState(Indexing, nil)
	sum := &Stats{Skipped: map[string]int{}, Languages: map[string]LanguageStats{}}
	var errs []error
	for _, s := range x.all() {
		stats, err := x.updateShard(ctx, s, force, progress)
		if err != nil {
			errs = append(errs, fmt.Errorf("indexing %s: %w", s.root, err))
			continue
		}
		sum.merge(stats)
	}
	sum.Seconds.Total = time.Since(started).Seconds()
	if err := errors.Join(errs...); err != nil {
		x.setState(Failed, err)
		return nil, err
	}
	x.mu.Lock()
	x.status = Status{State: Ready, Files: sum.Files, Symbols: sum.Symbols, References: sum.References}
	x.mu.Unlock()
	return sum, nil
}

func (x *Index) setState(state string, err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.status.State, x.status.Error = state, ""
	if err != nil {
		x.status.Error = err.Error()
	}
}

// updateShard updates one root.
func (x *Index) updateShard(ctx context.Context, s *shard, force bool, progress func(Progress)) (stats *Stats, err error) {
	err = s.exclusively(ctx, func() error {
		started := time.Now()
		progress(Progress{Root: s.root})
		p, err := x.planAll(ctx, s, force)
		if err != nil {
			return err
		}
		walk := time.Since(started)
		r := run{index: x, shard: s, plan: p, progress: progress}
		if err := r.apply(ctx); err != nil {
			return err
		}
		if err := s.finish(ctx); err != nil {
			return err
		}
		if stats, err = s.totals(ctx); err != nil {
			return err
		}
		for reason, n := range p.skipped {
			stats.Skipped[reason] += n
		}
		stats.ParsedFiles = r.files
		stats.Seconds = Seconds{Walk: walk.Seconds(), Parse: r.parsing.Seconds(), Store: r.storing.Seconds()}
		x.mu.Lock()
		s.complete = true
		x.mu.Unlock()
		return nil
	})
	return stats, err
}

// Refresh looks at paths that may have changed on disk, appeared or gone. It reads
// those that did; for a folder, or changed ignore rules, the whole root is looked at.
// Paths outside of the roots are none of its business.
func (x *Index) Refresh(ctx context.Context, paths []string) error {
	byShard := map[*shard][]string{}
	for _, path := range paths {
		path = x.canonical(path)
		if s := x.shardOf(path); s != nil && !slices.Contains(byShard[s], path) {
			byShard[s] = append(byShard[s], path)
		}
	}
	for _, s := range x.all() {
		if len(byShard[s]) == 0 {
			continue
		}
		if err := x.refreshShard(ctx, s, byShard[s]); err != nil {
			return fmt.Errorf("refreshing the index of %s: %w", s.root, err)
		}
	}
	return x.recount(ctx)
}

func (x *Index) refreshShard(ctx context.Context, s *shard, paths []string) error {
	return s.exclusively(ctx, func() error {
		p, all, err := x.planPaths(ctx, s, paths)
		if all && err == nil {
			p, err = x.planAll(ctx, s, false)
		}
		if err != nil {
			return err
		}
		if len(p.read) == 0 && len(p.gone) == 0 {
			return nil
		}
		r := run{index: x, shard: s, plan: p, progress: func(Progress) {}}
		if err := r.apply(ctx); err != nil {
			return err
		}
		return s.compact(ctx)
	})
}

// recount sets the status's figures to what the shards hold.
func (x *Index) recount(ctx context.Context) error {
	var sum Status
	for _, s := range x.all() {
		totals, err := s.totals(ctx)
		if err != nil {
			return err
		}
		sum.add(totals)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.status.Files, x.status.Symbols, x.status.References = sum.Files, sum.Symbols, sum.References
	return nil
}
