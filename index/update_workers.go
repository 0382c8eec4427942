package index

import (
	"context"
	"errors"
	"io/fs"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"ploke-lsp/index/postings"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/internal/workspace"
)

// readResult is what a worker found out about a file.
type readResult struct {
	changedFile
	skip      string // why it is not indexed
	gone      bool   // it no longer exists, or has an unsaved text
	unchanged bool   // its text is already indexed
	parsed
	doc *postings.Document
}

// parsed is what is stored about a text.
type parsed struct {
	hash     string
	lines    int
	language string
	symbols  []byte // see encodeSymbols
	refs     []byte // see encodeReferences

	symbolCount, refCount, problems int
}

func (p *parsed) set(f *syntax.File) {
	p.language, p.problems = f.Language, f.ProblemCount
	p.symbols, p.symbolCount = encodeSymbols(f.Symbols), len(f.Symbols)
	p.refs, p.refCount = encodeReferences(f), len(f.Refs)
}

// largeFile is the size in bytes from which a file is parsed by the first worker only,
// before all others: its syntax tree takes fifty times the size of its text.
const largeFile = 1 << 20

// startWorkers starts a worker for each processor. results is closed when the plan is
// done, indexing is paused, or ctx ends.
func (r *updateRun) startWorkers(ctx context.Context, g *errgroup.Group) (results <-chan readResult) {
	jobs := &workQueue{gate: &r.index.gate}
	for _, c := range r.plan.read {
		if c.size >= largeFile {
			jobs.large = append(jobs.large, c)
		} else {
			jobs.small = append(jobs.small, c)
		}
	}
	out := make(chan readResult, 4*runtime.GOMAXPROCS(0))
	workers, working := errgroup.WithContext(ctx)
	for n := range min(runtime.GOMAXPROCS(0), len(r.plan.read)) {
		workers.Go(func() error {
			lowerPriority()
			w := &worker{updateRun: r, out: out}
			return w.work(working, jobs, n == 0)
		})
	}
	g.Go(func() error {
		defer close(out)
		return workers.Wait()
	})
	return out
}

// workQueue holds the files of a plan. A channel would have to wake a worker for each
// file.
type workQueue struct {
	gate         *pauseGate
	large, small []changedFile
	nextLarge    atomic.Int64
	nextSmall    atomic.Int64
}

// next returns the next file. ok is false if there is none, or indexing is paused. Only
// one worker may ask for large files.
func (j *workQueue) next(large bool) (c changedFile, ok bool) {
	if j.gate.closed() {
		return c, false
	}
	if large {
		if n := j.nextLarge.Add(1) - 1; n < int64(len(j.large)) {
			return j.large[n], true
		}
	}
	n := j.nextSmall.Add(1) - 1
	if n >= int64(len(j.small)) {
		return c, false
	}
	return j.small[n], true
}

// worker reads and analyzes files one at a time.
type worker struct {
	*updateRun
	parser   syntax.Parser
	analyzer postings.Analyzer
	out      chan<- readResult
}

func (w *worker) work(ctx context.Context, jobs *workQueue, large bool) error {
	for {
		c, ok := jobs.next(large)
		if !ok {
			return nil
		}
		if err := w.process(ctx, c); err != nil {
			return err
		}
	}
}

func (w *worker) process(ctx context.Context, c changedFile) error {
	found, err := w.read(ctx, c)
	if err != nil {
		return err
	}
	select {
	case w.out <- found:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// read fails only if the index can't be read, or ctx ends.
func (w *worker) read(ctx context.Context, c changedFile) (readResult, error) {
	f, err := w.index.ws.Read(ctx, c.path)
	if err != nil {
		return w.unread(c, err), ctx.Err()
	}
	if f.Open {
		return readResult{changedFile: c, gone: true}, nil
	}
	if c.old != nil {
		hash, err := w.shard.hashOf(ctx, c.old.id)
		if err != nil {
			return readResult{}, err
		}
		if hash == f.Hash {
			return readResult{changedFile: c, unchanged: true}, nil
		}
	}
	if skip := workspace.Classify(f.Text); skip != "" {
		return readResult{changedFile: c, skip: string(skip), parsed: parsed{hash: f.Hash}}, nil
	}
	found := readResult{changedFile: c, parsed: parsed{hash: f.Hash, lines: countLines(f.Text)}}
	file, doc := analyze(&w.analyzer, w.parser.Parse, c.rel, f.Text)
	found.doc = doc
	found.set(file)
	return found, nil
}

// unread returns why a file can't be read.
func (w *worker) unread(c changedFile, err error) readResult {
	var skipped *workspace.SkippedError
	open, _ := w.index.ws.IsOpen(c.path)
	switch {
	case errors.Is(err, fs.ErrNotExist), open:
		return readResult{changedFile: c, gone: true}
	case errors.As(err, &skipped):
		return readResult{changedFile: c, skip: string(skipped.Skip)}
	}
	w.index.log.Info("a file can't be read", "path", c.path, "error", err)
	return readResult{changedFile: c, skip: string(workspace.Unreadable)}
}
