package indexing

import (
	"context"
	"log/slog"
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"ploke-lsp/index"
	"ploke-lsp/internal/wake"
)

// debounceQuiet is how long a document, or the disk, must be quiet before it is
// indexed. DebounceLimit is after how long it is indexed even if it never is.
const (
	debounceQuiet = 150 * time.Millisecond
	DebounceLimit = 2 * time.Second
)

// A Debouncer gives the index the unsaved text of open documents, once they are
// quiet for a moment, or IndexUnsaved asks for it. It never waits for the disk, and
// nothing else waits for it.
type Debouncer struct {
	index *index.Index
	log   *slog.Logger

	stop context.CancelFunc
	done sync.WaitGroup
	wake chan struct{}

	applying sync.Mutex // held while texts go to the index, which keeps their order

	mu      sync.Mutex
	pending map[string]struct{} // paths whose text the index does not have
}

// StartDebouncer starts a debouncer. wait waits for a signal and for as long as texts must be
// quiet, and returns false when ctx ends.
func StartDebouncer(x *index.Index, log *slog.Logger,
	wait func(ctx context.Context, signals <-chan struct{}) bool) *Debouncer {
	ctx, stop := context.WithCancel(context.Background())
	d := &Debouncer{
		index: x, log: log, stop: stop, wake: make(chan struct{}, 1),
		pending: map[string]struct{}{},
	}
	d.done.Go(func() {
		for wait(ctx, d.wake) {
			_ = d.Flush(ctx) // it fails only when ctx ends
		}
	})
	return d
}

// Close stops the goroutine and waits for it.
func (d *Debouncer) Close() {
	d.stop()
	d.done.Wait()
}

// Changed notes that the workspace has another unsaved text for path.
func (d *Debouncer) Changed(path string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.pending[path] = struct{}{}
	wake.Up(d.wake)
}

// Hide takes a text that is not known any more out of the index, at once.
func (d *Debouncer) Hide(path string) {
	if err := d.index.HideBuffer(path); err != nil {
		d.log.Error("a text that is not known any more is still searched", "error", err)
	}
	d.Changed(path)
}

// Closed makes the disk's text count again, at once. What the index keeps for the next
// keystroke is released with the pending texts, for which no caller waits.
func (d *Debouncer) Closed(path string) {
	d.index.DropBuffer(path)
	d.Changed(path)
}

// Flush gives the index the texts that are pending when it begins. What is typed meanwhile is left for the
// next time: a large text takes longer to index than the next key takes to come. It fails only when ctx
// ends; the rest stays pending.
func (d *Debouncer) Flush(ctx context.Context) error {
	d.applying.Lock()
	defer d.applying.Unlock()
	paths := d.take()
	for i, path := range paths {
		err := d.index.SyncBuffer(ctx, path)
		switch {
		case ctx.Err() != nil:
			for _, left := range paths[i:] {
				d.Changed(left)
			}
			return ctx.Err()
		case err != nil:
			d.log.Error("unsaved text was not indexed", "error", err)
		}
	}
	return nil
}

// take takes the pending paths.
func (d *Debouncer) take() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	paths := slices.Collect(maps.Keys(d.pending))
	clear(d.pending)
	return paths
}

// Debounce waits for a signal, and then until no more come for a moment or it has waited for
// two seconds. It returns false when ctx ends.
func Debounce(ctx context.Context, signals <-chan struct{}) bool {
	return debounce(ctx, signals, DebounceLimit, func() bool { return false })
}

// Quiet is Debounce without the two seconds.
func Quiet(ctx context.Context, signals <-chan struct{}) bool {
	return debounce(ctx, signals, math.MaxInt64, func() bool { return false })
}

// debounce waits for a signal, and then until no more signals come for a moment, it has waited for most, or the
// matter is urgent. It returns false when ctx ends.
func debounce(ctx context.Context, signals <-chan struct{}, most time.Duration, urgent func() bool) bool {
	select {
	case <-signals:
	case <-ctx.Done():
		return false
	}
	limit, quiet := time.NewTimer(most), time.NewTimer(debounceQuiet)
	defer limit.Stop()
	defer quiet.Stop()
	for !urgent() {
		select {
		case <-signals:
			quiet.Reset(debounceQuiet)
		case <-quiet.C:
			return true
		case <-limit.C:
			return true
		case <-ctx.Done():
			return false
		}
	}
	return true
}
