package index

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"ploke-lsp/internal/syntax"
	"ploke-lsp/internal/workspace"
)

// Draft is the index with some texts in place of those of now: proposed ones, which no
// one has accepted yet.
type Overlay struct {
	x     *Index
	texts map[string][]byte
}

// Draft is the index with these texts, by absolute path, of files that may be new. They
// are parsed with each question, and must not be modified.
func (x *Index) Overlay(texts map[string][]byte) *Overlay { return &Overlay{x, texts} }

// resolving runs fn with a resolver on one generation of the index, and again where it
// has missed something.
func (d *Overlay) resolving(ctx context.Context, fn func(*resolver)) error {
	return d.x.onViews(ctx, func(views []*view) (missed bool, err error) {
		r := d.resolver(ctx, views)
		fn(r)
		return r.missed, r.err
	})
}

func (d *Overlay) resolver(ctx context.Context, views []*view) *resolver {
	r := d.x.resolver(ctx, views)
	for path, text := range d.texts {
		r.addOverlay(d.x.canonical(path), text)
	}
	return r
}

// beside runs fn with n further resolvers like r side by side.
func (d *Overlay) inParallel(r *resolver, n int, fn func(i int, r *resolver)) {
	resolvers := make([]*resolver, n)
	var wg sync.WaitGroup
	for i := range resolvers {
		wg.Go(func() {
			resolvers[i] = d.resolver(r.ctx, r.views)
			fn(i, resolvers[i])
		})
	}
	wg.Wait()
	for _, other := range resolvers {
		r.err = cmp.Or(r.err, other.err)
		r.missed = r.missed || other.missed
	}
}

// stage makes a text count instead of the file's.
func (r *resolver) addOverlay(path string, text []byte) {
	s := r.x.shardOf(path)
	if s == nil {
		return
	}
	src := r.x.newSource(path, syntax.Detect(path, text), &workspace.File{Text: text, Hash: workspace.Hash(text)})
	src.parsed = parseOrNothing(src.language, text)
	r.overlaid = append(r.overlaid, r.module(s, s.rel(path), 0, src))
}

// withStaged adds those staged modules that a question may be about.
func (r *resolver) withOverlaid(modules []*module, about func(*module) bool) []*module {
	for _, m := range r.overlaid {
		if !slices.Contains(modules, m) && about(m) {
			modules = append(modules, m)
		}
	}
	return modules
}
