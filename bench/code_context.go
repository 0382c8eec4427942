package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"ploke-lsp/edits"
	"ploke-lsp/index"
	"ploke-lsp/internal/store"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/tools"
	"ploke-lsp/tools/packing"
)

// The targets for a whole request_code_context, in milliseconds.
const (
	contextTarget       = 5.0
	copiesContextTarget = 40.0
)

// codeContext measures the tree's queries as calls of request_code_context, first with nothing else
// running, then while another root of the workspace, a copy of t, is indexed.
func (b *bench) codeContext(ctx context.Context, t, indexed *tree, q *querySet, limit float64) error {
	another, err := b.replicate(ctx, t, 1, 0)
	if err != nil {
		return err
	}
	a, _, err := runWorker[contextTimes](ctx, "context",
		contextRequest{indexed.dir, indexed.state, another.dir, q.Queries})
	if err != nil {
		return err
	}
	scans, err := b.scanWithRipgrep(ctx, indexed, q.Queries)
	if err != nil {
		return err
	}
	row := func(name string, took []time.Duration, p int) figure {
		f := millis(indexed.name, fmt.Sprintf("%s, p%d", name, p), percentile(took, p))
		if len(scans) > 0 {
			f = f.vs("rg", inMillis(percentile(scans, p)))
		}
		return f
	}
	b.table.add(
		row("request_code_context", a.Idle, 50).note("%d queries, 8,192 tokens; rg -ic for the words of %d", len(a.Idle),
			len(scans)),
		row("request_code_context", a.Idle, 95).atMost(limit),
		row("request_code_context while indexing", a.Indexing, 50).note("%d queries", len(a.Indexing)),
		row("request_code_context while indexing", a.Indexing, 95),
	)
	return nil
}

// scanWithRipgrep measures how long ripgrep takes to count the lines with any word of a query, for
// some of the queries. It returns nothing if ripgrep is not installed.
func (b *bench) scanWithRipgrep(ctx context.Context, t *tree, queries []string) (took []time.Duration, err error) {
	program, err := b.find("rg")
	if err != nil {
		fmt.Fprintf(b.log, "rg is skipped: %v\n", err)
		return nil, nil
	}
	for _, query := range queries[:min(b.sampling.scans, len(queries))] {
		args := []string{"-ic"}
		for _, word := range strings.Fields(query) {
			args = append(args, "-e", word)
		}
		u, err := measure(exec.CommandContext(ctx, program, append(args, t.dir)...))
		if err != nil {
			return nil, err
		}
		took = append(took, u.wall)
	}
	return took, nil
}

type contextRequest struct {
	Dir, State string
	Unindexed  string // a root that is not indexed yet
	Queries    []string
}

// contextTimes has the time of each call.
type contextTimes struct{ Idle, Indexing []time.Duration }

func timeContexts(ctx context.Context, r contextRequest) (t contextTimes, err error) {
	temp, err := os.MkdirTemp("", "ploke-bench-")
	if err != nil {
		return t, err
	}
	defer os.RemoveAll(temp)
	db, err := store.Open(ctx, filepath.Join(temp, "state.db"))
	if err != nil {
		return t, err
	}
	defer db.Close()
	state := func(root string) string {
		if root == r.Unindexed {
			return filepath.Join(temp, "another")
		}
		return store.Folder(r.State, root)
	}
	for _, roots := range [][]string{{r.Dir}, {r.Dir, r.Unindexed}} {
		ws, err := workspace.New(roots, workspace.Options{})
		if err != nil {
			return t, err
		}
		x, err := index.Open(ctx, ws, index.Options{Dir: state})
		if err != nil {
			return t, err
		}
		nowhere := func(context.Context) index.Editor { return index.Editor{} }
		a := contextTimer{tools.Deps{Workspace: ws, Index: x, Edits: edits.New(db, ws, edits.Options{}), Editor: nowhere}}
		if len(roots) == 1 {
			t.Idle, err = a.timeIdle(ctx, r.Queries)
		} else {
			t.Indexing, err = a.timeWhileIndexing(ctx, r.Queries)
		}
		if err := errors.Join(err, x.Close()); err != nil {
			return t, err
		}
	}
	return t, nil
}

// contextTimer calls request_code_context without a server.
type contextTimer struct{ deps tools.Deps }

// noTurn is the environment of a call outside of turns.
type noTurn struct{ tools.Env }

func (noTurn) Call() tools.Call { return tools.Call{} }

func (a contextTimer) time(ctx context.Context, query string) (time.Duration, error) {
	started := time.Now()
	_, err := a.deps.PackContext(ctx, noTurn{}, query, 0, packing.DefaultLayout)
	return time.Since(started), err
}

func (a contextTimer) timeIdle(ctx context.Context, queries []string) (all []time.Duration, err error) {
	for _, query := range queries[:min(warmUpQueries, len(queries))] {
		if _, err := a.time(ctx, query); err != nil {
			return nil, err
		}
	}
	for _, query := range queries {
		took, err := a.time(ctx, query)
		if err != nil {
			return nil, err
		}
		all = append(all, took)
	}
	return all, nil
}

// timeWhileIndexing repeats queries until the index is up to date, at least one.
func (a contextTimer) timeWhileIndexing(ctx context.Context, queries []string) (all []time.Duration, err error) {
	done := make(chan error, 1)
	go func() {
		_, err := a.deps.Index.Update(ctx, nil)
		done <- err
	}()
	for n := 0; ; n++ {
		took, err := a.time(ctx, queries[n%len(queries)])
		all = append(all, took)
		select {
		case updated := <-done:
			return all, errors.Join(err, updated)
		default:
		}
		if err != nil {
			return nil, errors.Join(err, <-done)
		}
	}
}
