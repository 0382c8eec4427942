package main

import (
	"context"
	"fmt"
)

// scaling indexes one, two and four copies of a part of the tree.
func (b *bench) scaling(ctx context.Context, t *tree) error {
	var first struct{ wall, cpu, peak, disk float64 }
	for _, copies := range []int{1, 2, 4} {
		scaled, err := b.replicate(ctx, t, copies, b.sampling.partFiles)
		if err != nil {
			return err
		}
		var runs []usage
		for range b.sampling.rounds {
			took, err := b.index(ctx, scaled)
			if err != nil {
				return err
			}
			runs = append(runs, took)
		}
		bytes, err := scaled.indexBytes()
		if err != nil {
			return err
		}
		took, thousands := summarize(runs), float64(scaled.Files)/1000
		wall, cpu := took.wall.Seconds()/thousands, took.cpu.Seconds()/thousands
		peak, disk := inMB(took.peak)/thousands, inMB(bytes)/thousands
		if copies == 1 {
			first.wall, first.cpu, first.peak, first.disk = wall, cpu, peak, disk
		}
		row := func(name string, value float64, unit string, floor float64) figure {
			return figure{Tree: scaled.name, Name: name + " per 1,000 files", Value: value, Unit: unit}.vs("x 1", floor)
		}
		b.table.add(
			row("wall", wall, "s", first.wall).note("%d files", scaled.Files),
			row("processor", cpu, "s", first.cpu),
			row("peak memory", peak, "MB", first.peak),
			row("index on disk", disk, "MB", first.disk),
		)
	}
	return nil
}

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
	return b.codeContext(ctx, t, many, q, copiesContextTarget)
}
