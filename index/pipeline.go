package index

import (
	"context"
	"errors"
	"io/fs"
	"runtime"
	"sync"
	"time"

	"ploke-lsp/index/postings"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/internal/workspace"
)

// run carries out a plan: workers read and parse, and the caller's goroutine stores.
type run struct {
	index    *Index
	shard    *shard
	plan     *plan
	progress func(Progress)

	files   int // parsed
	symbols int
	parsing time.Duration
	storing time.Duration
}

// reading is what a worker found out about a file.
type reading struct {
	candidate
	skip string // why it is not indexed
	gone bool   // it went away, or its text is an unsaved buffer's
	same bool   // its text is the one that is indexed
	parsed
	doc *postings.Document
}

// parsed is what is stored of a text.
type parsed struct {
	hash     string
	lines    int
	language string
	symbols  []byte // see encodeSymbols
	refs     []byte // see encodeRefs

	symbolCount, refCount, problems int
}

func (p *parsed) take(f *syntax.File) {
	p.language, p.problems = f.Language, f.ProblemCount
	p.symbols, p.symbolCount = encodeSymbols(f.Symbols), len(f.Symbols)
	p.refs, p.refCount = encodeRefs(f.Refs), len(f.Refs)
}

// progressEvery is how many files pass between two reports.
const progressEvery = 32

// apply carries out the plan and commits it in batches.
func (r *run) apply(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	started := time.Now()
	b, err := newBatch(ctx, r.shard)
	if err != nil {
		return err
	}
	b.gone = r.plan.gone
	done := r.plan.total - len(r.plan.read)
	r.report(done)
	results, wait := r.start(ctx)
	defer wait()
	defer cancel()
	for result := range results {
		r.add(b, result)
		if done++; done%progressEvery == 0 {
			r.report(done)
		}
		if b.full() {
			if err := r.commit(ctx, b); err != nil {
				return err
			}
			if b, err = newBatch(ctx, r.shard); err != nil {
				return err
			}
		}
	}
	r.parsing = time.Since(started)
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := r.commit(ctx, b); err != nil {
		return err
	}
	r.report(r.plan.total)
	return nil
}

func (r *run) report(files int) {
	r.progress(Progress{Root: r.shard.root, Files: min(files, r.plan.total), TotalFiles: r.plan.total, Symbols: r.symbols})
}

func (r *run) commit(ctx context.Context, b *batch) error {
	started := time.Now()
	defer func() { r.storing += time.Since(started) }()
	return b.commit(ctx)
}

// add puts a file into the batch, unless it can't be read now.
func (r *run) add(b *batch, f reading) {
	started := time.Now()
	defer func() { r.storing += time.Since(started) }()
	switch {
	case f.gone:
	case f.same:
		b.touch(f, r.plan.stamp(f.candidate))
	case f.skip == string(workspace.Binary) || f.skip == string(workspace.Minified):
		b.add(f, r.plan.stamp(f.candidate))
	case f.skip != "":
		r.plan.skipped[f.skip]++
		b.forget(f.old)
	default:
		r.files++
		r.symbols += f.symbolCount
		b.add(f, r.plan.stamp(f.candidate))
	}
}

// start starts the workers. They end when the plan is done or ctx ends; wait waits
// for them.
func (r *run) start(ctx context.Context) (results <-chan reading, wait func()) {
	jobs := make(chan candidate)
	out := make(chan reading, 2*runtime.GOMAXPROCS(0))
	var feeding, workers sync.WaitGroup
	feeding.Go(func() {
		defer close(jobs)
		for _, c := range r.plan.read {
			select {
			case jobs <- c:
			case <-ctx.Done():
				return
			}
		}
	})
	for range min(runtime.GOMAXPROCS(0), len(r.plan.read)) {
		workers.Go(func() {
			var a postings.Analyzer
			for c := range jobs {
				select {
				case out <- r.index.read(ctx, &a, c):
				case <-ctx.Done():
					return
				}
			}
		})
	}
	feeding.Go(func() {
		workers.Wait()
		close(out)
	})
	return out, feeding.Wait
}

// largeFile is the size from which files are analyzed one at a time: the tree of one
// takes fifty times its text.
const largeFile = 1 << 20

// read reads and analyzes one file.
func (x *Index) read(ctx context.Context, a *postings.Analyzer, c candidate) reading {
	if c.size >= largeFile {
		x.large.Lock()
		defer x.large.Unlock()
	}
	f, err := x.ws.Read(ctx, c.path)
	if err != nil {
		return x.unread(ctx, c, err)
	}
	if f.Open {
		return reading{candidate: c, gone: true}
	}
	if c.old != nil && c.old.hash == f.Hash && !c.force {
		return reading{candidate: c, same: true}
	}
	if skip := workspace.Classify(f.Text); skip != "" {
		return reading{candidate: c, skip: string(skip), parsed: parsed{hash: f.Hash}}
	}
	r := reading{candidate: c, parsed: parsed{hash: f.Hash, lines: countLines(f.Text)}}
	file, doc := analyze(a, c.rel, f.Text)
	r.doc = doc
	r.take(file)
	return r
}

// unread says why a file can't be read.
func (x *Index) unread(ctx context.Context, c candidate, err error) reading {
	var skipped *workspace.SkippedError
	switch {
	case ctx.Err() != nil || errors.Is(err, fs.ErrNotExist):
		return reading{candidate: c, gone: true}
	case errors.As(err, &skipped):
		return reading{candidate: c, skip: string(skipped.Skip)}
	}
	x.log.Info("a file can't be read", "path", c.path, "error", err)
	return reading{candidate: c, skip: string(workspace.Unreadable)}
}
