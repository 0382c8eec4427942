package lsp

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"go.lsp.dev/protocol"

	"ploke-lsp/index"
	"ploke-lsp/internal/workspace"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/bus"
)

// burst is how many changed paths are looked at one by one. With more of them,
// as after a change of branch, one scan of everything is cheaper.
const burst = 300

// quiet is for how long the disk is taken to be as it was last seen, where the
// client does not watch it.
const quiet = 5 * time.Second

// turnPatience is how long a turn waits for the scan that precedes it.
const turnPatience = 5 * time.Second

// An indexer makes the index follow the disk: one goroutine does all of it, in
// the order in which it is asked for. What is typed is none of its business, see
// [typing], so that a keystroke never waits for the disk.
//
// The disk is looked at when the server starts, when a folder is added, at each
// turn, and when a person asks for it. In between, the client's watchers tell
// what changes. Where it has none, the disk is looked at when the person does
// something in the editor after a while: LSP has no event for the focus, so
// opening or saving a file, asking for code actions, and searching stand for it.
//
// A failure is told once, and tried again at the next turn or save.
type indexer struct {
	index     *index.Index
	workspace *workspace.Workspace
	vectors   *vectors
	bus       *bus.Bus
	client    *client
	log       *slog.Logger
	display   *display
	watcher   *watcher

	stop context.CancelFunc
	done sync.WaitGroup
	wake chan struct{}

	mu        sync.Mutex // guards what follows
	due       work
	interrupt context.CancelFunc // ends what is being done; nil if nothing is
	looked    bool               // the first scan has ended
	seen      time.Time          // the end of the last scan
	failure   string             // of the last scan; empty if it went well
	paused    chan struct{}      // closed while the person has paused the indexing
}

// work is what is to be done next.
type work struct {
	folders bool // the workspace has other folders than the index
	scan    bool
	rebuild bool                // the scan reads every file
	shown   bool                // the scan is shown whatever it finds
	files   map[string]struct{} // that may have changed
	waiting []chan struct{}     // closed once it is done
}

func (w *work) empty() bool { return !w.urgent() && len(w.files) == 0 }

// urgent reports whether there is more to do than files that had better rest
// for a moment.
func (w *work) urgent() bool { return w.folders || w.scan }

func startIndexer(p *project, c *client, log *slog.Logger) *indexer {
	ctx, stop := context.WithCancel(context.Background())
	i := &indexer{
		index: p.index, workspace: p.workspace, vectors: p.vectors, bus: p.bus, client: c, log: log,
		stop: stop, wake: make(chan struct{}, 1),
		due:    work{files: map[string]struct{}{}},
		paused: make(chan struct{}),
	}
	i.display = newDisplay(c, p.bus, p.index, i.cancelled)
	i.watcher = newWatcher(c, p.workspace, log, i.rescan)
	known := p.workspace.Roots()
	i.want(func(w *work) { w.scan, w.shown = true, true })
	i.done.Go(func() { i.loop(ctx, known) })
	i.done.Go(func() { i.display.loop(ctx) })
	i.done.Go(func() { i.watcher.loop(ctx) })
	return i
}

// close stops what runs and waits for it.
func (i *indexer) close() {
	i.stop()
	i.done.Wait()
}

// signal wakes the reader of a channel with room for one.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// want adds to what is to be done.
func (i *indexer) want(add func(*work)) {
	i.mu.Lock()
	add(&i.due)
	i.mu.Unlock()
	signal(i.wake)
}

// rescan asks for a look at everything.
func (i *indexer) rescan() { i.want(func(w *work) { w.scan = true }) }

// rebuild asks for every file to be read again, instead of what is being done.
// It ends a pause.
func (i *indexer) rebuild() {
	i.resume()
	i.startOver()
	i.want(func(w *work) { w.scan, w.rebuild, w.shown = true, true, true })
}

// foldersChanged makes the index hold the folders of the workspace.
func (i *indexer) foldersChanged() {
	i.startOver() // of a folder that may be gone; it begins again
	i.want(func(w *work) { w.folders, w.scan = true, true })
	i.watcher.update()
}

// startOver interrupts what is being done; it is done after what is wanted next.
func (i *indexer) startOver() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.interrupt != nil {
		i.interrupt()
	}
}

func (i *indexer) setInterrupt(f context.CancelFunc) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.interrupt = f
}

// diskChanged notes files and folders that may have changed. After a failure it
// does nothing, since the next scan looks at everything.
func (i *indexer) diskChanged(paths ...string) {
	i.want(func(w *work) {
		if i.failure == "" {
			for _, path := range paths {
				w.files[path] = struct{}{}
			}
		}
	})
}

// saved notes that a file was saved.
func (i *indexer) saved(path string) {
	i.diskChanged(path)
	i.want(func(w *work) { w.scan = w.scan || i.failure != "" })
	i.active()
}

// active notes that the person does something.
func (i *indexer) active() {
	if i.watcher.watching.Load() {
		return
	}
	i.want(func(w *work) { w.scan = w.scan || i.looked && time.Since(i.seen) > quiet })
}

// fresh makes the index as fresh as a turn wants it. It does not wait for the
// first indexing, nor while the person has paused it.
func (i *indexer) fresh(ctx context.Context) error {
	done := make(chan struct{})
	i.mu.Lock()
	looked, paused := i.looked, i.paused
	i.mu.Unlock()
	if !looked {
		return nil
	}
	i.want(func(w *work) { w.scan, w.waiting = true, append(w.waiting, done) })
	limit := time.NewTimer(turnPatience)
	defer limit.Stop()
	select {
	case <-done:
	case <-paused:
		return nil
	case <-limit.C:
		return errors.New("looking for them takes longer than a turn waits")
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

// loop does what is wanted until ctx ends. known are the folders of the index.
func (i *indexer) loop(ctx context.Context, known []string) {
	for {
		if !awaitRest(ctx, i.wake, i.urgent) {
			return
		}
		i.mu.Lock()
		w := i.due
		i.due = work{files: map[string]struct{}{}}
		i.mu.Unlock()
		if w.empty() {
			continue
		}
		if w.folders {
			known = i.follow(ctx, known)
		}
		i.do(ctx, &w)
		for _, done := range w.waiting {
			close(done)
		}
	}
}

// do looks at the disk. When that is interrupted, all of it is wanted again.
func (i *indexer) do(ctx context.Context, w *work) {
	running, cancel := context.WithCancel(ctx)
	defer cancel()
	i.setInterrupt(cancel)
	defer i.setInterrupt(nil)
	err := i.look(running, w)
	switch {
	case ctx.Err() != nil:
	case running.Err() != nil:
		i.display.end("stopped, to begin again")
		i.want(func(due *work) {
			due.scan, due.shown, due.rebuild = true, due.shown || w.shown, due.rebuild || w.rebuild
			due.waiting = append(due.waiting, w.waiting...)
			w.waiting = nil
		})
	case err != nil:
		i.failed(err)
	default:
		i.succeeded(w)
	}
}

// look brings the index up to date: all of it, or with single files.
func (i *indexer) look(ctx context.Context, w *work) error {
	if !w.scan && len(w.files) <= burst {
		return i.index.Refresh(ctx, slices.Sorted(maps.Keys(w.files)))
	}
	w.scan = true
	if w.shown {
		i.display.begin()
	}
	update := i.index.Update
	if w.rebuild {
		update = i.index.Rebuild
	}
	_, err := update(ctx, i.display.report)
	return err
}

func (i *indexer) urgent() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.due.urgent()
}

// follow opens and closes indexes so that there is one for each folder of the
// workspace, and returns the folders that have one.
func (i *indexer) follow(ctx context.Context, known []string) []string {
	roots := i.workspace.Roots()
	for _, root := range known {
		if slices.Contains(roots, root) {
			continue
		}
		if err := i.index.RemoveRoot(root); err != nil {
			i.log.Error("closing the index of a folder", "folder", root, "error", err)
		}
	}
	var open []string
	for _, root := range roots {
		if err := i.index.AddRoot(ctx, root); err != nil {
			i.workspace.RemoveRoot(root)
			i.client.showMessage(protocol.MessageTypeError, "ploke: the folder %s could not be opened: %v", root, err)
			continue
		}
		open = append(open, root)
	}
	return open
}

func (i *indexer) succeeded(w *work) {
	st := i.index.Status()
	if w.scan {
		i.mu.Lock()
		i.looked, i.seen, i.failure = true, time.Now(), ""
		i.mu.Unlock()
		i.display.end(fmt.Sprintf("%s files, %s symbols", ploke.Count(st.Files), ploke.Count(st.Symbols)))
	}
	i.vectors.indexed()
	i.bus.Publish(bus.IndexingCompleted{Files: st.Files, Symbols: st.Symbols})
}

// failed tells of a failure, unless it follows another.
func (i *indexer) failed(err error) {
	i.log.Error("indexing failed", "error", err)
	i.mu.Lock()
	told := i.failure != ""
	i.looked, i.seen, i.failure = true, time.Now(), err.Error()
	i.mu.Unlock()
	i.display.end("failed")
	i.bus.Publish(bus.IndexingFailed{Error: err.Error()})
	if !told {
		i.client.showMessage(protocol.MessageTypeError,
			"ploke: indexing failed: %v. What was indexed before is still searched; ploke tries again when you save a file or ask something", err)
	}
}

// pause makes the indexing stand still. Doing so again changes nothing.
func (i *indexer) pause() {
	i.index.Pause()
	i.mu.Lock()
	select {
	case <-i.paused:
	default:
		close(i.paused)
	}
	i.mu.Unlock()
	i.display.update()
}

func (i *indexer) resume() {
	i.index.Resume()
	i.mu.Lock()
	select {
	case <-i.paused:
		i.paused = make(chan struct{})
	default:
	}
	i.mu.Unlock()
	i.display.update()
}

// cancelled pauses on behalf of the person who cancelled the progress.
func (i *indexer) cancelled() {
	i.pause()
	i.client.showMessage(protocol.MessageTypeInfo, "%s", pausedText)
}
