package main

import (
	"context"
	"fmt"
	"time"

	"ploke-lsp/index"
	"ploke-lsp/internal/store"
	"ploke-lsp/internal/workspace"
)

// warmQuery is the first query of a newly opened index. Every tree has its words.
const warmQuery = "open a file and read the error"

// warm starts servers on an unchanged tree, alternating with the floor.
func (b *bench) warm(ctx context.Context, t *tree) error {
	if err := b.ready(ctx, t); err != nil {
		return err
	}
	var floors, starts, updates, opens []time.Duration
	for range b.sampling.startups + 1 {
		floor, _, err := runWorker[[]time.Duration](ctx, "stat", listRequest{List: t.list, Rounds: 5})
		if err != nil {
			return err
		}
		start, err := b.startupTime(ctx, t)
		if err != nil {
			return err
		}
		update, _, err := runWorker[time.Duration](ctx, "open", openRequest{Dir: t.dir, State: t.state, Update: true})
		if err != nil {
			return err
		}
		open, _, err := runWorker[time.Duration](ctx, "open", openRequest{Dir: t.dir, State: t.state})
		if err != nil {
			return err
		}
		floors = append(floors, percentile(floor, 50))
		starts, updates, opens = append(starts, start), append(updates, update), append(opens, open)
	}
	// Not counted: the first server creates the database of conversations.
	floor, starts := inMillis(percentile(floors, 50)), starts[1:]
	b.table.add(
		millis(t.name, "warm: process start to ready", percentile(starts, 50)).vs("lstat each", floor).timesAtMost(3),
		millis(t.name, "warm: open, update, first answer", percentile(updates, 50)).vs("lstat each", floor).timesAtMost(3),
		millis(t.name, "warm: open, first answer", percentile(opens, 50)).vs("lstat each", floor).timesAtMost(3),
	)
	return b.openedFiles(ctx, t)
}

// startupTime returns the time from the start of a server's process until its index is ready.
func (b *bench) startupTime(ctx context.Context, t *tree) (time.Duration, error) {
	s, err := b.serve(ctx, t)
	if err != nil {
		return 0, err
	}
	return s.untilReady, s.shutDown(ctx)
}

// openedFiles counts the source files that a server opens if nothing has changed.
func (b *bench) openedFiles(ctx context.Context, t *tree) error {
	part, err := b.replicate(ctx, t, 1, b.sampling.partFiles)
	if err != nil {
		return err
	}
	if err := b.ready(ctx, part); err != nil {
		return err
	}
	files, err := readList(part.list)
	if err != nil {
		return err
	}
	watch, err := watchOpens(files)
	if err != nil {
		return err
	}
	_, err = b.startupTime(ctx, part)
	opened, werr := watch.stop()
	if err != nil {
		return err
	}
	if werr != nil {
		return werr
	}
	f := figure{Tree: t.name, Name: "warm: source files opened", Value: float64(len(opened))}.atMost(0)
	b.table.add(f.note("of %d, counted by inotify", part.Files))
	return nil
}

type openRequest struct {
	Dir    string
	State  string
	Update bool // before the query
}

// openIndex measures the time from opening an index to its first answer.
func openIndex(ctx context.Context, r openRequest) (time.Duration, error) {
	started := time.Now()
	x, err := open(ctx, r.Dir, r.State)
	if err != nil {
		return 0, err
	}
	defer x.Close()
	if r.Update {
		if _, err := x.Update(ctx, nil); err != nil {
			return 0, err
		}
	}
	found, err := x.Search(ctx, index.Query{Text: warmQuery})
	if err == nil && len(found.Hits) == 0 {
		err = fmt.Errorf("nothing was found for %q", warmQuery)
	}
	return time.Since(started), err
}

// open opens the index that the command line has made.
func open(ctx context.Context, dir, state string) (*index.Index, error) {
	ws, err := workspace.New([]string{dir}, workspace.Options{})
	if err != nil {
		return nil, err
	}
	return index.Open(ctx, ws, index.Options{Dir: func(root string) string { return store.Folder(state, root) }})
}
