package indexing

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"ploke-lsp/index"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/internal/workspace"
)

// TestQuiet signals for longer than Debounce waits. Quiet waits for the last signal.
func TestQuiet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		signals := make(chan struct{})
		const typing = 3 * DebounceLimit
		go func() {
			for begun := time.Now(); time.Since(begun) < typing; time.Sleep(debounceQuiet / 2) {
				signals <- struct{}{}
			}
		}()
		begun := time.Now()
		if !Quiet(t.Context(), signals) {
			t.Fatal("the wait was ended")
		}
		if took := time.Since(begun); took < typing || took > typing+2*debounceQuiet {
			t.Errorf("it was quiet after %v, want a moment after %v", took, typing)
		}
	})
}

// newTestDebouncer returns a debouncer without a goroutine, with an index of an empty folder.
func newTestDebouncer(t *testing.T) (d *Debouncer, ws *workspace.Workspace, root string) {
	root = t.TempDir()
	ws, err := workspace.New([]string{root}, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	state := t.TempDir()
	x, err := index.Open(t.Context(), ws, index.Options{Dir: func(string) string { return state }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	return &Debouncer{index: x, log: slog.New(slog.DiscardHandler), wake: make(chan struct{}, 1), pending: map[string]struct{}{}}, ws, root
}

// TestFlushWhileTyping types while a large text is indexed. The flush ends with the text that was there when it
// began, and what was typed since waits for the next one.
func TestFlushWhileTyping(t *testing.T) {
	d, ws, root := newTestDebouncer(t)
	path := filepath.Join(root, "a.go")
	text := []byte("package a\n\nfunc first() {}\n")
	for i := range 20_000 {
		text = fmt.Appendf(text, "\nfunc other%d() {}\n", i)
	}
	ws.SetBuffer(path, 1, text)
	d.Changed(path)
	flushed := make(chan error, 1)
	go func() { flushed <- d.Flush(t.Context()) }()
	waits := func() int {
		d.mu.Lock()
		defer d.mu.Unlock()
		return len(d.pending)
	}
	testbed.Eventually(t, func() bool { return waits() == 0 }, func() string { return "the flush does not begin" })
	d.Changed(path)
	if err := <-flushed; err != nil {
		t.Fatal(err)
	}
	if waits() != 1 {
		t.Error("a flush indexes what is typed during it, so that it never ends while a person types in a large text")
	}
	if units, err := d.index.Outline(t.Context(), path); err != nil || len(units) == 0 || units[0].Name != "first" {
		t.Errorf("the index has %d units of what was typed before the flush, and fails with %v", len(units), err)
	}
}

// TestCutFlush ends the context of a flush. All texts stay pending.
func TestCutFlush(t *testing.T) {
	d, ws, root := newTestDebouncer(t)
	for _, name := range []string{"a.go", "b.go"} {
		path := filepath.Join(root, name)
		ws.SetBuffer(path, 1, []byte("package a\n"))
		d.Changed(path)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := d.Flush(ctx); !errors.Is(err, context.Canceled) || len(d.pending) != 2 {
		t.Errorf("the flush ends with %v and %d pending texts, want 2", err, len(d.pending))
	}
}
