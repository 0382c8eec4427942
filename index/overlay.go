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

// find is the symbol that a unit describes.
func (r *resolver) find(u Unit) (symbol, bool) {
	m := r.moduleAt(u.Path)
	if m == nil || !r.refresh(m) {
		return symbol{}, false
	}
	for i, s := range m.symbols {
		if s.Canon == u.Canon && s.Kind == u.Kind {
			return symbol{m, i}, true
		}
	}
	return symbol{}, false
}

// at is the module of a path, with its text; nil where the index has none.
func (r *resolver) at(path string) (*module, *source) {
	m := r.moduleAt(path)
	if m == nil {
		return nil, nil
	}
	return m, r.text(m)
}

// moduleAt is the module of a path, nil where the index has none.
func (r *resolver) moduleAt(path string) *module {
	path = r.x.canonical(path)
	s := r.x.shardOf(path)
	if s == nil {
		return nil
	}
	rel := s.rel(path)
	if m := r.modules[file{s, rel}]; m != nil && m.languageFamily != nil {
		return m
	}
	if b := r.x.unsavedBuffers()[path]; b != nil {
		return r.module(s, rel, 0, &b.source)
	}
	var m *module
	err := s.eachStored(r.ctx, func(row fileRow, symbols, refs []byte) error {
		m = r.module(s, rel, row.id, nil)
		return m.decode(row, symbols, refs)
	}, "f.rel = ? AND f.skip = ''", rel)
	r.err = cmp.Or(r.err, err)
	return m
}

// renew makes a module that of the text of now; it says whether there is one.
func (r *resolver) refresh(m *module) bool {
	if m.source != nil {
		return true
	}
	text, err := r.x.ws.Open(r.ctx, m.shard.path(m.rel))
	if err != nil {
		r.err = cmp.Or(r.err, r.ctx.Err())
		return false
	}
	defer text.Close()
	return m.row.same(text) || r.text(m) != nil
}

// text is the module's text of now, nil where it has gone. Where it is not the one that
// was indexed, the module becomes that of the text.
func (r *resolver) text(m *module) *source {
	if m.source != nil || r.err != nil {
		return m.source
	}
	src, err := r.current(m)
	switch {
	case err != nil || src == nil:
		r.err = err
	case src.parsed != nil:
		m.read(src)
		clear(r.resolutions)
		clear(r.values)
		clear(r.members)
		clear(r.ancestors)
		clear(r.reached)
	}
	return src
}

// current is the text of a module that was indexed; it is not hashed where the file's size
// and time are those of its row.
func (r *resolver) current(m *module) (*source, error) {
	path := m.shard.path(m.rel)
	if src, ok := r.open[path]; ok {
		return src, nil
	}
	text, err := r.x.ws.Open(r.ctx, path)
	if err != nil {
		return nil, r.ctx.Err()
	}
	defer text.Close()
	if !m.row.same(text) {
		return r.indexed(r.ctx, m.shard, m.row)
	}
	src := &source{path: path, rel: r.x.ws.Rel(path), language: m.row.language, hash: m.row.hash}
	if src.text, err = text.Part(0, text.Len()); err != nil {
		return r.indexed(r.ctx, m.shard, m.row)
	}
	r.open[path] = src
	return src, nil
}
