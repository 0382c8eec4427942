package lsp

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"go.lsp.dev/protocol"

	ploke "ploke-lsp/lsp/protocol"

	"ploke-lsp/index"
	"ploke-lsp/session/bus"
)

// typingPause is how long a document must rest before it is indexed as typed.
const typingPause = 150 * time.Millisecond

// An indexer keeps the index fresh: a scan at the start and whenever it is
// asked for, documents as they are typed, files as they are saved. It owns two
// goroutines, one for scans and one for single files, so that a keystroke
// never waits for a scan.
type indexer struct {
	index  *index.Index
	bus    *bus.Bus
	client *client
	log    *slog.Logger

	stop context.CancelFunc
	done sync.WaitGroup

	scans   chan struct{}
	pending chan struct{}

	applying sync.Mutex // held while buffers go to the index, so that they do in order

	mu      sync.Mutex
	buffers map[string][]byte   // typed since they were indexed
	files   map[string]struct{} // changed on disk, or closed
}

func startIndexer(x *index.Index, b *bus.Bus, c *client, log *slog.Logger) *indexer {
	ctx, stop := context.WithCancel(context.Background())
	i := &indexer{
		index: x, bus: b, client: c, log: log, stop: stop,
		scans:   make(chan struct{}, 1),
		pending: make(chan struct{}, 1),
		buffers: map[string][]byte{}, files: map[string]struct{}{},
	}
	i.rescan()
	i.done.Go(func() { i.scanLoop(ctx) })
	i.done.Go(func() { i.fileLoop(ctx) })
	return i
}

// close stops both loops and waits for them.
func (i *indexer) close() {
	i.stop()
	i.done.Wait()
}

// rescan asks for a scan of everything.
func (i *indexer) rescan() { signal(i.scans) }

func (i *indexer) bufferChanged(path string, text []byte) {
	i.mu.Lock()
	i.buffers[path] = text
	i.mu.Unlock()
	signal(i.pending)
}

func (i *indexer) bufferClosed(path string) {
	i.applying.Lock()
	defer i.applying.Unlock()
	i.mu.Lock()
	delete(i.buffers, path)
	i.files[path] = struct{}{}
	i.mu.Unlock()
	i.index.DropBuffer(path)
	signal(i.pending)
}

func (i *indexer) diskChanged(path string) {
	i.mu.Lock()
	i.files[path] = struct{}{}
	i.mu.Unlock()
	signal(i.pending)
}

// signal wakes the reader of a channel with room for one.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

func (i *indexer) scanLoop(ctx context.Context) {
	for {
		select {
		case <-i.scans:
			i.scan(ctx)
		case <-ctx.Done():
			return
		}
	}
}

// scan brings the whole index up to date, and shows it.
func (i *indexer) scan(ctx context.Context) {
	i.bus.Publish(bus.IndexingStarted{})
	p := i.client.beginProgress(ctx, nil, "indexing", "ploke: indexing", true)
	stats, err := i.index.Update(ctx, func(at index.Progress) {
		percent := 0
		if at.TotalFiles > 0 {
			percent = 100 * at.Files / at.TotalFiles
		}
		p.report(fmt.Sprintf("%d of %d files, %d symbols", at.Files, at.TotalFiles, at.Symbols), percent)
		i.bus.Publish(bus.IndexingProgress{Root: at.Root, Files: at.Files, TotalFiles: at.TotalFiles, Symbols: at.Symbols})
	})
	switch {
	case ctx.Err() != nil:
		p.end("stopped")
	case err != nil:
		p.end("failed")
		i.log.Error("indexing failed", "error", err)
		i.bus.Publish(bus.IndexingFailed{Error: err.Error()})
		i.client.showMessage(protocol.MessageTypeError, "ploke: indexing failed: %v", err)
	default:
		p.end(fmt.Sprintf("%d files, %d symbols", stats.Files, stats.Symbols))
		i.bus.Publish(bus.IndexingCompleted{Files: stats.Files, Symbols: stats.Symbols})
	}
}

// fileLoop indexes single files once they have rested for a moment.
func (i *indexer) fileLoop(ctx context.Context) {
	for {
		select {
		case <-i.pending:
		case <-ctx.Done():
			return
		}
		rested := time.NewTimer(typingPause)
		for resting := true; resting; {
			select {
			case <-i.pending:
				rested.Reset(typingPause)
			case <-rested.C:
				resting = false
			case <-ctx.Done():
				rested.Stop()
				return
			}
		}
		if err := i.flush(ctx); err != nil && ctx.Err() == nil {
			i.log.Error("a changed file was not indexed", "error", err)
		}
	}
}

// flush indexes what is pending now.
func (i *indexer) flush(ctx context.Context) error {
	if err := i.flushBuffers(ctx); err != nil {
		return err
	}
	return i.flushFiles(ctx)
}

// flushBuffers takes what was typed. It does not wait for a scan.
func (i *indexer) flushBuffers(ctx context.Context) error {
	i.applying.Lock()
	defer i.applying.Unlock()
	i.mu.Lock()
	buffers := i.buffers
	i.buffers = map[string][]byte{}
	i.mu.Unlock()
	for path, text := range buffers {
		if err := i.index.SetBuffer(ctx, path, text); err != nil {
			return err
		}
	}
	return nil
}

// flushFiles takes what was saved or closed, once a scan that runs has ended.
func (i *indexer) flushFiles(ctx context.Context) error {
	i.mu.Lock()
	files := i.files
	i.files = map[string]struct{}{}
	i.mu.Unlock()
	return i.index.Refresh(ctx, slices.Sorted(maps.Keys(files)))
}

// refresh makes the index as fresh as a turn wants it: what was typed, and,
// unless a scan runs, which no turn waits for, what changed outside of the
// editor.
func (i *indexer) refresh(ctx context.Context) error {
	if err := i.flushBuffers(ctx); err != nil {
		return err
	}
	if i.index.Status().State != index.Ready {
		return nil
	}
	if err := i.flushFiles(ctx); err != nil {
		return err
	}
	_, err := i.index.Update(ctx, nil)
	return err
}

func (s *Server) indexStatus(context.Context, *noParams) (*ploke.IndexStatus, error) {
	return indexStatus(s.project.index), nil
}

func indexStatus(x *index.Index) *ploke.IndexStatus {
	st := x.Status()
	return &ploke.IndexStatus{State: st.State, Files: st.Files, Symbols: st.Symbols, References: st.References, Error: st.Error}
}
