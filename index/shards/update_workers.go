package shards

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"runtime"

	"golang.org/x/sync/errgroup"

	"ploke-lsp/index/postings"
	"ploke-lsp/index/records"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/internal/workspace"
)

// readResult is what a worker found out about a file.
type readResult struct {
	changedFile
	id        int64          // its new one
	skip      workspace.Skip // why it is not indexed
	gone      bool           // it no longer exists, or has an unsaved text
	unchanged bool           // its text is already indexed
	parsedText
}

// parsedText is what is stored about a text.
type parsedText struct {
	hash     string
	start    int // see FileRow
	lines    int
	language string
	symbols  []byte // see records.EncodeSymbols
	refs     []byte // see records.EncodeReferences

	symbolCount, refCount, problems int
}

func (p *parsedText) set(f *syntax.File) {
	p.language, p.problems = f.Language, f.ProblemCount
	p.symbols, p.symbolCount = records.EncodeSymbols(f.Symbols), len(f.Symbols)
	p.refs, p.refCount = records.EncodeReferences(f), len(f.Refs)
}

// bytesPerWorker is how much there is to read for each worker. Less is not worth a worker, nor the
// segment that it writes.
const bytesPerWorker = 64 << 10

// workers returns how many workers a plan is worth.
func (p *updatePlan) workers() int {
	bytes := int64(0)
	for _, c := range p.read {
		bytes += c.size
	}
	return min(runtime.GOMAXPROCS(0), 1+int(bytes/bytesPerWorker))
}

// startWorkers starts a worker for each processor, fewer for small plans. found and batches are closed when the plan is
// done, indexing is paused, or ctx ends. The receiver of a batch commits or discards it.
func (r *updateRun) startWorkers(ctx context.Context,
	g *errgroup.Group) (found <-chan fileCounts, batches <-chan *batch) {
	count := r.plan.workers()
	queue := newWorkQueue(&r.index.gate, r.plan.read, count, r.openFolders())
	counted, filled := make(chan fileCounts, runtime.GOMAXPROCS(0)), make(chan *batch)
	deleted := r.plan.deleted
	workers, working := errgroup.WithContext(ctx)
	for range count {
		w := &worker{updateRun: r, counted: counted, batches: filled, batch: &batch{deleted: deleted}}
		deleted = nil // the first worker's
		workers.Go(func() error {
			lowerPriority()
			return w.work(working, queue)
		})
	}
	g.Go(func() error {
		defer close(filled)
		defer close(counted)
		return workers.Wait()
	})
	return counted, filled
}

// openFolders returns the folders of the documents that are open, by root-relative path.
func (r *updateRun) openFolders() map[string]bool {
	folders := map[string]bool{}
	for _, name := range r.index.ws.OpenFiles() {
		if r.index.shardOf(name) == r.shard {
			folders[path.Dir(r.shard.Rel(name))] = true
		}
	}
	return folders
}

// worker reads and analyzes files one at a time.
type worker struct {
	*updateRun
	parser  syntax.Parser
	posts   postings.Builder
	batch   *batch
	batches chan<- *batch
	counts  fileCounts // that was not handed over yet
	counted chan<- fileCounts
}

func (w *worker) work(ctx context.Context, queue *workQueue) error {
	for c, ok := queue.next(); ok; c, ok = queue.next() {
		found, err := w.read(ctx, c)
		queue.done(c)
		if err != nil {
			return err
		}
		w.add(found)
		if err := w.handOverSome(ctx); err != nil {
			return err
		}
	}
	if err := w.handOverCounts(ctx); err != nil {
		return err
	}
	return w.handOverBatch(ctx)
}

// add adds a file to the batch, unless it can't be read now.
func (w *worker) add(f readResult) {
	w.counts.files++
	w.counts.bytes += f.size
	w.counts.symbols += f.symbolCount
	switch {
	case f.gone:
	case f.unchanged:
		w.batch.touch(f, w.plan.trustedModTime(f.changedFile))
	case f.skip == workspace.Binary || f.skip == workspace.Minified:
		w.batch.add(f, w.plan.trustedModTime(f.changedFile))
	case f.skip != "":
		w.counts.skipped = append(w.counts.skipped, f.skip)
		w.batch.forget(f.old)
	default:
		w.counts.parsed++
		modified := w.plan.trustedModTime(f.changedFile)
		w.batch.add(f, modified)
		w.posts.Store(f.record(modified), f.refs)
	}
}

// countedFiles and countedBytes bound the files that are counted together. Handing over each alone would cost a
// switch of threads for each file.
const (
	countedFiles = 32
	countedBytes = 256 << 10 // of the files
)

// handOverSome hands over the counts and the batch if they are large enough.
func (w *worker) handOverSome(ctx context.Context) error {
	if w.counts.files >= countedFiles || w.counts.bytes >= countedBytes {
		if err := w.handOverCounts(ctx); err != nil {
			return err
		}
	}
	if w.posts.Full() || w.posts.Size() > batchBytes {
		return w.handOverBatch(ctx)
	}
	return nil
}

func (w *worker) handOverCounts(ctx context.Context) error {
	select {
	case w.counted <- w.counts:
		w.counts = fileCounts{}
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// handOverBatch hands over the batch to be committed, and begins the next one.
func (w *worker) handOverBatch(ctx context.Context) error {
	if w.batch.empty() {
		return nil
	}
	if err := w.batch.writePostings(w.shard, &w.posts); err != nil {
		return err
	}
	select {
	case w.batches <- w.batch:
		w.batch = &batch{}
		return nil
	case <-ctx.Done():
		w.batch.discard()
		return ctx.Err()
	}
}

// isIndexed reports whether the shard has a file with the text of that hash.
func (w *worker) isIndexed(ctx context.Context, c changedFile, hash string) (bool, error) {
	if c.old == nil {
		return false, nil
	}
	indexed, err := w.shard.hashOf(ctx, c.old.id)
	return indexed == hash, err
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
	same, err := w.isIndexed(ctx, c, f.Hash)
	if err != nil {
		return readResult{}, err
	}
	if same {
		return readResult{changedFile: c, unchanged: true}, nil
	}
	if skip := workspace.Classify(f.Text); skip != "" {
		return readResult{changedFile: c, id: w.lastID.Add(1), skip: skip, parsedText: parsedText{hash: f.Hash}}, nil
	}
	found := readResult{changedFile: c, id: w.lastID.Add(1),
		parsedText: parsedText{hash: f.Hash, start: startOf(f, c), lines: countLines(f.Text)}}
	found.set(analyze(&w.posts, w.parser.Parse, found.id, c.rel, f.Text))
	return found, nil
}

// startOf returns where the text of a file begins in it, -1 if the file stores it in another encoding.
func startOf(f *workspace.File, c changedFile) int {
	if plain, ok := f.Plain(c.size, c.modified); ok {
		return int(plain.Start)
	}
	return -1
}

// unread returns why a file can't be read.
func (w *worker) unread(c changedFile, err error) readResult {
	var skipped *workspace.SkippedError
	open, _ := w.index.ws.IsOpen(c.path)
	switch {
	case errors.Is(err, fs.ErrNotExist), open:
		return readResult{changedFile: c, gone: true}
	case errors.As(err, &skipped):
		return readResult{changedFile: c, skip: skipped.Skip}
	}
	w.index.log.Info("a file can't be read", "path", c.path, "error", err)
	return readResult{changedFile: c, skip: workspace.Unreadable}
}
