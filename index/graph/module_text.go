package graph

import (
	"cmp"
	"context"

	"ploke-lsp/index/shards"
)

// find returns the symbol that a unit describes.
func (r *resolver) find(u shards.Unit) (symbol, bool) {
	m := r.moduleAt(u.Path)
	if m == nil || !r.refresh(m) {
		return symbol{}, false
	}
	for i := range m.table().Count() {
		if m.table().At(i).Kind == u.Kind && m.table().Address(i) == u.Canon {
			return symbol{m, i}, true
		}
	}
	return symbol{}, false
}

// ModuleAt returns the module of a path as the workspace serves it now, nil if the index has none.
func ModuleAt(ctx context.Context, sources *shards.Sources, views []*shards.View, path string) (*Module, error) {
	r := newResolver(ctx, sources.Reader, views)
	r.Sources = sources
	m, src := r.at(path)
	if src == nil {
		m = nil
	}
	return m, r.err
}

// at returns the module of a path and its text, nil if the index has none.
func (r *resolver) at(path string) (*Module, *shards.Source) {
	m := r.moduleAt(path)
	if m == nil {
		return nil, nil
	}
	return m, r.text(m)
}

// ModuleAt returns the module of a path, nil if the index has none.
func (r *resolver) moduleAt(path string) *Module {
	m := r.unloadedAt(path)
	if m != nil {
		r.load(m)
	}
	return m
}

// unloadedAt is ModuleAt, but the module may not be loaded yet.
func (r *resolver) unloadedAt(path string) *Module {
	m, v, doc := r.located(path)
	if v != nil {
		return r.document(v, doc)
	}
	return m
}

// located returns where the text of a path is: in a module, if it is not the indexed text, or else in
// a document of a view. It returns neither if the index has none.
func (r *resolver) located(path string) (m *Module, v *shards.View, doc int) {
	path = r.Canonical(path)
	s := r.ShardOf(path)
	if s == nil {
		return nil, nil, 0
	}
	rel := s.Rel(path)
	if m := r.texts[file{s, rel}]; m != nil {
		return m, nil, 0
	}
	if b := r.UnsavedBuffers()[path]; b != nil {
		return r.unsaved(s, rel, &b.Source), nil, 0
	}
	v, doc, _ = shards.DocumentAt(r.views, s, rel)
	return nil, v, doc
}

// refresh makes a module reflect the current text. It reports whether the file still
// exists.
func (r *resolver) refresh(m *Module) bool {
	if m.source != nil {
		return true
	}
	text, err := m.Shard.OpenText(r.ctx, r.Workspace(), &m.row)
	if err != nil {
		r.err = cmp.Or(r.err, r.ctx.Err())
		return false
	}
	defer text.Close()
	unchanged, err := m.Shard.Unchanged(r.ctx, &m.row, text)
	r.err = cmp.Or(r.err, err)
	return unchanged || r.text(m) != nil
}

// text returns the module's current text, nil if it no longer exists. If that is not the
// indexed text, the module is updated to it.
func (r *resolver) text(m *Module) *shards.Source {
	if m.source != nil || r.err != nil {
		return m.source
	}
	src, err := r.current(m)
	switch {
	case err != nil || src == nil:
		r.err = err
	case src.Parsed != nil:
		m.read(src)
		r.answers.forget()
		for _, d := range r.declaringFiles {
			d.forget()
		}
	}
	return src
}

// current returns the current text of an indexed module. It does not hash the text if the
// file's size and time are those of its row.
func (r *resolver) current(m *Module) (*shards.Source, error) {
	path := m.Shard.Path(m.Rel)
	if src, ok := r.Open[path]; ok {
		return src, nil
	}
	text, err := m.Shard.OpenText(r.ctx, r.Workspace(), &m.row)
	if err != nil {
		return nil, r.ctx.Err()
	}
	defer text.Close()
	unchanged, err := m.Shard.Unchanged(r.ctx, &m.row, text)
	if err != nil {
		return nil, err
	}
	if !unchanged {
		return r.Indexed(r.ctx, m.Shard, m.row)
	}
	src := &shards.Source{Path: path, Rel: r.Workspace().Rel(path), Language: m.row.Language, Hash: m.row.Hash}
	if src.Text, err = text.Part(0, text.Len()); err != nil {
		return r.Indexed(r.ctx, m.Shard, m.row)
	}
	r.Open[path] = src
	return src, nil
}
