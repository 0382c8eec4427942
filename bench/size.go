package main

import (
	"context"

	"ploke-lsp/internal/store"
)

// indexBytes is the size of the tree's index on disk. The conversations, which lie in
// the same folder, are none of it.
func (t *tree) indexBytes() (int64, error) {
	return sizeOnDisk(store.Folder(t.state, t.dir), "state.db")
}

// size compares the index's files with the texts that it holds.
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
