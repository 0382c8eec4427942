package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"

	"ploke-lsp/index"
)

// cold indexes the tree into an empty state folder, alternating with the floor.
func (b *bench) cold(ctx context.Context, t *tree) error {
	var floors, ours []usage
	for range b.sampling.rounds {
		parsed, floor, err := runWorker[int](ctx, "parse", listRequest{List: t.list})
		if err != nil {
			return err
		}
		if parsed < t.Parsed*99/100 {
			return fmt.Errorf("the floor parsed %d of %d files only", parsed, t.Parsed)
		}
		took, err := b.index(ctx, t)
		if err != nil {
			return err
		}
		floors, ours = append(floors, floor), append(ours, took)
	}
	floor, our := summarize(floors), summarize(ours)
	t.indexed = our
	b.table.add(
		seconds(t.name, "cold index, wall", our.wall).vs("parse alone", floor.wall.Seconds()).timesAtMost(1.5),
		seconds(t.name, "cold index, processor", our.cpu).vs("parse alone", floor.cpu.Seconds()),
		megabytes(t.name, "cold index, peak memory", our.peak).vs("parse alone", inMB(floor.peak)).atMost(200),
	)
	return nil
}

// index indexes the tree into a new state folder, which replaces the previous one.
func (b *bench) index(ctx context.Context, t *tree) (usage, error) {
	state, err := b.newState(t)
	if err != nil {
		return usage{}, err
	}
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, b.bin, "index", "--json", "--workspace", t.dir, "--state-dir", state)
	cmd.Stdout = &out
	took, err := measure(cmd)
	if err != nil {
		return usage{}, err
	}
	var stats index.Stats
	if err := json.Unmarshal(out.Bytes(), &stats); err != nil {
		return usage{}, fmt.Errorf("reading the output of index --json: %w", err)
	}
	if stats.Files == 0 || stats.Bytes < t.Bytes*99/100 {
		return usage{}, fmt.Errorf("%d files of %d bytes were indexed; there are %d of %d", stats.Files, stats.Bytes, t.Files,
			t.Bytes)
	}
	t.indexed = took
	return took, nil
}

// ready indexes the tree unless it is indexed already.
func (b *bench) ready(ctx context.Context, t *tree) error {
	if t.state != "" {
		return nil
	}
	_, err := b.index(ctx, t)
	return err
}

// newState gives the tree an empty state folder.
func (b *bench) newState(t *tree) (_ string, err error) {
	if t.state != "" {
		if err := os.RemoveAll(t.state); err != nil {
			return "", err
		}
	}
	t.state, err = os.MkdirTemp(b.temp, "state-*")
	return t.state, err
}
