package shards

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"ploke-lsp/index/postings"
	"ploke-lsp/internal/collector"
	"ploke-lsp/internal/workspace"
)

// updateRun carries out a plan. Each worker reads and parses files, and writes their postings. Another
// goroutine commits what the workers have found, so that parsing never waits for the disk, and the
// caller's goroutine reports the progress.
type updateRun struct {
	index    *Set
	shard    *Shard
	plan     *updatePlan
	progress *progressReporter
	lastID   atomic.Int64 // of files

	filesSeen   int // read or found deleted
	filesParsed int // parsed
	parseTime   time.Duration
	storeTime   time.Duration
}

// apply carries out the plan.
func (r *updateRun) apply(ctx context.Context) error {
	if len(r.plan.read) >= manyFiles {
		defer collector.Often()()
	}
	started := time.Now()
	lastID, err := r.shard.db.lastFileID(ctx)
	if err != nil {
		return err
	}
	r.lastID.Store(lastID)
	g, running := errgroup.WithContext(ctx)
	found, batches := r.startWorkers(running, g)
	g.Go(func() error { return postings.Read(func() error { return r.commit(running, batches) }) })
	for t := range found {
		r.count(t)
	}
	r.parseTime = time.Since(started)
	if err := g.Wait(); err != nil {
		return err
	}
	if r.filesSeen < len(r.plan.read) {
		return errPaused
	}
	return nil
}

// fileCounts counts files that a worker has finished.
type fileCounts struct {
	files, parsed int
	bytes         int64
	symbols       int
	skipped       []workspace.Skip // why files are not indexed
}

func (r *updateRun) count(t fileCounts) {
	r.filesSeen += t.files
	r.filesParsed += t.parsed
	for _, reason := range t.skipped {
		r.plan.skipped[string(reason)]++
	}
	r.progress.filesDone(t)
}

// errPaused says that a run has ended early because indexing was paused. Finished work is
// committed, and other processes may index meanwhile.
var errPaused = errors.New("indexing is paused")

// maxParts is the number of segments after which an update merges before its end. Each query
// reads every segment.
const maxParts = 64

// commit commits batches as they arrive. It merges segments at the end, unless compact merges all of
// them: each merge on the way would write most postings once more.
func (r *updateRun) commit(ctx context.Context, batches <-chan *batch) error {
	for b := range batches {
		if err := ctx.Err(); err != nil {
			b.discard()
			return err
		}
		started := time.Now()
		if err := b.commit(ctx, r.shard); err != nil {
			return err
		}
		if err := r.limitParts(ctx); err != nil {
			return err
		}
		r.storeTime += time.Since(started)
	}
	if err := ctx.Err(); err != nil || r.shard.scattered() {
		return err
	}
	started := time.Now()
	defer func() { r.storeTime += time.Since(started) }()
	return r.shard.mergeDueSegments(ctx)
}

// limitParts merges segments if there are maxParts.
func (r *updateRun) limitParts(ctx context.Context) error {
	if len(r.shard.current.parts) < maxParts {
		return nil
	}
	return r.shard.mergeDueSegments(ctx)
}
