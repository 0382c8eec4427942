package index

import (
	"context"
	"errors"
	"io/fs"
	"runtime"

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

// groupFiles and groupBytes bound the results that a worker hands over together. Handing over
// each alone would cost two switches of threads for each file.
const (
	groupFiles = 32
	groupBytes = 256 << 10 // of the files
)

// startWorkers starts a worker for each processor. results is closed when the plan is
// done, indexing is paused, or ctx ends.
func (r *updateRun) startWorkers(ctx context.Context, g *errgroup.Group) (results <-chan []readResult) {
	queue := newWorkQueue(&r.index.gate, r.plan.read)
	out := make(chan []readResult, runtime.GOMAXPROCS(0))
	workers, working := errgroup.WithContext(ctx)
	for range min(runtime.GOMAXPROCS(0), len(r.plan.read)) {
		workers.Go(func() error {
			lowerPriority()
			w := &worker{updateRun: r, out: out}
			return w.work(working, queue)
		})
	}
	g.Go(func() error {
		defer close(out)
		return workers.Wait()
	})
	return out
}

// worker reads and analyzes files one at a time.
type worker struct {
	*updateRun
	parser   syntax.Parser
	analyzer postings.Analyzer
	out      chan<- []readResult
	group    []readResult // that were not handed over yet
	bytes    int64        // of the files of group
}

func (w *worker) work(ctx context.Context, queue *workQueue) error {
	for c, ok := queue.next(); ok; c, ok = queue.next() {
		found, err := w.read(ctx, c)
		queue.done(c)
		if err != nil {
			return err
		}
		if err := w.finished(ctx, found); err != nil {
			return err
		}
	}
	return w.handOver(ctx)
}

// finished adds a result to the group.
func (w *worker) finished(ctx context.Context, found readResult) error {
	w.group = append(w.group, found)
	w.bytes += found.size
	if len(w.group) < groupFiles && w.bytes < groupBytes {
		return nil
	}
	return w.handOver(ctx)
}

// handOver hands the group over to the collector.
func (w *worker) handOver(ctx context.Context) error {
	select {
	case w.out <- w.group:
		w.group, w.bytes = nil, 0
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
