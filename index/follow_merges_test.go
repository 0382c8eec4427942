package index_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"testing"

	"ploke-lsp/index"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/internal/workspace"
)

// interrupted is a context that calls do when it is asked for the nth time whether it has ended, unless it is over.
type interrupted struct {
	context.Context
	n  int
	do func()

	mu    sync.Mutex
	asked int
	over  bool
}

func (c *interrupted) Done() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.asked++; c.asked == c.n && !c.over {
		c.do()
	}
	return c.Context.Done()
}

// finish waits for do, and reports whether it was called.
func (c *interrupted) finish() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.over = true
	return c.asked >= c.n
}

// TestAMergeDuringAReadingIsNoDamage has another process replace the only segment between any two steps in which
// a search reads the index.
func TestAMergeDuringAReadingIsNoDamage(t *testing.T) {
	t.Parallel()
	p, version := open(t, nil), 0
	change := func() {
		version++
		p.write("a.go", fmt.Sprintf("package p\n\nfunc Version%d() {}\n", version))
		p.update()
	}
	change()
	options := p.options()
	options.Notice = func(text string) { t.Errorf("the person is told: %s", text) }
	x, err := index.Open(t.Context(), p.ws, options)
	if err != nil {
		t.Fatal(err)
	}
	for n, called := 1, true; called; n++ {
		change()
		p.index.Settle()
		ctx := &interrupted{Context: t.Context(), n: n, do: change}
		if _, err := x.Search(ctx, index.Query{Text: "version"}); err != nil {
			t.Errorf("interrupted at step %d: %v", n, err)
		}
		called = ctx.finish()
	}
	if err := x.Close(); err != nil {
		t.Error(err)
	}
	if segments := p.segments(); len(segments) != 1 {
		t.Errorf("the segments are %q", segments)
	}
}

// TestMergesOfAnotherProcessAreNoDamage merges segments and removes their files again and again, while other processes
// search and start.
func TestMergesOfAnotherProcessAreNoDamage(t *testing.T) {
	p := open(t, sample)
	p.update()
	var log bytes.Buffer
	var mu sync.Mutex
	options := p.options()
	options.Logger = slog.New(slog.NewTextHandler(&log, nil)) // which locks
	options.Notice = func(text string) {
		mu.Lock()
		defer mu.Unlock()
		t.Errorf("the person is told: %s", text)
	}
	another := func(ctx context.Context, use func(*index.Index) error) error {
		ws, err := workspace.New([]string{p.root}, workspace.Options{})
		if err != nil {
			return err
		}
		x, err := index.Open(ctx, ws, options)
		if err != nil {
			return err
		}
		return errors.Join(use(x), x.Close())
	}
	search := func(x *index.Index) error {
		_, err := x.Search(t.Context(), index.Query{Text: "parse duration"})
		return err
	}
	ctx, stop := context.WithCancel(t.Context())
	repeat := func(do func() error) error {
		for ctx.Err() == nil {
			if err := do(); err != nil && ctx.Err() == nil {
				return err
			}
		}
		return nil
	}
	var others sync.WaitGroup
	for name, work := range map[string]func() error{
		"searching": func() error {
			return another(t.Context(), func(x *index.Index) error { return repeat(func() error { return search(x) }) })
		},
		"starting": func() error { return repeat(func() error { return another(t.Context(), search) }) },
	} {
		others.Go(func() {
			if err := work(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	for n := range testbed.Count(200, 20) {
		p.write(fmt.Sprintf("f%d.go", n), fmt.Sprintf("package p\nfunc Name%d() {}\n", n))
		p.update()
	}
	stop()
	others.Wait()
	if log.Len() > 0 {
		t.Errorf("the log: %s", &log)
	}
}
