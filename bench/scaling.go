package main

import (
	"context"
	"fmt"
)

// scaled is what a thousand files of a tree cost.
type scaled struct {
	of                    string // the tree
	wall, cpu, peak, disk float64
}

// scaling indexes one, two, four and ten copies of a part of the tree.
func (b *bench) scaling(ctx context.Context, t *tree) error {
	var first scaled
	for _, copies := range []int{1, 2, 4, 10} {
		t, err := b.replicate(ctx, t, copies, b.sampling.partFiles)
		if err != nil {
			return err
		}
		if err := b.scaledRows(ctx, t, &first, b.sampling.rounds); err != nil {
			return err
		}
	}
	return nil
}

// scaledRows indexes a tree several times, and compares what a thousand files cost with the first
// tree. It fills in first with that of the first tree.
func (b *bench) scaledRows(ctx context.Context, t *tree, first *scaled, rounds int) error {
	var runs []usage
	for range rounds {
		took, err := b.index(ctx, t)
		if err != nil {
			return err
		}
		runs = append(runs, took)
	}
	bytes, err := t.indexBytes()
	if err != nil {
		return err
	}
	took, thousands := summarize(runs), float64(t.Files)/1000
	now := scaled{t.name, took.wall.Seconds() / thousands, took.cpu.Seconds() / thousands, inMB(took.peak) / thousands,
		inMB(bytes) / thousands}
	if first.of == "" {
		*first = now
	}
	row := func(name string, value float64, unit string, floor float64) figure {
		return figure{Tree: t.name, Name: name + " per 1,000 files", Value: value, Unit: unit}.vs(first.of, floor)
	}
	b.table.add(
		row("wall", now.wall, "s", first.wall).note("%d files", t.Files),
		row("processor", now.cpu, "s", first.cpu).timesAtMost(flat),
		row("peak memory", now.peak, "MB", first.peak).timesAtMost(flat),
		row("index on disk", now.disk, "MB", first.disk).timesAtMost(flat),
	)
	return nil
}

const (
	// flat is the largest growth of the cost of one unit that counts as none.
	flat = 1.1
	// linear is the largest growth of the cost of all units, if there are ten times as many.
	linear = 10.0
)

// manyCopies runs the tree's queries on many copies of the tree.
func (b *bench) manyCopies(ctx context.Context, t *tree) error {
	copies := min(b.copies, b.sampling.copies)
	if copies == 0 {
		return nil
	}
	if err := b.ready(ctx, t); err != nil {
		return err
	}
	q, err := b.querySet(ctx, t)
	if err != nil {
		return err
	}
	many, err := b.replicate(ctx, t, copies, 0)
	if err != nil {
		return err
	}
	took, err := b.index(ctx, many)
	if err != nil {
		return fmt.Errorf("indexing %d copies: %w", copies, err)
	}
	b.table.add(
		seconds(many.name, "cold index, wall", took.wall).vs("x 1", t.indexed.wall.Seconds()),
		seconds(many.name, "cold index, processor", took.cpu).vs("x 1", t.indexed.cpu.Seconds()),
		megabytes(many.name, "cold index, peak memory", took.peak).vs("x 1", inMB(t.indexed.peak)),
	)
	if err := b.queryTree(ctx, many, q, copiesTarget); err != nil {
		return err
	}
	if err := b.addMemoryAtRest(ctx, many, "opened indexed", copiesMemoryTarget); err != nil {
		return err
	}
	return b.codeContext(ctx, t, many, q, copiesContextTarget)
}
