package index

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sync/errgroup"

	"ploke-lsp/index/postings"
	"ploke-lsp/internal/workspace"
)

// updateRun carries out a plan. Workers read and parse, the caller's goroutine collects
// their results into batches, and another goroutine commits the batches, so that parsing
// never waits for the disk.
type updateRun struct {
	index    *Index
	shard    *shard
	plan     *updatePlan
	progress *progressReporter

	filesSeen   int // read or found deleted
	filesParsed int // parsed
	parseTime   time.Duration
	storeTime   time.Duration
}

// apply carries out the plan.
func (r *updateRun) apply(ctx context.Context) error {
	started := time.Now()
	first, err := newBatch(ctx, r.shard)
	if err != nil {
		return err
	}
	first.deleted = r.plan.deleted
	g, running := errgroup.WithContext(ctx)
	results := r.startWorkers(running, g)
	batches := make(chan *batch)
	g.Go(func() error { return postings.Read(func() error { return r.commit(running, batches) }) })
	r.collect(running, first, results, batches)
	r.parseTime = time.Since(started)
	if err := g.Wait(); err != nil {
		return err
	}
	if r.filesSeen < len(r.plan.read) {
		return errPaused
	}
	return nil
}

// errPaused says that a run has ended early because indexing was paused. Finished work is
// committed, and other processes may index meanwhile.
var errPaused = errors.New("indexing is paused")

// collect sends the results in batches, and closes batches at the end.
func (r *updateRun) collect(ctx context.Context, b *batch, results <-chan []readResult, batches chan<- *batch) {
	defer close(batches)
	send := func(b *batch) {
		select {
		case batches <- b:
		case <-ctx.Done():
		}
	}
	for group := range results {
		for _, found := range group {
			r.filesSeen++
			r.add(b, found)
			r.progress.fileDone(found)
			if b.full() {
				send(b)
				b = &batch{shard: b.shard, nextID: b.nextID}
			}
		}
	}
	send(b)
}

// maxParts is the number of segments after which an update merges before its end. Each query
// reads every segment.
const maxParts = 32

// commit commits batches as they arrive, and merges segments at the end: each merge on the
// way would write most postings once more.
func (r *updateRun) commit(ctx context.Context, batches <-chan *batch) error {
	for b := range batches {
		if err := ctx.Err(); err != nil {
			return err
		}
		started := time.Now()
		if err := b.commit(ctx); err != nil {
			return err
		}
		if len(r.shard.current.parts) >= maxParts {
			if err := r.shard.mergeDueSegments(ctx); err != nil {
				return err
			}
		}
		r.storeTime += time.Since(started)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	started := time.Now()
	defer func() { r.storeTime += time.Since(started) }()
	return r.shard.mergeDueSegments(ctx)
}

// add adds a file to the batch, unless it can't be read now.
func (r *updateRun) add(b *batch, f readResult) {
	switch {
	case f.gone:
	case f.unchanged:
		b.touch(f, r.plan.trustedModTime(f.changedFile))
	case f.skip == string(workspace.Binary) || f.skip == string(workspace.Minified):
		b.add(f, r.plan.trustedModTime(f.changedFile))
	case f.skip != "":
		r.plan.skipped[f.skip]++
		b.forget(f.old)
	default:
		r.filesParsed++
		b.add(f, r.plan.trustedModTime(f.changedFile))
	}
}
