package lsp

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"ploke-lsp/index"
	"ploke-lsp/internal/workspace"
)

// typingPause is how long a document, or the disk, must rest before it is
// indexed; typingLimit is after how long it is indexed though it never rests.
const (
	typingPause = 150 * time.Millisecond
	typingLimit = 2 * time.Second
)

// typing keeps the index to what the editor shows: the text of open documents,
// once they rest for a moment or a turn begins. It never waits for the disk.
type typing struct {
	index     *index.Index
	workspace *workspace.Workspace
	log       *slog.Logger

	stop  context.CancelFunc
	done  sync.WaitGroup
	typed chan struct{}

	applying sync.Mutex // held while texts go to the index, so that they do in order

	mu      sync.Mutex
	pending map[string]struct{} // paths whose text the index has not got
}

func startTyping(x *index.Index, w *workspace.Workspace, log *slog.Logger) *typing {
	ctx, stop := context.WithCancel(context.Background())
	t := &typing{
		index: x, workspace: w, log: log, stop: stop, typed: make(chan struct{}, 1),
		pending: map[string]struct{}{},
	}
	t.done.Go(func() {
		for awaitRest(ctx, t.typed, func() bool { return false }) {
			_ = t.flush(ctx) // it fails when ctx ends, no other way
		}
	})
	return t
}

// close stops the goroutine and waits for it.
func (t *typing) close() {
	t.stop()
	t.done.Wait()
}

// changed notes that the workspace has another unsaved text for path.
func (t *typing) changed(path string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.pending[path] = struct{}{}
	signal(t.typed)
}

// closed makes the disk's text count again.
func (t *typing) closed(path string) {
	t.applying.Lock()
	defer t.applying.Unlock()
	t.mu.Lock()
	delete(t.pending, path)
	t.mu.Unlock()
	t.index.DropBuffer(path)
}

// flush gives the index what was typed. When ctx ends, which is its only error,
// the rest stays pending.
func (t *typing) flush(ctx context.Context) error {
	t.applying.Lock()
	defer t.applying.Unlock()
	for {
		path, ok := t.next()
		if !ok {
			return nil
		}
		file, open := t.workspace.Buffer(path)
		if !open {
			continue
		}
		err := t.index.SetBuffer(ctx, path, file.Text)
		switch {
		case ctx.Err() != nil:
			t.changed(path)
			return ctx.Err()
		case err != nil:
			t.log.Error("unsaved text was not indexed", "error", err)
		}
	}
}

// next takes one path from the pending ones.
func (t *typing) next() (path string, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for path = range t.pending {
		delete(t.pending, path)
		return path, true
	}
	return "", false
}

// awaitRest waits for a signal and then until none came for a moment, or the
// matter is urgent. It returns false when ctx ends.
func awaitRest(ctx context.Context, signals <-chan struct{}, urgent func() bool) bool {
	select {
	case <-signals:
	case <-ctx.Done():
		return false
	}
	limit, rested := time.NewTimer(typingLimit), time.NewTimer(typingPause)
	defer limit.Stop()
	defer rested.Stop()
	for !urgent() {
		select {
		case <-signals:
			rested.Reset(typingPause)
		case <-rested.C:
			return true
		case <-limit.C:
			return true
		case <-ctx.Done():
			return false
		}
	}
	return true
}
