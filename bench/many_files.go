package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"time"
)

const (
	// turnTarget is how many milliseconds a turn may take with a model that answers at once.
	turnTarget = 50.0
	// searchTarget is how many milliseconds the command search may take.
	searchTarget = 150.0
)

// manyFiles measures what must not grow with the number of files: a turn in a server that watches
// them, and the command search, with that server and without one.
func (b *bench) manyFiles(ctx context.Context, small *tree) (err error) {
	t, err := b.generate(ctx, b.sampling.manyFiles)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(t.dir), os.RemoveAll(t.state)) }()
	if _, err := b.index(ctx, t); err != nil {
		return err
	}
	one, err := b.oneFileTree(small.name)
	if err != nil {
		return err
	}
	floor, err := b.turnTime(ctx, one, nil)
	if err != nil {
		return err
	}
	var asked []time.Duration
	turn, err := b.turnTime(ctx, t, func() (err error) {
		asked, err = b.searchTimes(ctx, t)
		return err
	})
	if err != nil {
		return err
	}
	alone, err := b.searchTimes(ctx, t)
	if err != nil {
		return err
	}
	b.table.add(
		millis(t.name, "a turn, the server watches", turn).vs("one file", inMillis(floor)).atMost(turnTarget),
		millis(t.name, "search on the command line, a server answers", percentile(asked, 50)).atMost(searchTarget),
		millis(t.name, "search on the command line, no server", percentile(alone, 50)).atMost(searchTarget),
	)
	return nil
}

// turnTime returns the median time of a turn with a model that answers at once. Then it calls meanwhile,
// if it is not nil, before the server ends.
func (b *bench) turnTime(ctx context.Context, t *tree, meanwhile func() error) (took time.Duration, err error) {
	url, stop, err := startModelServer(http.HandlerFunc(obey))
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, stop()) }()
	s, err := b.serve(ctx, t, "PLOKE_BASE_URL="+url, "PLOKE_MODEL=m", "PLOKE_API_KEY=")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, s.shutDown(ctx)) }()
	var all []time.Duration
	for range 3 * b.sampling.startups { // the first ones scan, until everything is watched
		_, one, err := s.ask(ctx, "", "hello")
		if err != nil {
			return 0, err
		}
		all = append(all, one)
	}
	if meanwhile != nil {
		err = meanwhile()
	}
	return percentile(all[len(all)/2:], 50), err
}

// searchTimes returns how long the command search takes, from its start to its end.
func (b *bench) searchTimes(ctx context.Context, t *tree) (took []time.Duration, err error) {
	for range b.sampling.startups + 1 {
		cmd := exec.CommandContext(ctx, b.bin, "search", "--workspace", t.dir, "--state-dir", t.state, warmQuery)
		began := time.Now()
		out, err := cmd.Output()
		if err != nil {
			return nil, err
		}
		took = append(took, time.Since(began))
		if bytes.Count(out, []byte("\n")) == 0 {
			return nil, fmt.Errorf("search has found nothing for %q", warmQuery)
		}
	}
	return took[1:], nil // the first one reads from the disk
}
