package shards

import (
	"context"
	"fmt"
	"slices"
)

// Estimate is the amount of text that has no vectors yet.
type Estimate struct {
	Passages int
	Bytes    int // of their titles and texts
}

// EmbedOptions are the callbacks of Embed. Either may be nil.
type EmbedOptions struct {
	// Allow is called before anything is sent, and again for files that changed meanwhile.
	// Embed returns its error.
	Allow    func(Estimate) error
	Progress func(done, total int) // numbers of passages
}

// UseEmbedder makes searches compare the vectors of e, which Embed makes; a nil e turns
// vectors off. Until the vectors of e are complete, searches use those of an earlier
// embedder, if other returns one for its space. other may be nil.
func (x *Set) UseEmbedder(e Embedder, earlier func(space string) Embedder) {
	x.queryVectors.setEmbedder(e, earlier)
}

// Embed makes all missing vectors in the space of the current embedder, if there is one.
// It covers the folders that have been indexed completely. Each batch is stored at once,
// so the next Embed continues an interrupted one. Embed waits while indexing is paused,
// and skips a folder whose vectors another process is making. Searches and updates may run
// at the same time.
func (x *Set) Embed(ctx context.Context, o EmbedOptions) error {
	e, _ := x.queryVectors.embedders()
	if e == nil {
		return nil
	}
	var all embeddings
	defer func() { all.end() }()
	for _, s := range x.all() {
		if !x.complete(s) {
			continue
		}
		m, err := x.beginEmbedding(ctx, s, e)
		if err != nil {
			return fmt.Errorf("preparing the vectors of %s: %w", s.Root, err)
		}
		if m != nil {
			all = append(all, m)
		}
	}
	if err := all.send(ctx, o); err != nil {
		return err
	}
	return all.each((*embedding).finish, ctx)
}

// embeddings makes the vectors of several shards.
type embeddings []*embedding

func (all embeddings) end() {
	for _, m := range all {
		m.end()
	}
}

// each calls do with each embedding. It ignores errors of shards that have been closed
// meanwhile.
func (all embeddings) each(do func(*embedding, context.Context) error, ctx context.Context) error {
	for _, m := range all {
		if err := do(m, ctx); err != nil && slices.Contains(m.index.all(), m.shard) {
			return fmt.Errorf("making the vectors of %s: %w", m.shard.Root, storageError(err))
		}
	}
	return nil
}

// send embeds what has no vector, then what has changed meanwhile, until only unreadable
// text is left.
func (all embeddings) send(ctx context.Context, o EmbedOptions) error {
	for done := 0; ; {
		var left Estimate
		for _, m := range all {
			left.Passages += m.missing.Passages
			left.Bytes += m.missing.Bytes
		}
		if left.Passages == 0 {
			return nil
		}
		if o.Allow != nil {
			if err := o.Allow(left); err != nil {
				return err
			}
		}
		before := done
		for _, m := range all {
			m.report = func(n int) {
				if done += n; o.Progress != nil {
					o.Progress(done, before+left.Passages)
				}
			}
		}
		if err := all.each((*embedding).embedFiles, ctx); err != nil || done == before {
			return err
		}
		if err := all.each((*embedding).prepare, ctx); err != nil {
			return err
		}
	}
}
