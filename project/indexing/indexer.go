package indexing

import (
	"context"
	"errors"
	"sync"
	"time"

	"ploke-lsp/internal/wake"
)

const (
	// maxSingleFiles is how many changed paths are read one by one. With more of
	// them, as after a change of branch, one scan of everything is cheaper.
	maxSingleFiles = 300
	// refreshTimeout is how long a turn waits for the index.
	refreshTimeout = 5 * time.Second
)

// An Indexer keeps the index up to date with the disk. One goroutine does all of
// it, in the order of the requests. It ignores unsaved text, which the
// [Debouncer] handles, so a keystroke never waits for the disk.
//
// It scans the disk when the project opens, when a folder is added, when a person asks
// for it, and when [freshness] says so, which is asked before each turn and whenever
// the person does something: opening or saving a file, asking for code actions,
// searching. LSP has no event for the focus. In between, files are read whose changes
// are reported.
//
// A failure is reported once, and retried at the next turn or save. When a query
// comes upon damage to the index, a scan builds the index again.
type Indexer struct {
	Options
	display   *indexDisplay
	freshness freshness

	stop        context.CancelFunc
	done        sync.WaitGroup
	wake        chan struct{}
	rootChanges wake.Broadcast
	firstScan   chan struct{} // closed when the first scan has ended

	mu        sync.Mutex // guards what follows
	pending   request
	running   bool               // a request runs that is necessary
	interrupt context.CancelFunc // ends the request that runs; nil if none does
	scanned   bool               // the first scan has ended
	failure   string             // of the last scan; empty if it succeeded
	paused    chan struct{}      // closed while the person has paused the indexing
}

// request is what the indexer has to do next.
type request struct {
	roots   bool // the workspace has other folders than the index
	scan    bool
	verify  bool                // a scan in case something was not reported; no caller waits for it
	rebuild bool                // the scan reads every file
	visible bool                // the scan is shown even if it finds no changes
	files   map[string]struct{} // that may have changed
	waiting []chan struct{}     // closed once the request is done
}

func (r *request) empty() bool { return !r.necessary() && !r.verify && len(r.waiting) == 0 }

// necessary reports whether something is known to have changed.
func (r *request) necessary() bool { return r.roots || r.scan || len(r.files) > 0 }

// urgent reports whether the request holds more than what waits until the disk is
// quiet.
func (r *request) urgent() bool { return r.roots || r.scan || len(r.waiting) > 0 }

// Start starts an indexer, which scans at once.
func Start(o Options) *Indexer {
	ctx, stop := context.WithCancel(context.Background())
	i := &Indexer{
		Options: o,
		stop:    stop, wake: make(chan struct{}, 1),
		firstScan: make(chan struct{}),
		pending:   request{files: map[string]struct{}{}},
		paused:    make(chan struct{}),
		freshness: freshness{oneScan: o.OneScan},
	}
	i.display = newIndexDisplay(o, i.Cancelled)
	o.Index.OnDamage(i.rescan) // which builds the index again
	indexed := o.Workspace.Roots()
	i.request(func(r *request) { r.scan, r.visible = true, true })
	i.done.Go(func() { i.loop(ctx, indexed) })
	i.done.Go(func() { i.display.loop(ctx) })
	i.done.Go(func() { i.verifyNowAndThen(ctx) })
	return i
}

// Close stops what runs and waits for it.
func (i *Indexer) Close() {
	i.stop()
	i.done.Wait()
}

// request adds to what the indexer has to do.
func (i *Indexer) request(add func(*request)) {
	i.mu.Lock()
	add(&i.pending)
	i.mu.Unlock()
	wake.Up(i.wake)
}

// rescan requests a scan of everything.
func (i *Indexer) rescan() { i.request(func(r *request) { r.scan = true }) }

// Rebuild requests that every file is read again, instead of what runs now. It
// ends a pause.
func (i *Indexer) Rebuild() {
	i.Resume()
	i.restart()
	i.request(func(r *request) { r.scan, r.rebuild, r.visible = true, true, true })
}

// restart interrupts the request that runs. It is done again, with whatever is
// requested next.
func (i *Indexer) restart() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.interrupt != nil {
		i.interrupt()
	}
}

func (i *Indexer) setInterrupt(f context.CancelFunc) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.interrupt = f
}

// Saved notes that a file was saved.
func (i *Indexer) Saved(path string) {
	i.DiskChanged(path)
	i.request(func(r *request) { r.scan = r.scan || i.failure != "" })
	i.Active()
}

// AwaitFirst waits for the end of the first scan, but not longer than until a time, nor while the person has
// paused the indexing.
func (i *Indexer) AwaitFirst(ctx context.Context, until time.Time) {
	i.mu.Lock()
	paused := i.paused
	i.mu.Unlock()
	timeout := time.NewTimer(time.Until(until))
	defer timeout.Stop()
	select {
	case <-i.firstScan:
	case <-paused:
	case <-timeout.C:
	case <-ctx.Done():
	}
}

// Refresh brings the index up to date for a turn: it waits for the first scan, until
// changes that were reported are indexed, and for a scan if one is needed. It does not
// wait while the person has paused the indexing. The end of the time is an error only
// after the first scan: before it, each result says that the index is being built.
func (i *Indexer) Refresh(ctx context.Context) error {
	until := time.Now().Add(refreshTimeout)
	i.AwaitFirst(ctx, until)
	i.Active()
	scan := i.TurnNeedsScan()
	done := make(chan struct{})
	i.mu.Lock()
	scanned, paused := i.scanned, i.paused
	wait := scanned && (scan || i.running || i.pending.necessary())
	i.mu.Unlock()
	if !wait {
		return nil
	}
	i.request(func(r *request) { r.scan, r.waiting = r.scan || scan, append(r.waiting, done) })
	timeout := time.NewTimer(time.Until(until))
	defer timeout.Stop()
	select {
	case <-done:
	case <-paused:
		return nil
	case <-timeout.C:
		return errors.New("the scan takes longer than a turn waits")
	case <-ctx.Done():
		return ctx.Err()
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.failure != "" {
		return errors.New(i.failure)
	}
	return nil
}

// TurnNeedsScan reports whether a turn would begin with a scan.
func (i *Indexer) TurnNeedsScan() bool { return i.freshness.turnNeedsScan(i.Workspace.Roots()) }

// ScannedOnce returns a channel that is closed when the first scan has ended.
func (i *Indexer) ScannedOnce() <-chan struct{} { return i.firstScan }

// Reconfigured scans again after settings have changed that say which files there are. Other
// folders may have to be watched.
func (i *Indexer) Reconfigured() {
	i.restart()
	i.rescan()
	i.rootChanges.Announce()
}

// Pause stops the indexing until resume. Doing so again changes nothing.
func (i *Indexer) Pause() {
	i.Index.Pause()
	i.mu.Lock()
	select {
	case <-i.paused:
	default:
		close(i.paused)
	}
	i.mu.Unlock()
	i.display.update()
}

// Resume ends a pause. Without one it changes nothing.
func (i *Indexer) Resume() {
	i.Index.Resume()
	i.mu.Lock()
	select {
	case <-i.paused:
		i.paused = make(chan struct{})
	default:
	}
	i.mu.Unlock()
	i.display.update()
}

// Cancelled pauses for the person who cancelled the progress, and says so: the
// editor may not show the state of the index.
func (i *Indexer) Cancelled() {
	i.Pause()
	i.FrontEnd.ShowInfo("indexing is paused, and searches use what is indexed; " + i.ResumeHint)
}
