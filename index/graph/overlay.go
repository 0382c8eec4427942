package graph

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"

	"ploke-lsp/index/shards"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/internal/workspace"
)

// Overlay is the index with some texts laid over the current ones, for example proposed
// texts that the person has not accepted yet.
type Overlay struct {
	x     shards.Reader
	texts map[string][]byte
}

// NewOverlay returns what a reader reads with these texts laid over it, by absolute path. The
// files may be new. Each call parses the texts, which must not be modified.
func NewOverlay(x shards.Reader, texts map[string][]byte) *Overlay { return &Overlay{x, texts} }

// resolving runs fn with a resolver on one generation of the index.
func (o *Overlay) resolving(ctx context.Context, fn func(*resolver)) error {
	return o.x.OnViews(ctx, func(views []*shards.View) error {
		r := o.resolver(ctx, views)
		fn(r)
		return r.err
	})
}

func (o *Overlay) resolver(ctx context.Context, views []*shards.View) *resolver {
	r := newResolver(ctx, o.x, views)
	for _, path := range slices.Sorted(maps.Keys(o.texts)) { // parallel resolvers share the modules by their order
		r.addOverlay(o.x.Canonical(path), o.texts[path])
	}
	return r
}

// inParallel runs fn concurrently with n further resolvers like r.
func (o *Overlay) inParallel(r *resolver, n int, fn func(r *resolver)) {
	resolvers := make([]*resolver, n)
	var wg sync.WaitGroup
	for i := range resolvers {
		wg.Go(func() {
			resolvers[i] = o.resolver(r.ctx, r.views)
			fn(resolvers[i])
		})
	}
	wg.Wait()
	for _, other := range resolvers {
		r.err = cmp.Or(r.err, other.err)
	}
}

// addOverlay replaces the text of a file.
func (l *loader) addOverlay(path string, text []byte) {
	s := l.ShardOf(path)
	if s == nil {
		return
	}
	src := l.NewText(path, syntax.Detect(path, text), &workspace.File{Text: text, Hash: workspace.Hash(text)})
	src.Parsed = shards.ParseOrNothing(src.Language, text)
	l.overlaid = append(l.overlaid, l.unsaved(s, s.Rel(path), src))
}
