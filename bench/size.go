package main

import (
	"context"

	"ploke-lsp/internal/store"
)

// indexBytes returns the size of the tree's index on disk, without the conversations in the same
// folder.
func (t *tree) indexBytes() (int64, error) {
	return sizeOnDisk(store.Folder(t.state, t.dir), "state.db")
}

// size compares the size of the index's files with that of the indexed texts.
func (b *bench) size(ctx context.Context, t *tree) error {
	if err := b.ready(ctx, t); err != nil {
		return err
	}
	bytes, err := t.indexBytes()
	if err != nil {
		return err
	}
	b.table.add(megabytes(t.name, "index on disk", bytes).vs("source", inMB(t.Bytes)).timesAtMost(1))
	return nil
}
