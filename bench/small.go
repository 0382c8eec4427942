package main

import (
	"context"
	"time"
)

// small starts servers on a part of the tree that is as large as usual repositories and not indexed
// yet, alternating with the floor.
func (b *bench) small(ctx context.Context, t *tree) error {
	part, err := b.replicate(ctx, t, 1, b.sampling.smallFiles)
	if err != nil {
		return err
	}
	return b.coldStart(ctx, part, t.name, b.sampling.startups)
}

// coldStart starts servers on a small tree that is not indexed yet, alternating with the floor. The figure is named
// after a tree, which the small one may be a part of.
func (b *bench) coldStart(ctx context.Context, part *tree, name string, rounds int) error {
	var floors, starts []time.Duration
	for range rounds {
		_, floor, err := runWorker[int](ctx, "parse", listRequest{List: part.list})
		if err != nil {
			return err
		}
		if _, err := b.newState(part); err != nil {
			return err
		}
		start, err := b.startupTime(ctx, part)
		if err != nil {
			return err
		}
		floors, starts = append(floors, floor.wall), append(starts, start)
	}
	f := seconds(name, "cold start of a small repository to ready", percentile(starts, 50)).
		vs("parse alone", percentile(floors, 50).Seconds())
	b.table.add(f.timesAtMost(1.5).note("%d files, %.1f MB", part.Files, inMB(part.Bytes)))
	return nil
}
